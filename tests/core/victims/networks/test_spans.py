"""The likeliest answer from scores of beginnings and ends, by hand."""

import numpy as np
import pytest

from core.victims.networks.spans import LONGEST_ANSWER, best_answer

PASSAGE = "Ada lives in Rome."
PLACES = [(0, 3), (4, 9), (10, 12), (13, 17), (17, 18)]


def scores(first: list[float], last: list[float]) -> np.ndarray:
    """Scores whose powers are these numbers; the first column is "no answer"."""
    with np.errstate(divide="ignore"):
        return np.log(np.array([first, last], dtype=np.float64))


def test_the_product_of_both_ends_counts() -> None:
    found = best_answer(
        PASSAGE, [(scores([1, 1, 0, 2, 6, 0], [1, 0, 0, 1, 7, 1]), PLACES)], none=True
    )
    assert found.text == "Rome"
    assert (found.start, found.end) == (13, 17)
    assert found.confidence == pytest.approx(0.6 * 0.7)
    assert found.none_confidence == pytest.approx(0.1 * 0.1)


def test_an_answer_never_ends_before_it_begins() -> None:
    found = best_answer(
        PASSAGE, [(scores([0, 1, 1, 1, 6, 1], [0, 8, 0, 1, 0.5, 0.5]), PLACES)], none=False
    )
    assert found.text == "Ada"  # 0.1 * 0.8; "Rome" has 0.6 * 0.05
    assert found.confidence == pytest.approx(0.08)


def test_no_answer_wins_where_it_may() -> None:
    window = (scores([6, 4, 0, 0, 0, 0], [6, 4, 0, 0, 0, 0]), PLACES)
    said = best_answer(PASSAGE, [window], none=True)
    assert said.text == ""
    assert said.confidence == pytest.approx(0.16)
    assert said.none_confidence == pytest.approx(0.36)
    forced = best_answer(PASSAGE, [window], none=False)
    assert (forced.text, forced.confidence, forced.none_confidence) == ("Ada", 1.0, 0.0)


def test_parts_of_a_passage_compete() -> None:
    parts = [
        (scores([3, 1, 1], [3, 1, 1]), PLACES[:2]),
        (scores([2, 1, 5, 0], [2, 1, 5, 0]), PLACES[2:]),
    ]
    found = best_answer(PASSAGE, parts, none=True)
    assert found.text == "Rome"
    assert found.confidence == pytest.approx((5 / 10) ** 2)
    assert found.none_confidence == pytest.approx((2 / 10) ** 2)  # of the part that doubts least


def test_an_answer_has_a_limit() -> None:
    count = LONGEST_ANSWER + 5
    first, last = np.full(count + 1, 1e-6), np.full(count + 1, 1e-6)
    first[1], last[count], last[LONGEST_ANSWER] = 1.0, 1.0, 0.1
    places = [(at, at + 1) for at in range(count)]
    found = best_answer("x" * count, [(scores(list(first), list(last)), places)], none=False)
    assert (found.start, found.end) == (0, LONGEST_ANSWER)
