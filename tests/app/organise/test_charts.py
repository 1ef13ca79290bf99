"""Figures of a study."""

import pytest

from app.organise import charts as study_charts
from core.study import monitoring
from core.study.comparison import compare
from core.study.database import Database
from core.study.demonstration import demonstrate
from core.study.judgements import judged_items
from core.study.report import compared
from core.study.results import results


def test_rows_bars_and_sentences_are_plain(database: Database) -> None:
    study = demonstrate(database)
    items = judged_items(database, study)
    found = results(items)
    bars = study_charts.distribution(found.rows, monitoring.study(database, study).wording.scale)
    assert [list(bar.y) for bar in bars.data] == [["ls", "pso", "original input"]] * 5
    assert sum(bar.x[0] for bar in bars.data) == pytest.approx(1)
    first, second = compared(compare(items, "ls", "pso"))
    assert "exact McNemar test" in first
    assert "Cohen's d" in second
    (nothing,) = compared(compare(items, "ls", "none"))
    assert "nothing to pair" in nothing
