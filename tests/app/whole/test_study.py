"""A whole study through the raters' page and the organiser's: 100 items, 3 raters."""

from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as reference_kappa

from core.study.creating import StudyPlan, create
from core.study.database import Database
from core.study.design import Design
from core.study.items import Item
from core.study.wording import Wording
from tests.toys.study import LABELS, second_alpha, start, tokens
from tests.toys.study_pages import WORD, answer, entered, opened, shown

ITEMS = tuple(Item(f"text {n}", LABELS[n % 2], f"s{n}", ("ls", "pso")[n // 50]) for n in range(100))


def rate(token: str, seed: int) -> dict[str, tuple[str, int]]:
    """Press the buttons for every text; gives what was answered."""
    drawn, said = Random(seed), dict[str, tuple[str, int]]()
    app = opened(token)
    while not app.success:
        text = shown(app)["text"]
        label, point = said[text] = drawn.choice(LABELS), drawn.randrange(5)
        answer(app, label, Wording().scale[point])
    return said


def test_the_page_shows_what_is_computed_by_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SWAPSCOPE_DATABASE", f"sqlite:///{tmp_path / 'studies.sqlite'}")
    monkeypatch.setenv("SWAPSCOPE_PASSPHRASE", WORD)
    database = Database()
    links = tokens(
        database, create(database, StudyPlan("100 by 3", LABELS, ITEMS, design=Design(3, 3)))
    )
    for link in links:
        start(database, link)
    said = [rate(link, number) for number, link in enumerate(links)]
    assert [len(answers) for answers in said] == [100, 100, 100]
    tables = [frame.value for frame in entered().dataframe]
    database.close()
    (shown,) = [table for table in tables if "valid %" in table]
    for _, row in shown.iterrows():
        of = [item for item in ITEMS if item.method == row["method"]]
        winners = [Counter(a[i.text][0] for a in said).most_common(1)[0][0] for i in of]
        valid = sum(winner == item.label for winner, item in zip(winners, of, strict=True))
        score = sum(answers[item.text][1] for answers in said for item in of) / 150
        assert row["valid %"].startswith(f"{100 * valid / 50:.1f} [")
        assert row["perceptibility"].startswith(f"{score:.2f} [")
    labels = [[LABELS.index(answers[item.text][0]) for answers in said] for item in ITEMS]
    scores = [[answers[item.text][1] for answers in said] for item in ITEMS]
    (agreement,) = [table for table in tables if "coefficient" in table]
    assert set(agreement["method"]) == {"all", "ls", "pso"}
    assert agreement["value"][agreement["method"] == "all"].tolist() == pytest.approx(
        [
            reference_kappa(aggregate_raters(np.array(labels))[0]),
            second_alpha(labels, "nominal"),
            reference_kappa(aggregate_raters(np.array(scores))[0]),
            second_alpha(scores, "ordinal"),
            second_alpha(scores, "interval"),
        ],
        abs=0.0005,
    )
