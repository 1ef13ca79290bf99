"""Results of a study against values computed by hand."""

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as reference_kappa

from core.statistics import bootstrap
from core.study import monitoring, organising, rating
from core.study.agreement import (
    FEW,
    coefficients,
)
from core.study.creating import create
from core.study.database import Database
from core.study.design import Design
from core.study.items import ORIGINAL, Item
from core.study.judgements import judged_items
from core.study.rating import GivenAnswer
from core.study.results import by_disagreement, estimate, results, row
from tests.toys.judged import judged
from tests.toys.study import LABELS, plan, second_alpha, start, tokens


@pytest.mark.parametrize("answers", [("p3", "n3"), ("p1", "n1", "x1"), ("p1", "p1", "n1", "n1")])
def test_a_tie_has_no_majority_and_is_not_valid(answers: tuple[str, ...]) -> None:
    item = judged(*answers)
    assert (item.majority, item.tied, item.valid) == (None, True, False)
    assert results([item]).notes[0] == "Raters tie on 1 item: no majority, counted as not valid."


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
