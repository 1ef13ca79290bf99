"""Agreement against published examples, statsmodels and a second implementation."""

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as reference_kappa

from core.study.agreement import (
    EQUAL,
    coefficients,
    fleiss_kappa,
    interval,
    krippendorff_alpha,
    nominal,
    ordinal,
)
from tests.toys.judged import judged
from tests.toys.study import second_alpha


def test_equal_answers_leave_agreement_undefined() -> None:
    items = [judged("p4", "p4", "p4", source=s) for s in "abc"]
    assert {(one.value, one.note) for one in coefficients(items)} == {(None, EQUAL)}


# Krippendorff (2011), "Computing Krippendorff's alpha-reliability": four raters, missing values.
PUBLISHED = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)


def units_of(rows: Sequence[str]) -> list[list[int]]:
    columns = zip(*(row.split() for row in rows), strict=True)
    units = [[int(cell) for cell in column if cell != "."] for column in columns]
    return [unit for unit in units if len(unit) >= 2]


def test_alpha_equals_the_published_example_with_missing_ratings() -> None:
    units = units_of(PUBLISHED)
    values = [
        krippendorff_alpha("", units, distance).value
        for distance in (nominal, ordinal(units), interval)
    ]
    assert [round(value or 0, 3) for value in values] == [0.743, 0.815, 0.849]


ratings = st.lists(st.lists(st.integers(0, 4), min_size=2, max_size=5), min_size=2, max_size=20)


@settings(deadline=None)
@given(ratings)
def test_alpha_equals_a_second_implementation(units: list[list[int]]) -> None:
    levels = {"nominal": nominal, "ordinal": ordinal(units), "interval": interval}
    for level, distance in levels.items():
        found = krippendorff_alpha("", units, distance)
        if len({value for unit in units for value in unit}) == 1:
            assert (found.value, found.note) == (None, EQUAL)
        else:
            assert found.value == pytest.approx(second_alpha(units, level))


@settings(deadline=None)
@given(st.integers(2, 5), st.integers(2, 25), st.integers(0, 999))
def test_kappa_equals_statsmodels(raters: int, items: int, seed: int) -> None:
    drawn = Random(seed)
    units = [[drawn.choice("abc") for _ in range(raters)] for _ in range(items)]
    if len({value for unit in units for value in unit}) > 1:
        numbers = [["abc".index(value) for value in unit] for unit in units]
        expected = reference_kappa(aggregate_raters(np.array(numbers))[0])
        assert fleiss_kappa("", units).value == pytest.approx(expected)


def test_kappa_says_which_items_it_takes() -> None:
    units = [["a", "b", "a"], ["b", "b", "b"], ["a", "b"]]
    found = fleiss_kappa("", units)
    assert found.note == "2 items with 3 ratings each; 1 item with another number left out"
    assert found.value == pytest.approx(fleiss_kappa("", units[:2]).value or 0)
