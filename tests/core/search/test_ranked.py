"""The searches that rank words first: their rules, and their words."""

import numpy as np
import pytest

from core.objective import Candidates
from core.search import ranked
from core.search.ranked import ImportanceGreedy, SaliencyGreedy, importance
from tests.toys.cases import E8, Case
from tests.toys.narrating import told
from tests.toys.topics import TWO, Values, run_two


def test_ranked_searches_are_told_in_their_order() -> None:
    assert told(E8, "ibgs", 60) == [
        "The original sentence scores 25.000.",
        "Each of 3 words was hidden in turn. "
        "First in the order: w1 (word 2), w0 (word 1) and w2 (word 3).",
        "Next in the order: w1 → b1 at word 2 raises the score from 25.000 to 35.000, "
        "the best of its 3 substitutes.",
        "Next in the order: w0 → a2 at word 1 raises the score from 35.000 to 58.000, "
        "the best of its 2 substitutes.",
        "Next in the order: w2 → c1 at word 3 raises the score from 58.000 to 64.000, "
        "by its only substitute. The goal is reached.",
        "The answer: 3 of 3 words changed, score 64.000, 10 queries.",
    ]
    sentences = told(E8, "sbgs", 60)
    assert sentences[1].startswith(
        "Each of 3 words was hidden in turn and each of 6 substitutes tried alone. "
    )
    assert sentences[2] == (
        "Next in the order: w1 → b1 at word 2 raises the score from 25.000 to 35.000. "
        "It is taken without checking that it helps."
    )
    assert sentences[5] == (
        "Every word has had its turn; the score is 47.000 and the goal is not reached."
    )


def test_a_word_without_substitutes_cannot_be_first() -> None:
    case = Case("nothing to do", [[]], {(0,): 10.0}, hidden=(40.0,))
    assert told(case, "ibgs")[1] == ("Each of 1 word was hidden in turn; no word has substitutes.")


def test_the_first_substitute_that_reaches_the_goal_is_named_as_such() -> None:
    sentences = told(E8, "ibgs", 29)
    assert sentences[2] == (
        "Next in the order: w1 → b1 at word 2 raises the score from 25.000 to 35.000, "
        "the best of its 3 substitutes. The goal is reached."
    )
    values: Values = {(0,): 10.0, (1,): 30.0, (2,): 40.0}
    case = Case("two reach it", [["a", "b"]], values, hidden=(11.0,))
    assert told(case, "ibgs", 20)[2].endswith(
        "to 30.000, the first of its 2 substitutes that reaches the goal. The goal is reached."
    )


def test_words_that_were_passed_over_are_counted() -> None:
    values: Values = {(0, 0): 10.0, (1, 0): 5.0, (0, 1): 20.0, (1, 1): 0.0}
    case = Case("the first word is no good", [["a"], ["b"]], values, hidden=(40.0, 30.0))
    assert told(case, "ibgs")[2].endswith(
        ". Before it 1 word had no substitute that scores above the original's score."
    )
    assert told(case, "sgs")[1].endswith(". Before it 1 word had no substitute that scores higher.")


def test_sbgs_saliency_and_priority() -> None:
    weights = ranked.softmax(np.array([0.05, 0.20, 0.03]))
    assert weights == pytest.approx([0.318265, 0.369772, 0.311963], abs=1e-6)
    priority = weights * np.array([0.12, 0.10, 0.06])
    assert priority == pytest.approx([0.038192, 0.036977, 0.018718], abs=1e-6)


def test_ibgs_compares_with_the_original_and_may_lose_score() -> None:
    f: Values = {(0, 0): 1.0, (-1, 0): 5.0, (0, -1): 2.0, (1, 0): 4.0, (2, 0): 3.0, (1, 1): 2.0}
    result = run_two(f, ImportanceGreedy())
    assert (result.state, result.score) == ((1, 1), 2.0)


def test_ibgs_takes_the_first_success_not_the_best() -> None:
    f: Values = {(0, 0): 1.0, (-1, 0): 5.0, (0, -1): 2.0, (1, 0): 6.0, (2, 0): 9.0}
    assert run_two(f, ImportanceGreedy(), reach=6.0).state == (1, 0)


def test_ibgs_counts_a_flip_twice() -> None:
    moves = TWO.hiding(TWO.origin)
    hidden = Candidates(moves, np.array([0.5, 0.4]), np.array([False, True]), np.ones(2, bool))
    assert importance(hidden, 0.2) == pytest.approx([0.3, 0.4])


def test_sbgs_weighs_saliency_over_all_words_and_the_first_wins_a_tie() -> None:
    f: Values = {(0, 0): 0.0, (-1, 0): 0.2, (0, -1): 0.1, (1, 0): 0.3, (2, 0): 0.3, (0, 1): 0.35}
    steps = run_two(f, SaliencyGreedy()).steps
    # H(a) = .525 * .3 = .157, H(b) = .475 * .35 = .166; and a1 before a2.
    assert [step.current.state for step in steps[2:4]] == [(0, 1), (1, 1)]


def test_sbgs_applies_a_substitute_that_loses_too() -> None:
    f: Values = {(0, 0): 0.5, (1, 0): 0.6, (0, 1): 0.4, (1, 1): 0.45}
    assert run_two(f, SaliencyGreedy()).state == (1, 1)
