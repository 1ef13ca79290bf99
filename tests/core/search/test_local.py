"""Local search and greedy: their small rules, and their words."""

import numpy as np
import pytest

from core import (
    Attack,
    SearchSpace,
    function_goal,
    targeted,
)
from core.measure import SET_FUNCTION
from core.narrate import Rules, moved
from core.options import configure
from core.search.local import Greedy, LocalSearch
from core.story import certificate, narrate, remark
from tests.toys.cases import E1, E2, E3, E4, E7
from tests.toys.narrating import run, told
from tests.toys.topics import TWO, Topics, Values, run_two


def test_local_search_is_told_move_by_move() -> None:
    assert told(E1, "ls") == [
        "The original sentence scores 10.000.",
        "Insertion w0 → a1 at word 1 raises the score from 10.000 to 22.000; "
        "the next best, w1 → b1 at word 2, would have given 20.000.",
        "Insertion w1 → b1 at word 2 raises the score from 22.000 to 29.000; "
        "the best deletion would have given 10.000, the best exchange 18.000.",
        "Exchange a1 → a2 at word 1 raises the score from 29.000 to 43.000; "
        "the best insertion would have given 32.000, the best deletion 22.000.",
        "Insertion w2 → c1 at word 3 raises the score from 43.000 to 49.000; "
        "the best deletion would have given 20.000, the best exchange 29.000.",
        "A local optimum. All 6 neighbours were tried; none is better.",
        "The answer: 3 of 3 words changed, score 49.000, 20 queries.",
    ]


def test_a_deletion_and_a_rejected_complement() -> None:
    sentences = told(E2, "ls")
    assert sentences[4] == (
        "Deletion a → w0 at word 1 raises the score from 30.000 to 40.000; "
        "the next best, c → w2 at word 3, would have given 25.000."
    )
    assert sentences[6] == (
        "The complement, every substitute not chosen, scores 20.000, which is not above 40.000: "
        "it is rejected."
    )


def test_a_complement_that_wins_and_a_tie() -> None:
    assert told(E3, "ls")[4] == (
        "The complement, every substitute not chosen, scores 50.000 against 30.000: "
        "it takes the optimum's place."
    )
    assert told(E4, "ls")[1].endswith(
        "; w1 → b2 at word 2 would have given the same, but comes later."
    )


def test_greedy_says_what_it_never_tries() -> None:
    sentences = told(E2, "greedy")
    assert sentences[3].endswith("from 25.000 to 30.000; it was the only move there was.")
    assert sentences[4] == (
        "There was no insertion to try. "
        "A deletion or an exchange may be better: greedy never tries one."
    )
    assert told(E7, "greedy")[2].startswith("All 6 insertions were tried; none is better. ")


def test_an_exchange_between_two_words_is_one_exchange() -> None:
    result = run(E2, LocalSearch(exchange="any"))
    story = narrate(E2.space, result.steps, "ls", result.status)
    (one,) = [one for one in story if one.step.kind == "exchange"]
    assert one.sentence.startswith("Exchange a → w0, w2 → c at words 1 and 3 raises the score from")
    assert moved(one.tried.before.state, one.step) == {0: "exchange", 2: "exchange"}


def test_a_budget_that_ends_before_the_complement_keeps_the_certificate() -> None:
    result = run(E3, LocalSearch(), budget=8)
    assert [step.kind for step in result.steps[-3:]] == ["stop", "stop", "end"]
    story = narrate(E3.space, result.steps, "ls", result.status)
    assert story[-3].sentence.startswith("A local optimum. All 4 neighbours were tried")
    assert story[-2].sentence.startswith("The search ends because the budget was spent.")
    assert "budget was spent" in remark(E3.space, result.steps, "ls", result.status)


def test_a_run_without_the_complement_check_says_so() -> None:
    result = run(E2, LocalSearch(complement=False))
    told = remark(E2.space, result.steps, "ls", result.status)
    assert told == "The complement was not tried in this run."


def test_a_hard_limit_is_named() -> None:
    goal = function_goal(E1.f)
    attack = Attack(E1.space, goal, LocalSearch(), max_changed=0.34, hard_limit=True)
    result = attack.run()
    assert certificate(E1.space, result.steps, "ls", result.status) == (
        "A local optimum. All 2 neighbours were tried; none is better "
        "(4 more would change too many words). Exchanges were tried within one word; the paper "
        "also has those between two words: 4 here."
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


def test_the_lines_of_local_search_are_the_papers() -> None:
    text = {line.number: (line.indent, line.text) for line in LocalSearch.card.pseudocode}
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


def test_line_ten_and_the_certificate_name_the_exchange() -> None:
    flat: dict[tuple[int, ...], float] = {
        state: 10.0 + sum(state) for state in [(0, 0), (0, 1), (1, 0), (1, 1)]
    }
    flat[1, 1] = 0.0
    flat[1, 0] = 12.0
    space = SearchSpace.from_choices([["a", "a1"], ["b", "b1"]])
    for exchange, sentence in {
        "same": "All 2 neighbours were tried; none is better. Exchanges were tried within one "
        "word; the paper also has those between two words: 1 here.",
        "any": "All 3 neighbours were tried; none is better. 1 exchange between two words among "
        "them.",
    }.items():
        search = configure(LocalSearch(), [f"exchange={exchange}"])
        result = Attack(space, function_goal(flat.__getitem__), search, max_changed=1.0).run()
        found = certificate(space, result.steps, "ls", result.status)
        assert found == f"A local optimum. {sentence}"
        line = search.pseudocode[9].text
        assert f"v ∉ S of {'the same' if exchange == 'same' else 'any'} word with" in line


def test_after_a_success_only_the_line_that_returns_is_shown() -> None:
    result = run(E1, LocalSearch(), threshold=40)
    last = narrate(E1.space, result.steps, "ls", result.status)[-1]
    (number,) = last.lines
    assert LocalSearch().pseudocode[number - 1].text.endswith("if S reaches the goal, return S")


def test_beyond_the_limit_the_goal_is_no_success_in_any_sentence() -> None:
    result = run(E1, LocalSearch(), threshold=40)
    rules = Rules(allowed=1, measure=SET_FUNCTION)
    story = narrate(E1.space, result.steps, "ls", "over_limit", rules)
    assert story[-1].status == "over_limit"
    assert story[-2].sentence.endswith(
        " The goal is reached, but with more words than allowed: no success."
    )
    found = certificate(E1.space, result.steps, "ls", "over_limit")
    assert "reached, but with more words than allowed: no success." in found
    assert "raises f from 29 to 43; the best insertion would have given 32" in story[-2].sentence


def test_the_best_of_a_sweep_is_tested_even_if_a_lower_one_succeeds() -> None:
    victim = Topics()
    victim.answers = {"a": (0.5, 0.3, 0.2), "a1": (0.3, 0.3, 0.4), "a2": (0.1, 0.45, 0.45)}
    result = Attack(TWO, targeted(victim, TWO, "art"), LocalSearch(), max_changed=1.0).run()
    assert result.steps[1].current.state == (2, 0)
    assert not result.steps[1].current.success


def test_local_search_takes_a_success_without_a_gain() -> None:
    goal = function_goal(lambda state: 1.0)
    judged = goal.judge
    never_at_the_start = type(goal)(
        lambda moves: list(moves),
        lambda states: np.array([float(state == (0, 1)) for state in states]),
        lambda flags: (judged(np.ones(len(flags)))[0], flags > 0),
        lambda state: state == (0, 1),
    )
    result = Attack(TWO, never_at_the_start, LocalSearch(), max_changed=1.0).run()
    # All scores are equal and a1 comes first: the success further down is not the best.
    assert result.status == "failed"
    result = Attack(TWO, never_at_the_start, LocalSearch(stop_on_first=True), max_changed=1.0).run()
    assert (result.status, result.state) == ("success", (0, 1))


def test_a_complement_that_is_only_as_good_is_not_taken() -> None:
    f: Values = {(0, 0): 1.0, (1, 0): 3.0, (1, 1): 2.0, (2, 1): 3.0, (0, 1): 2.0, (2, 0): 2.0}
    result = run_two(f, LocalSearch())
    assert result.steps[-2].kind == "complement"
    assert result.state == (1, 0)


def test_no_substitutes_cost_one_request() -> None:
    space = SearchSpace.from_choices([["a"], ["b"]])
    assert Attack(space, function_goal(lambda state: 0.0), LocalSearch()).run().requests == 1


def test_greedy_asks_for_more_than_epsilon() -> None:
    f: Values = {(0, 0): 1.0, (1, 0): 1.5, (0, 1): 1.2, (1, 1): 1.6}
    assert run_two(f, Greedy(epsilon=0.3)).state == (1, 0)
    assert run_two(f, Greedy()).state == (1, 1)
