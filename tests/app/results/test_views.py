"""What the results page shows of the records."""

import numpy as np
import pytest

from app.results import views
from core.experiment.results import Results
from core.experiment.tables import Part, ReportTable

CELL = {"selection": {"points": [{"curve_number": 1, "point_index": 2}]}}


def test_only_inputs_that_are_wanted_count(results: Results) -> None:
    longest = max(each.words for each in results.inputs.values())
    some = views.chosen(results, views.Filter(longest, longest, ("positive", "negative")))
    assert 0 < len(some.inputs) < len(results.inputs)
    assert {attack.row for attack in some.attacks} <= some.inputs.keys()
    none = views.chosen(results, views.Filter(0, 1_000, ("neutral",)))
    assert not none.inputs
    assert not none.attacks


def test_a_table_escapes_text_and_marks_the_best() -> None:
    table = ReportTable("<t>", ("a", "<b>"), (((Part("<x>"),), (Part("1", True), Part("2"))),))
    html = views.table_html(table)
    assert "<strong>1</strong> | 2" in html
    assert "&lt;x&gt;" in html
    assert "<x>" not in html
    assert "&lt;b&gt;" in html


def test_figures_show_what_the_records_say(results: Results) -> None:
    scenario = views.scenarios(results)[0]
    curves = views.success_curves(results, scenario)
    assert [curve.name for curve in curves.data] == [
        "Local search",
        "Greedy",
        results.plan.searches[2].name,
    ]
    mine = [a for a in results.attacks if a.search == "ls" and a.goal == scenario.goal]
    won = sum(attack.status == "success" for attack in mine) / len(mine)
    assert curves.data[0].y[-1] == pytest.approx(won)
    lengths = views.by_length(results, scenario)
    assert set(lengths.data[0].x) <= {each.words for each in results.inputs.values()}
    figure, behind = views.every_attack(results, scenario)
    attack = views.picked(CELL, behind)
    assert attack is not None
    assert attack.search == "greedy"
    assert figure.data[1].x[2] == attack.queries
    assert figure.data[1].y[2] == len(attack.swaps)
    assert views.picked({"selection": {"points": []}}, behind) is None
    assert (
        views.picked({"selection": {"points": [{"curve_number": 9, "point_index": 0}]}}, behind)
        is None
    )


def test_failures_are_explained_and_attacks_can_be_opened(results: Results) -> None:
    scenario = views.scenarios(results)[0]
    reasons = views.failures(results, scenario)
    mine = [a for a in results.attacks if (a.victim, a.substitution, a.goal) == scenario]
    failed = sum(attack.status != "success" for attack in mine)
    assert int(np.asarray(reasons).sum()) == failed
    rows = views.attack_rows(results, scenario)
    assert len(rows) == len(mine)
    assert rows["open"][0].startswith("step?text=")
    assert "victim=toy" in rows["open"][0]
