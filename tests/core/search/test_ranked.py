"""The searches that rank words first, in words."""

from tests.toys.cases import E8, Case
from tests.toys.narrating import told


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
