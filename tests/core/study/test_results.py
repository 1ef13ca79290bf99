"""The statistics against hand-computed values, statsmodels and a second implementation."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as reference_kappa

from core.statistics import bootstrap, holm
from core.study import monitoring, organising, rating
from core.study.agreement import (
    EQUAL,
    FEW,
    coefficients,
    fleiss_kappa,
    interval,
    krippendorff_alpha,
    nominal,
    ordinal,
)
from core.study.comparison import compare, sign_flip
from core.study.creating import create
from core.study.database import Database
from core.study.design import Design
from core.study.items import ORIGINAL, Item
from core.study.judgements import Judged, Judgement, judged_items
from core.study.rating import GivenAnswer
from core.study.results import by_disagreement, estimate, results, row
from tests.toys.study import LABELS, plan, second_alpha, start, tokens


def judged(
    *answers: str, method: str = "ls", source: str = "s", label: str = "positive", number: int = 1
) -> Judged:
    """An item with answers written as p3, n0 and so on."""
    names = {"p": "positive", "n": "negative", "x": "neutral"}
    kind: dict[str, Any]
    kind = {"kind": "original"} if method == ORIGINAL else {"method": method}
    item = Item(f"{method} {source}", label, source, **kind)
    said = [Judgement(f"r{i}", names[a[0]], int(a[1])) for i, a in enumerate(answers)]
    return Judged(number, item, tuple(said))


def test_majority_and_mean_as_the_paper_takes_them() -> None:
    item = judged("p3", "p4", "n0")
    assert (item.majority, item.valid, item.tied) == ("positive", True, False)
    assert item.mean_score == Fraction(7, 3)
    lost = judged("n3", "n4", "p0")
    assert (lost.majority, lost.valid) == ("negative", False)


@pytest.mark.parametrize("answers", [("p3", "n3"), ("p1", "n1", "x1"), ("p1", "p1", "n1", "n1")])
def test_a_tie_has_no_majority_and_is_not_valid(answers: tuple[str, ...]) -> None:
    item = judged(*answers)
    assert (item.majority, item.tied, item.valid) == (None, True, False)
    assert results([item]).notes[0] == "Raters tie on 1 item: no majority, counted as not valid."


def test_more_than_two_labels_need_no_absolute_majority() -> None:
    assert judged("p1", "p1", "n1", "x1").majority == "positive"


def test_the_table_of_a_small_study_by_hand() -> None:
    items = [
        judged("p4", "p3", "n2", source="a"),  # valid, 3
        judged("n0", "n1", "p2", source="b"),  # not valid, 1
        judged("p4", "n4", source="c"),  # tie, 4
        judged(source="d"),
        judged("p4", "p4", "p4", method=ORIGINAL, source="a"),
    ]
    table = results(items)
    ls, original = table.rows
    assert (ls.group, ls.items, ls.rated, ls.ratings, ls.ties) == ("ls", 4, 3, 8, 1)
    assert ls.valid is not None
    assert ls.score is not None
    assert ls.valid.value == pytest.approx(1 / 3)
    assert ls.score.value == pytest.approx(8 / 3)
    assert ls.distribution == (1, 1, 2, 1, 3)
    assert (original.group, original.valid) == (ORIGINAL, estimate([1.0]))
    assert table.raters == 3
    assert ls.agreement == tuple(coefficients(items[:4]))
    assert table.notes == (
        "Left out: 1 of 5 items without a rating yet.",
        "Raters tie on 1 item: no majority, counted as not valid.",
        f"{ORIGINAL}: one rated item is too few for an interval.",
    )


def test_one_rating_an_item_says_what_cannot_be_computed() -> None:
    table = results([judged("p1", source="a"), judged("n2", source="b")])
    assert "No item has two ratings" in table.notes[0]
    assert {(one.value, one.note) for one in table.agreement} == {(None, FEW)}
    assert results([]).notes == ("Nothing is rated yet, so nothing can be computed.",)
    assert row("ls", []).valid is None
    some = results([judged("p1", source="a"), judged("n2", "n1", source="b")])
    assert "One rating only is there for 1 of 2 items" in some.notes[0]


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


def test_the_interval_is_repeatable_and_near_the_theory() -> None:
    values = [float(n % 2) for n in range(100)]
    found = estimate(values, seed=3)
    assert found == estimate(values, seed=3)
    assert estimate([n / 7 for n in range(50)], 3) != estimate([n / 7 for n in range(50)], 4)
    assert found is not None
    assert found.value == 0.5
    assert found.low == pytest.approx(0.5 - 1.96 * 0.05, abs=0.02)
    assert found.high == pytest.approx(0.5 + 1.96 * 0.05, abs=0.02)
    whole = bootstrap(values, seed=3)  # as elsewhere in the project
    assert (found.low, found.high) == (whole.low, whole.high)


def test_items_on_which_raters_differ_come_first() -> None:
    calm = judged("p3", "p3", "p3", number=1)
    far = judged("p0", "p4", "p2", number=2)
    split = judged("p3", "n3", "p3", number=3)
    alone = judged("p3", number=4)
    assert by_disagreement([calm, far, split, alone]) == [split, far, calm]


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


def test_a_study_of_100_items_and_3_raters_equals_hand_computed_results(
    database: Database,
) -> None:
    items = tuple(
        Item(f"text {n}", LABELS[n % 2], f"s{n}", ("ls", "pso")[n // 50]) for n in range(100)
    )
    study = create(database, replace(plan(), items=items, design=Design(3, 3, seed=2)))
    said: dict[str, list[tuple[str, int]]] = {}
    for number, token in enumerate(tokens(database, study)):
        drawn = Random(number)
        start(database, token)
        while task := rating.visit(database, token).task:
            answer = GivenAnswer(drawn.choice(LABELS), drawn.randrange(5))
            rating.save(database, token, task, answer, 1.0)
            said.setdefault(task.text, []).append((answer.label, answer.score))
    table = results(judged_items(database, study), seed=1)
    for line in table.rows:
        texts = [item for item in items if item.group == line.group]
        winners = [Counter(label for label, _ in said[i.text]).most_common(1)[0][0] for i in texts]
        valid = sum(winner == i.label for winner, i in zip(winners, texts, strict=True)) / 50
        mean = sum(sum(score for _, score in said[i.text]) for i in texts) / 150
        assert (line.items, line.rated, line.ratings, line.ties) == (50, 50, 150, 0)
        assert line.valid is not None
        assert line.score is not None
        assert (line.valid.value, line.score.value) == pytest.approx((valid, mean))
    labels = [[LABELS.index(label) for label, _ in said[i.text]] for i in items]
    scores = [[score for _, score in said[i.text]] for i in items]
    found = {one.name: one.value for one in table.agreement}
    assert list(found.values()) == pytest.approx(
        [
            reference_kappa(aggregate_raters(np.array(labels))[0]),
            second_alpha(labels, "nominal"),
            reference_kappa(aggregate_raters(np.array(scores))[0]),
            second_alpha(scores, "ordinal"),
            second_alpha(scores, "interval"),
        ]
    )


def test_an_excluded_rater_does_not_count(sqlite: Database) -> None:
    study = create(sqlite, plan())
    for token in tokens(sqlite, study):
        start(sqlite, token)
        while task := rating.visit(sqlite, token).task:
            rating.save(sqlite, token, task, GivenAnswer("positive", 2), 1.0)
    before = judged_items(sqlite, study)
    first = monitoring.rater_progress(sqlite, study)[0]
    organising.exclude(sqlite, first.id, "tested")
    after = judged_items(sqlite, study)
    assert sum(len(item.judgements) for item in before) == 24
    assert sum(len(item.judgements) for item in after) == 20
    organising.include(sqlite, first.id)
    assert judged_items(sqlite, study) == before
