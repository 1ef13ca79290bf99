"""Traces told in words: exact sentences on the teaching instances, counts against the frontier."""

import re
from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from core import SEARCHES, Attack, AttackResult, InputError, SearchSpace, function_goal
from core.narrate import KINDS, Told, certificate, complement, lines, moved, narrate
from core.narrate.generations import measure, own_bests
from core.narrate.ours import kept
from core.narrate.words import count, figures, listed
from core.objective import Candidate, Objective
from core.search import Search
from core.search.label import LabelSearch
from core.search.local import LocalSearch
from core.search.swarm import ParticleSwarm
from core.search.swift import Swift
from core.space import HIDDEN, NONE
from tests.core.cases import E1, E2, E3, E4, E7, E8, Case
from tests.core.test_golden import endless
from tests.core.test_search_contract import SMALL, random_case, toy_case
from tests.core.test_swift import astray_case, logistic_case

LONG = "A charming and often very funny film, with a smart script and a warm, honest ending."


def run(case: Case, search: Search, threshold: float | None = None, **limits: int) -> AttackResult:
    success = None if threshold is None else lambda value: value > threshold
    goal = function_goal(case.f, success)
    return Attack(case.space, goal, search, max_changed=1.0, **limits).run()


def told(case: Case, key: str, threshold: float | None = None) -> list[str]:
    result = run(case, SEARCHES[key](), threshold)
    return [one.sentence for one in narrate(case.space, result.steps, key, result.status)]


def toy_trace(key: str, **options: int) -> tuple[SearchSpace, AttackResult]:
    space, goal = toy_case(LONG)
    return space, Attack(space, goal, SEARCHES[key](), max_changed=1.0, **options).run()


def test_local_search_is_told_move_by_move() -> None:
    assert told(E1, "ls") == [
        "The original sentence scores 10.00.",
        "Insertion w0 → a1 at word 1 raises the score from 10.00 to 22.00; "
        "the next best, w1 → b1 at word 2, would have given 20.00.",
        "Insertion w1 → b1 at word 2 raises the score from 22.00 to 29.00; "
        "the best deletion would have given 10.00, the best exchange 18.00.",
        "Exchange a1 → a2 at word 1 raises the score from 29.00 to 43.00; "
        "the best insertion would have given 32.00, the best deletion 22.00.",
        "Insertion w2 → c1 at word 3 raises the score from 43.00 to 49.00; "
        "the best deletion would have given 20.00, the best exchange 29.00.",
        "A local optimum. All 6 neighbours were tried; none is better.",
        "The answer: 3 of 3 words changed, score 49.00, 20 queries.",
    ]


def test_a_deletion_and_a_rejected_complement() -> None:
    sentences = told(E2, "ls")
    assert sentences[4] == (
        "Deletion a → w0 at word 1 raises the score from 30.00 to 40.00; "
        "the next best, c → w2 at word 3, would have given 25.00."
    )
    assert sentences[6] == (
        "The complement, every substitute not chosen, scores 20.00, which is not above 40.00: "
        "it is rejected."
    )


def test_a_complement_that_wins_and_a_tie() -> None:
    assert told(E3, "ls")[4] == (
        "The complement, every substitute not chosen, scores 50.00 against 30.00: "
        "it takes the optimum's place."
    )
    assert told(E4, "ls")[1].endswith(
        "; w1 → b2 at word 2 would have given the same, but comes later."
    )


def test_greedy_says_what_it_never_tries() -> None:
    sentences = told(E2, "greedy")
    assert sentences[3].endswith("from 25.00 to 30.00; it was the only move there was.")
    assert sentences[4] == (
        "There was no insertion to try. "
        "A deletion or an exchange may be better: greedy never tries one."
    )
    assert told(E7, "greedy")[2].startswith("All 6 insertions were tried; none is better. ")


def test_ranked_searches_are_told_in_their_order() -> None:
    assert told(E8, "ibgs", 60) == [
        "The original sentence scores 25.00.",
        "Each of 3 words was hidden in turn. "
        "First in the order: w1 (word 2), w0 (word 1) and w2 (word 3).",
        "Next in the order: w1 → b1 at word 2 raises the score from 25.00 to 35.00, "
        "the best of its 3 substitutes.",
        "Next in the order: w0 → a2 at word 1 raises the score from 35.00 to 58.00, "
        "the best of its 2 substitutes.",
        "Next in the order: w2 → c1 at word 3 raises the score from 58.00 to 64.00, "
        "by its only substitute. The goal is reached.",
        "The answer: 3 of 3 words changed, score 64.00, 10 queries.",
    ]
    sentences = told(E8, "sbgs", 60)
    assert sentences[1].startswith(
        "Each of 3 words was hidden in turn and each of 6 substitutes tried alone. "
    )
    assert sentences[2] == (
        "Next in the order: w1 → b1 at word 2 raises the score from 25.00 to 35.00. "
        "It is not asked whether it helps."
    )
    assert sentences[5] == (
        "Every word has had its turn; the score is 47.00 and the goal is not reached."
    )


def test_a_word_without_substitutes_cannot_be_first() -> None:
    case = Case("nothing to do", [[]], {(0,): 10.0}, hidden=(40.0,))
    assert told(case, "ibgs")[1] == ("Each of 1 word was hidden in turn; no word has substitutes.")


def test_a_scan_by_hand_is_told_too() -> None:
    objective = Objective(E1.space, function_goal(E1.f))
    first = objective.step("start", objective.one(E1.space.origin))
    objective(E1.space.insertions(E1.space.origin))
    scan = objective.step("rank", first.current)
    story = narrate(E1.space, [first, scan], "", "failed")
    assert story[1].sentence == "6 sentences scored, one substitute at a time."


def test_a_swarm_of_one_is_told_in_the_singular() -> None:
    space, goal = toy_case(SMALL)
    result = Attack(space, goal, ParticleSwarm(population=1)).run()
    story = narrate(space, result.steps, "pso", result.status)
    assert story[1].sentence.startswith("1 particle starts from the original, with one word")


def test_the_first_substitute_that_reaches_the_goal_is_named_as_such() -> None:
    sentences = told(E8, "ibgs", 29)
    assert sentences[2] == (
        "Next in the order: w1 → b1 at word 2 raises the score from 25.00 to 35.00, "
        "the best of its 3 substitutes. The goal is reached."
    )
    values = {(0,): 10.0, (1,): 30.0, (2,): 40.0}
    case = Case("two reach it", [["a", "b"]], values, hidden=(11.0,))
    assert told(case, "ibgs", 20)[2].endswith(
        "to 30.00, the first of its 2 substitutes that reaches the goal. The goal is reached."
    )


def test_words_that_were_passed_over_are_counted() -> None:
    values = {(0, 0): 10.0, (1, 0): 5.0, (0, 1): 20.0, (1, 1): 0.0}
    case = Case("the first word is no good", [["a"], ["b"]], values, hidden=(40.0, 30.0))
    assert told(case, "ibgs")[2].endswith(
        ". Before it 1 word had no substitute that scores above the original's score."
    )
    assert told(case, "sgs")[1].endswith(". Before it 1 word had no substitute that scores higher.")


def test_the_second_pass_starts_again_from_the_original() -> None:
    result = run(E8, SEARCHES["sgs"](), 60)
    story = narrate(E8.space, result.steps, "sgs", result.status)
    assert [one.sentence.partition(":")[0] for one in story[1:7]] == [
        *["From the left"] * 3,
        *["From the right"] * 3,
    ]
    assert story[4].tried.before == result.steps[0].current
    assert [one.lines for one in story[3:8]] == [(3, 4), (8, 9), (8, 9), (8, 9), (10,)]
    assert (
        story[7].sentence
        == "Both passes are finished; the better sentence of the two scores 64.00."
    )
    early = told(E8, "sgs", 40)
    assert early[4] == "The pass from the left is finished and reaches the goal: 47.00."


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


def check_kind(one: Told, number: int, kind: str) -> None:
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


def test_an_exchange_between_two_words_is_one_exchange() -> None:
    result = run(E2, LocalSearch(exchange="any"))
    story = narrate(E2.space, result.steps, "ls", result.status)
    (one,) = [one for one in story if one.step.kind == "exchange"]
    assert one.sentence.startswith("Exchange a → w0, w2 → c at words 1 and 3 raises the score from")
    assert moved(one.tried.before.state, one.step) == {0: "exchange", 2: "exchange"}


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


@pytest.mark.parametrize("seed", range(3))
def test_a_swarm_is_counted_right(seed: int) -> None:
    space, result = toy_trace("pso", seed=seed)
    people = [step.frontier for step in result.steps]
    own = own_bests(result.steps)
    checked = 0
    for number, step in enumerate(result.steps):
        if step.kind != "generation":
            continue
        done = measure(step, people[number - 1], own[number - 1], "pso")
        best_before = [
            max(
                people[n][p].score
                for n in range(number)
                if result.steps[n].kind in ("init", "generation")
            )
            for p in range(len(step.frontier))
        ]
        beaten = [one.score > bar for one, bar in zip(step.frontier, best_before, strict=True)]
        assert done.improved == sum(beaten)
        kept = Counter(
            a.state == b.state for a, b in zip(step.frontier, people[number - 1], strict=True)
        )
        assert done.moved == kept[False]
        assert done.different == len(Counter(one.state for one in step.frontier))
        assert done.mean == pytest.approx(sum(one.score for one in step.frontier) / 60)
        assert done.mutated <= 60
        story = narrate(space, result.steps, "pso", result.status)[number].sentence
        assert story.startswith(f"{done.moved} of 60 particles moved, {done.mutated} mutated, ")
        checked += 1
    assert checked


def test_a_genetic_algorithm_is_counted_right() -> None:
    space, result = toy_trace("ga", seed=1)
    story = narrate(space, result.steps, "ga", result.status)
    for number, step in enumerate(result.steps):
        if step.kind != "generation":
            continue
        old = max(one.score for one in result.steps[number - 1].frontier)
        better = sum(one.score > old for one in step.frontier)
        words = story[number].sentence
        assert words.startswith("59 children bred, ")
        assert f"; {better or 'none'} beat the elite." in words
        assert f"with {len({one.state for one in step.frontier})} different sentences" in words
    assert story[1].sentence.startswith("60 members start from the original, each with one word")


def test_random_and_exhaustive_tell_their_batches() -> None:
    space, result = toy_trace("exhaustive", budget=1_500)
    story = narrate(space, result.steps, "exhaustive", result.status)
    assert story[1].sentence.startswith("1,024 sentences tried, 1,025 of 46,656 so far; the best")
    assert story[-2].sentence.startswith("The search ends because the budget was spent.")
    space, result = toy_trace("exhaustive", budget=3_000)  # the goal is reached on the way
    story = narrate(space, result.steps, "exhaustive", result.status)
    assert story[-2].sentence.startswith("The search ends because it was cut short.")
    space, result = toy_trace("random")
    story = narrate(space, result.steps, "random", result.status)
    assert story[1].sentence.startswith("20 sentences drawn at random; the best of them scores 0.")


def test_only_what_the_trace_shows_is_certified() -> None:
    def ending(result: AttackResult, key: str = "ls") -> tuple[str, str]:
        return (
            certificate(E1.space, result.steps, key, result.status),
            complement(E1.space, result.steps, key, result.status),
        )

    assert ending(run(E1, LocalSearch())) == (
        "A local optimum. All 6 neighbours were tried; none is better.",
        "The complement was not tried: it would need 2 substitutes of word 2, w1, at once.",
    )
    assert ending(run(E1, LocalSearch(), 40)) == (
        "There is no certificate: the search ended because the goal was reached. "
        "It did not look for a better neighbour.",
        "The complement was not tried: the goal was reached before.",
    )
    assert ending(run(E1, LocalSearch(), budget=18)) == (
        "There is no certificate: the budget was spent before the last sweep was through.",
        "The complement was not tried: the budget was spent before.",
    )
    assert ending(run(E1, LocalSearch(epsilon=10)))[0] == (
        "All 6 neighbours were tried; none gains more than 7."
    )
    result = run(E1, SEARCHES["exhaustive"]())
    assert ending(result, "exhaustive") == (
        "All 24 sentences were tried: the answer is the best there is.",
        "",
    )
    assert ending(run(E1, SEARCHES["sgs"]()), "sgs")[0].startswith("This search proves nothing")


def test_a_budget_that_ends_before_the_complement_keeps_the_certificate() -> None:
    result = run(E3, LocalSearch(), budget=8)
    assert [step.kind for step in result.steps[-3:]] == ["stop", "stop", "end"]
    story = narrate(E3.space, result.steps, "ls", result.status)
    assert story[-3].sentence.startswith("A local optimum. All 4 neighbours were tried")
    assert story[-2].sentence.startswith("The search ends because the budget was spent.")
    assert "budget was spent" in complement(E3.space, result.steps, "ls", result.status)


def test_a_run_without_the_complement_check_says_so() -> None:
    result = run(E2, LocalSearch(complement=False))
    told = complement(E2.space, result.steps, "ls", result.status)
    assert told == "The complement was not tried in this run."


def test_a_hard_limit_is_named() -> None:
    goal = function_goal(E1.f)
    attack = Attack(E1.space, goal, LocalSearch(), max_changed=0.34, hard_limit=True)
    result = attack.run()
    assert certificate(E1.space, result.steps, "ls", result.status) == (
        "A local optimum. All 2 neighbours were tried; none is better "
        "(4 more would change too many words)."
    )


@pytest.mark.parametrize("columns", [[["a"]], [["a", "b"]]])
def test_tiny_spaces_get_proper_sentences(columns: list[list[str]]) -> None:
    space = SearchSpace.from_choices(columns)
    result = Attack(space, function_goal(lambda state: -float(sum(state))), LocalSearch()).run()
    told = certificate(space, result.steps, "ls", result.status)
    wanted = {
        1: "There was no neighbour to try.",
        2: "The only neighbour was tried; it is not better.",
    }
    assert told == f"A local optimum. {wanted[len(columns[0])]}"


@pytest.mark.parametrize("key", SEARCHES)
def test_every_step_has_active_lines_that_exist(key: str) -> None:
    numbers = {line.number for line in lines(key)}
    for options in ({}, {"seed": 3}):
        space, result = toy_trace(key, budget=1_500, **options)
        for one in narrate(space, result.steps, key, result.status):
            assert one.lines or one.step.kind == "stop"
            assert set(one.lines) <= numbers


def test_the_lines_of_local_search_are_the_papers() -> None:
    text = {line.number: (line.indent, line.text) for line in lines("ls")}
    assert text[1] == (0, "S ← ∅")
    assert text[14][0] == 2
    assert text[15] == (1, "else stop: a local optimum")
    assert text[19] == (0, "else return S")
    result = run(E1, LocalSearch())
    story = narrate(E1.space, result.steps, "ls", result.status)
    assert [one.lines for one in story] == [
        (1,),
        (4, 5, 13, 14),
        (4, 5, 13, 14),
        (10, 11, 13, 14),
        (4, 5, 13, 14),
        (13, 15),
        (17, 19),
    ]


def test_a_search_that_is_not_known_is_told_by_its_moves() -> None:
    result = run(E1, LocalSearch())
    story = narrate(E1.space, result.steps, "mine", result.status)
    assert story[1].sentence == "Insertion w0 → a1 at word 1 raises the score from 10.00 to 22.00."
    assert story[1].lines == ()
    space, swarm = toy_trace("pso")
    story = narrate(space, swarm.steps, "mine", swarm.status)
    assert "60 members start" in story[1].sentence
    assert "sentences tried; the best of them" in story[2].sentence
    assert lines("mine") == ()


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


def test_figures_differ_where_numbers_do() -> None:
    assert figures(0.31, 0.47) == ["0.31", "0.47"]
    assert figures(0.311, 0.312) == ["0.311", "0.312"]
    assert figures(0.5, 0.5) == ["0.50", "0.50"]
    assert figures(0.1, 0.1 + 1e-12) == ["0.100000", "0.100000"]
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


def test_a_certificate_counts_every_neighbour_once() -> None:
    space, goal = random_case(3)
    result = Attack(space, endless(goal), SEARCHES["swift"]()).run()
    told = certificate(space, result.steps, "swift", result.status)
    assert f"All {len(space.neighbours(result.state))} neighbours were tried" in told


def test_swift_tells_when_it_starts_anew_within_the_limit() -> None:
    space, goal = astray_case()
    result = Attack(space, goal, Swift(probes=0, limit=0.125), max_changed=0.125).run()
    story = narrate(space, result.steps, "swift", result.status)
    anew = [one.step.kind for one in story].index("rank")
    assert f"each of {space.elements} substitutes was tried alone" in story[anew].sentence
    assert [one.lines for one in story[anew:]] == [(10,), (11,), (11,), (12,), (12,)]
    assert story[anew].tried.before == story[anew + 1].tried.before == story[0].step.current
    assert story[-3].sentence.endswith("This is not yet the answer.")
    assert story[-2].sentence.startswith("No sentence within the limit succeeded")


def told_of(search: Search, key: str, seed: int = 0) -> tuple[AttackResult, tuple[Told, ...]]:
    space, goal = logistic_case(seed)
    result = Attack(space, goal, search).run()
    return result, narrate(space, result.steps, key, result.status)


def test_swift_says_what_its_model_proposes_and_what_becomes_of_it() -> None:
    result, story = told_of(Swift(thrift=4.0), "swift")
    asked = [one for one in story if one.step.kind == "generation"]
    for one in asked:
        proposed = one.step.tried[-1]
        assert one.sentence.startswith("The model proposes ")
        for at, choice in enumerate(proposed.state):
            assert (f"{at}-0 → {at}-{choice}" in one.sentence) == bool(choice)
        if proposed.success:
            words = sum(map(bool, proposed.state))
            assert re.search(rf"goal is .*reached.* {words} changed word", one.sentence)
        elif one.tried.before.success:
            assert "misses the goal" in one.sentence
        else:
            better = one.step.current.state == proposed.state
            assert one.sentence.endswith("the best so far.") == better
            assert ("not above" in one.sentence) != better
    assert result.success
    assert story[-2].sentence.startswith("The model sees no likely success with fewer")


def test_a_search_that_sees_only_labels_is_told_without_scores() -> None:
    result, story = told_of(LabelSearch(distance="column"), "ls-label", seed=1)
    assert result.success
    assert not any("score" in one.sentence for one in story[1:])
    assert {one.step.kind for one in story} >= {"init", "generation", "delete", "exchange"}
    for one in story:
        if one.step.kind in ("delete", "exchange"):
            before, after = one.tried.before.state, one.step.current.state
            assert sum(map(bool, before)) >= sum(map(bool, after))
            assert 1 <= sum(old != new for old, new in zip(before, after, strict=True)) <= 2
            words = f"with {count(sum(map(bool, after)), 'changed word')}."
            fewer = one.sentence.endswith(words)
            assert fewer != one.sentence.endswith("the sentence is nearer to the original.")
            assert fewer == (sum(map(bool, before)) > sum(map(bool, after)))
    space, goal = logistic_case(3)
    cut = Attack(space, goal, LabelSearch(), budget=20).run()
    assert "score" not in narrate(space, cut.steps, "ls-label", cut.status)[-2].sentence


def test_a_search_for_fewer_changes_proves_that_each_is_needed() -> None:
    space, goal = logistic_case(3)
    whole = Attack(space, goal, LabelSearch(distance="column"), seed=3).run()
    needed = "Every change is needed"
    assert certificate(space, whole.steps, "ls-label", whole.status).startswith(needed)
    drawn = next(i for i, step in enumerate(whole.steps) if step.kind == "generation")
    for steps in (whole.steps[: drawn + 1], whole.steps[-1:], whole.steps[:1]):
        assert not certificate(space, steps, "ls-label", "budget").startswith(needed)


@pytest.mark.parametrize("key", ["pso", "ga"])
def test_a_polished_search_is_told_as_what_it_polishes(key: str) -> None:
    space, goal = random_case(2)
    plain, polished = (
        narrate(space, Attack(space, endless(goal), SEARCHES[k]()).run().steps, k, "failed")
        for k in (key, f"{key}+ls")
    )
    same = len(plain) - 1  # all but the end
    assert [one.sentence for one in polished[:same]] == [one.sentence for one in plain[:same]]
    assert "A local optimum. All" in polished[-2].sentence


def test_a_portfolio_is_told_by_its_members() -> None:
    space, goal = random_case(2)
    result = Attack(space, endless(goal), SEARCHES["portfolio"]()).run()
    story = narrate(space, result.steps, "portfolio", result.status)
    titles = [one.sentence.partition(".")[0] for one in story if one.step.kind == "start"]
    assert titles == ["Swift", "Local search", "PSO+LS"]
    alone = Attack(space, endless(goal), SEARCHES["swift"]()).run()
    first = narrate(space, alone.steps, "swift", alone.status)[:-1]
    assert [f"Swift. {one.sentence}" for one in first] == [o.sentence for o in story[: len(first)]]
    assert story[-1].sentence.startswith("The answer: ")
    assert all(one.lines for one in story)
    for wrong in (result.steps[1:], result.steps[:1] * 4):
        with pytest.raises(InputError, match="not the steps of"):
            narrate(space, wrong, "portfolio", "failed")


def test_a_restored_word_keeps_its_capitals() -> None:
    space = SearchSpace.from_choices([["Paris", "Rome"], ["I", "we"]])
    goal = function_goal(lambda state: float(bool(state[1])), lambda value: value > 0)
    result = Attack(space, goal, LabelSearch(), max_changed=1.0).run()
    drawn = Candidate((1, 1), 1.0, success=True)
    story = narrate(space, result.steps, "ls-label", result.status)
    told = kept(space, story[1].step, replace(story[1].tried, before=drawn))
    assert told == "Restoring Paris keeps the label changed, with 1 changed word."


def test_a_member_that_succeeds_beyond_the_limit_says_so_before_the_next_begins() -> None:
    space = SearchSpace.from_choices([[f"{i}", f"{i}a"] for i in range(8)])
    goal = function_goal(lambda state: sum(state) / 8, lambda value: value > 0.4)  # four words
    result = Attack(space, goal, SEARCHES["portfolio"]()).run()
    story = narrate(space, result.steps, "portfolio", result.status)
    second = [one.step.kind for one in story].index("start", 1)
    assert story[second - 1].sentence.startswith("Swift. No sentence within the limit succeeded")
    assert result.status == "over_limit"
