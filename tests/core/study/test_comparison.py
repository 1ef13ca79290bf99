"""Methods compared, source by source."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.statistics import holm
from core.study.comparison import compare, sign_flip
from core.study.items import ORIGINAL
from core.study.results import results
from tests.toys.judged import judged


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(-12, 12), min_size=1, max_size=10))
def test_the_sign_flip_test_equals_all_patterns_and_scipy(differences: list[int]) -> None:
    exact = [Fraction(difference, 3) for difference in differences]
    reached = abs(sum(exact, Fraction()))
    patterns = [
        abs(sum((sign * one for sign, one in zip(signs, exact, strict=True)), Fraction()))
        for signs in product((1, -1), repeat=len(exact))
    ]
    by_hand = sum(total >= reached for total in patterns) / len(patterns)
    assert sign_flip(exact) == pytest.approx(by_hand)
    if len(exact) >= 2:
        found = stats.permutation_test(
            (np.array(differences, dtype=float),),
            lambda values, axis: np.abs(values.sum(axis=axis)),
            permutation_type="samples",
            vectorized=True,
            n_resamples=np.inf,
            alternative="greater",
        )
        assert sign_flip(exact) == pytest.approx(found.pvalue)


def test_two_methods_are_compared_source_by_source() -> None:
    items = [
        judged("p4", "p4", source="a"),
        judged("p3", "p3", source="b"),
        judged("n2", "n2", source="c"),
        judged("p4", source="only ls"),
        judged("n1", "n1", method="pso", source="a"),
        judged("p2", "p2", method="pso", source="b"),
        judged("n2", "n2", method="pso", source="c"),
        judged(method="pso", source="only ls"),
    ]
    found = compare(items, "ls", "pso")
    assert (found.pairs, found.only_first, found.only_second) == (3, 1, 0)
    assert found.valid_difference == pytest.approx(1 / 3)
    assert found.valid_p == 1.0
    assert found.score_difference == pytest.approx((3 + 1 + 0) / 3)
    assert found.score_p == pytest.approx(0.5)
    assert found.score_effect == pytest.approx((4 / 3) / np.std([3, 1, 0], ddof=1))
    assert found.note == ""
    backwards = compare(items, "pso", "ls")
    assert (backwards.valid_difference, backwards.score_p) == (-found.valid_difference, 0.5)


def test_a_comparison_without_differences_or_pairs_says_so() -> None:
    same = [judged("p4", source="a"), judged("p4", method="pso", source="a")]
    found = compare(same, "ls", "pso")
    assert (found.valid_p, found.score_p, found.score_effect) == (None, None, None)
    assert "Validity does not differ" in found.note
    assert "Perceptibility does not differ" in found.note
    assert "nothing to pair" in compare(same, "ls", "ga").note
    twice = [*same, judged("n0", source="a")]
    assert compare(twice, "ls", "pso").score_difference == 0  # the first counts


def test_p_values_are_corrected_for_all_comparisons_of_the_study() -> None:
    said = {"ls": ("p4", "p4", "p3"), "pso": ("n1", "n2", "n0"), ORIGINAL: ("p4", "p3", "p3")}
    items = [
        judged(*answers, method=group, source=source)
        for group, answers in said.items()
        for source in "abcdefgh"
    ]
    found = results(items).comparisons
    assert [(one.first, one.second) for one in found] == [
        ("ls", "pso"),
        ("ls", ORIGINAL),
        ("pso", ORIGINAL),
    ]
    alone = [compare(items, one.first, one.second) for one in found]
    assert alone[1].valid_p is None
    every, corrected = (
        [p for one in each for p in (one.valid_p, one.score_p) if p is not None]
        for each in (alone, found)
    )
    assert corrected == holm(every)
    assert corrected[0] == 5 * every[0]
    assert results(items[:8]).comparisons == ()
