"""Traces in words: what is common to all searches."""

from random import Random

import numpy as np
import pytest

from core import SEARCHES, Attack, AttackResult, InputError, function_goal
from core.narrate import KINDS, moved
from core.narrate.words import count, listed
from core.objective import Objective
from core.search import search_named
from core.search.local import LocalSearch
from core.space import HIDDEN, NONE
from core.story import NarratedStep, certificate, narrate, remark
from tests.toys.cases import E1, E3, E8, Case
from tests.toys.narrating import run, toy_trace
from tests.toys.spaces import SMALL, toy_case


def test_a_scan_by_hand_is_told_too() -> None:
    objective = Objective(E1.space, function_goal(E1.f))
    first = objective.step("start", objective.one(E1.space.origin))
    objective(E1.space.insertions(E1.space.origin))
    scan = objective.step("rank", first.current)
    story = narrate(E1.space, [first, scan], "", "failed")
    assert story[1].sentence == "6 sentences scored, one substitute at a time."


@pytest.mark.parametrize("key", SEARCHES)
def test_the_grouped_moves_are_exactly_what_was_tried(key: str) -> None:
    space, result = toy_trace(key, budget=1_500)
    for one in narrate(space, result.steps, key, result.status):
        numbers = np.concatenate([one.tried.of(kind) for kind in KINDS])
        assert sorted(numbers.tolist()) == list(range(len(one.step.tried)))
        for kind in KINDS:
            for number in one.tried.of(kind):
                check_kind(one, int(number), kind)
        gains = one.step.tried.scores - one.tried.before.score
        assert np.array_equal(one.tried.gains, gains)
        if one.tried.chosen is not None:
            assert one.step.tried.moves[one.tried.chosen] == one.step.current.state


def check_kind(one: NarratedStep, number: int, kind: str) -> None:
    """Name a move by counting the words that differ, the slow way."""
    moves = one.step.tried.moves
    state = moves[number]
    before = one.tried.before.state
    if moves.position[number] != NONE:
        before = tuple(moves.bases[moves.base[number]].tolist())
    pairs = [(old, new) for old, new in zip(before, state, strict=True) if old != new]
    if HIDDEN in state:
        assert kind == "hide"
        return
    if len(pairs) != 1:
        assert kind == ("same" if not pairs else "several")
        return
    ((old, new),) = pairs
    names = {(False, True): "insert", (True, False): "delete", (True, True): "exchange"}
    assert kind == names[bool(old), bool(new)]


@pytest.mark.parametrize(
    ("case", "kinds"),
    [
        (E1, [{}, {0: "insert"}, {1: "insert"}, {0: "exchange"}, {2: "insert"}, {}, {}]),
        (E3, [{}, {0: "insert"}, {1: "insert"}, {}, {0: "exchange", 1: "exchange"}, {}]),
    ],
)
def test_changed_words_are_marked_by_kind(case: Case, kinds: list[dict[int, str]]) -> None:
    result = run(case, SEARCHES["ls"]())
    story = narrate(case.space, result.steps, "ls", result.status)
    assert [moved(one.tried.before.state, one.step) for one in story] == kinds


def test_only_what_the_trace_shows_is_certified() -> None:
    def ending(result: AttackResult, key: str = "ls") -> tuple[str, str]:
        return (
            certificate(E1.space, result.steps, key, result.status),
            remark(E1.space, result.steps, key, result.status),
        )

    assert ending(run(E1, LocalSearch())) == (
        "A local optimum. All 6 neighbours were tried; none is better.",
        "The complement was not tried: it would need 2 substitutes of word 2, w1, at once.",
    )
    assert ending(run(E1, LocalSearch(), 40)) == (
        "There is no certificate: the search ended because the goal was reached. "
        "It did not look for a better neighbour.",
        "The complement was not tried: the search had ended before.",
    )
    assert ending(run(E1, LocalSearch(), budget=18)) == (
        "There is no certificate: the budget was spent before the last sweep was through.",
        "The complement was not tried: the budget was spent before.",
    )
    assert ending(run(E1, LocalSearch(epsilon=10)))[0] == (
        "All 6 neighbours were tried; none gains more than 7. Exchanges were tried within one "
        "word; the paper also has those between two words: 4 here."
    )
    result = run(E1, SEARCHES["exhaustive"]())
    assert ending(result, "exhaustive") == (
        "All 24 sentences were tried: the answer is the best there is.",
        "",
    )
    assert ending(run(E1, SEARCHES["sgs"]()), "sgs")[0].startswith("This search proves nothing")


@pytest.mark.parametrize("key", SEARCHES)
def test_every_step_has_active_lines_that_exist(key: str) -> None:
    numbers = {line.number for line in SEARCHES[key].card.pseudocode}
    for options in ({}, {"seed": 3}):
        space, result = toy_trace(key, budget=1_500, **options)
        for one in narrate(space, result.steps, key, result.status):
            assert one.lines or one.step.kind == "stop"
            assert set(one.lines) <= numbers


def test_a_search_that_is_not_known_is_told_by_its_moves() -> None:
    result = run(E1, LocalSearch())
    story = narrate(E1.space, result.steps, "mine", result.status)
    assert (
        story[1].sentence == "Insertion w0 → a1 at word 1 raises the score from 10.000 to 22.000."
    )
    assert story[1].lines == ()
    space, swarm = toy_trace("pso")
    story = narrate(space, swarm.steps, "mine", swarm.status)
    assert "60 members start" in story[1].sentence
    assert "sentences tried; the best of them" in story[2].sentence
    assert search_named("mine").card.pseudocode == ()


def test_steps_of_another_search_are_refused() -> None:
    space, result = toy_trace("random")
    with pytest.raises(InputError, match='not the steps of the search "ga"'):
        narrate(space, result.steps, "ga", result.status)


def test_thresholds_are_the_searches_own() -> None:
    result = run(E8, SEARCHES["ibgs"](), 60)
    story = narrate(E8.space, result.steps, "ibgs", result.status)
    assert [one.tried.threshold for one in story] == [None, None, 0.0, -10.0, -33.0, None]
    result = run(E8, SEARCHES["sbgs"](), 60)
    story = narrate(E8.space, result.steps, "sbgs", result.status)
    assert {one.tried.threshold for one in story} == {None}


def test_words_are_listed() -> None:
    assert [count(number, "query") for number in (0, 1, 1_200)] == [
        *("0 queries", "1 query", "1,200 queries"),
    ]
    assert count(2, "optimum", "optima") == "2 optima"
    assert listed(["a"]) == "a"


def test_random_draws_never_confuse_the_narrator() -> None:
    space, goal = toy_case(SMALL)
    rng = Random(3)
    for key in SEARCHES:
        for _ in range(5):
            attack = Attack(space, goal, SEARCHES[key](), rng.randint(1, 40), rng.randint(0, 99))
            result = attack.run()
            story = narrate(space, result.steps, key, result.status)
            assert len(story) == len(result.steps)
            assert all(one.sentence.endswith(".") for one in story)
            assert certificate(space, result.steps, key, result.status)
