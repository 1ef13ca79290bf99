"""What is certain, on the results page."""

from pathlib import Path

import pytest

from app.results import certain, views
from core.experiment.engines import Local
from core.experiment.results import Results
from tests.toys.experiment import plan
from tests.toys.runs import run


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder: Path = tmp_path_factory.mktemp("proved")
    limits = {"rows": 12, "modification": 0.15}  # so that no proof takes long
    what = plan(goals=["untargeted"], searches=["ls", "greedy"], limits=limits, proofs=100)
    return run(folder / "a.jsonl", what, Local(2))


def test_curves_end_below_what_is_possible(proved: Results) -> None:
    (scenario,) = views.scenarios(proved)
    figure = certain.with_band(views.success_curves(proved, scenario), proved, scenario)
    (band,) = figure.layout.shapes
    best = max(max(curve.y) for curve in figure.data)
    assert band.y0 == band.y1 >= best


def test_proofs_are_filtered_with_their_inputs(proved: Results) -> None:
    first = min(proved.inputs.values(), key=lambda each: each.words)
    labels = tuple({each.reference_text for each in proved.inputs.values()})
    some = views.chosen(proved, views.Filter(first.words, first.words, labels))
    assert {proof.row for proof in some.proofs} <= set(some.inputs)
    assert len(some.proofs) < len(proved.proofs)
