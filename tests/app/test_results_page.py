"""The results page: experiments in the background, their views, and the form."""

import re
import time
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app import experiment_form, experiments
from app import experiment_views as views
from app.experiment_parts import FILES, written
from core import InputError, assets
from core.experiment import runner
from core.experiment.engines import Local
from core.experiment.metrics import lines
from core.experiment.plan_file import read_plan
from core.experiment.results import Results
from core.experiment.tables import Part, Table, bounded
from core.experiment.work import Bench, items
from tests.core.experiment.parts import plan

CELL = {"selection": {"points": [{"curve_number": 1, "point_index": 2}]}}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SWAPSCOPE_EXPERIMENTS", str(tmp_path))
    return tmp_path


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    path = tmp_path_factory.mktemp("results") / "small.results.jsonl"
    return runner.run(plan(), path, path.parent, Local(4))


def page() -> AppTest:
    app = AppTest.from_file("../../pages/results.py", default_timeout=60).run()
    assert not app.exception
    return app


def ended(name: str) -> experiments.Run:
    run = experiments.run_of(experiments.folder() / f"{name}{experiments.ENDING}")
    assert run is not None
    for _ in range(6_000):
        if not run.running:
            return run
        time.sleep(0.01)
    pytest.fail("the experiment does not end")


def test_an_experiment_runs_in_the_background_and_is_read(folder: Path) -> None:
    experiments.start(plan(name="mine"))
    assert ended("mine").error == ""
    assert next(iter(experiments.found())) == "mine"
    found = experiments.read(folder / "mine.results.jsonl")
    assert found.finished
    assert experiments.read(folder / "mine.results.jsonl") is found  # the file has not changed
    assert experiments.is_own(folder / "mine.results.jsonl")


def test_a_cancelled_experiment_goes_on_where_it_was(folder: Path) -> None:
    run = experiments.start(plan(name="mine"))
    run.cancel()
    ended("mine")
    assert not experiments.read(folder / "mine.results.jsonl").finished
    experiments.start(plan(name="mine"))
    ended("mine")
    assert experiments.read(folder / "mine.results.jsonl").finished


def test_what_goes_wrong_in_the_background_is_told(folder: Path) -> None:
    (folder / "mine.results.jsonl").mkdir()
    experiments.start(plan(name="mine"))
    assert ended("mine").error


def test_a_run_without_a_file_is_there_too(folder: Path) -> None:
    """It has just begun, or could not begin."""
    experiments.start(plan(name="mine", limits={"words": [90, 100]}))
    assert "No row can be attacked" in ended("mine").error
    assert experiments.found()["mine"] == folder / "mine.results.jsonl"
    assert "No row can be attacked" in page().error[0].value


def test_only_inputs_that_are_wanted_count(results: Results) -> None:
    longest = max(each.words for each in results.inputs.values())
    some = views.chosen(results, views.Filter(longest, longest, ("positive", "negative")))
    assert 0 < len(some.inputs) < len(results.inputs)
    assert {attack.row for attack in some.attacks} <= some.inputs.keys()
    none = views.chosen(results, views.Filter(0, 1_000, ("neutral",)))
    assert not none.inputs
    assert not none.attacks


def test_a_table_escapes_text_and_marks_the_best() -> None:
    table = Table("<t>", ("a", "<b>"), (((Part("<x>"),), (Part("1", True), Part("2"))),))
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


@pytest.mark.parametrize(("name", "style"), FILES.values())
def test_every_file_is_written(results: Results, name: str, style: str) -> None:
    content = written(results, name, style)
    assert content.startswith(b"PAR1") if name.endswith("parquet") else b"toy" in content


def test_the_bundled_experiment_is_of_the_bundled_victims() -> None:
    """Its first attacks come out the same with the weights that are here."""
    path = assets.FOLDER / "experiments" / f"sentiment{experiments.ENDING}"
    found = experiments.read(path)
    assert found.finished
    assert found.plan == read_plan(path.with_name("sentiment.toml"))
    bench = Bench(found.plan)
    for item in islice(items(found.plan, found.correct("bilstm-sst2")), 5):
        assert bench.do(item) == [a for a in found.attacks if a.key == item.key]


def test_the_page_without_experiments_teaches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiments, "found", dict)
    assert "no experiment yet" in page().info[0].value


def fill(app: AppTest, **values: Any) -> AppTest:
    app.text_input(key="new.name").set_value(values.get("name", "mine"))
    app.selectbox(key="new.data").set_value("sentiment")
    for key, chosen in {"victims": ["toy"], "words": ["toy"], "searches": ["ls", "pso"]}.items():
        app.multiselect(key=f"new.{key}").set_value(values.get(key, chosen))
    app.number_input(key="new.rows").set_value(12)
    app.number_input(key="new.seeds").set_value(2)
    return app.run()


def test_an_experiment_by_the_form_and_all_its_parts() -> None:
    app = fill(page())
    app.button(key="new.go").click().run()
    assert not app.error
    ended("mine")
    app = page()
    assert app.selectbox(key="experiment").value == "mine"
    said = " ".join(caption.value for caption in app.caption)
    assert "finished" in said
    assert "checked at the end of the search" in said
    html = " ".join(each.body for each in app.get("html"))
    (ls, *_) = lines(experiments.read(experiments.found()["mine"]))
    assert f"<td>{bounded('success', ls.values['success'])}</td>" in re.sub(
        "<td [^>]*>", "<td>", html
    )
    assert "texts. Lower is better." in " ".join(each.value for each in app.markdown)
    assert [tab.label for tab in app.tabs] == [
        "Tables",
        "Curves",
        "Attacks",
        "Differences",
        "Files and studies",
    ]
    app.button(key="results.study").click().run()
    items = app.session_state["wizard.items"]
    assert {item.group for item in items} >= {"ls", "original input"}


def test_names_that_are_taken_or_wrong_are_refused() -> None:
    experiments.start(plan(name="mine"))
    ended("mine")
    app = fill(page())
    app.button(key="new.go").click().run()
    assert "There is an experiment mine already" in app.error[0].value
    app = fill(page(), name="../mine")
    app.button(key="new.go").click().run()
    assert "name" in app.error[0].value


def test_a_run_that_was_broken_off_can_be_resumed() -> None:
    experiments.start(plan(name="mine")).cancel()
    ended("mine")
    app = page()
    assert "Not finished" in app.info[0].value
    app.button(key="resume").click().run()
    assert ended("mine").error == ""
    attacks = experiments.read(experiments.found()["mine"]).attacks
    assert {each.status for each in attacks} <= {"success", "over_limit", "failed"}, attacks
    assert not any("Not finished" in info.value for info in page().info)


def hardened(app: AppTest) -> AppTest:
    """The page when its adversarial training has ended."""
    for _ in range(600):
        if not app.session_state["harden.run"].running:
            return app.run()
        time.sleep(0.1)
    pytest.fail("the training does not end")


def test_adversarial_training_by_the_form() -> None:
    app = page()
    app.selectbox(key="harden.victim").set_value("dnn-snli")
    app.selectbox(key="harden.words").set_value("embedding")
    app = hardened(app.button(key="harden.go").click().run())
    assert not app.exception
    said = " ".join(caption.value for caption in app.caption)
    assert "adversarial examples" in said
    assert "held-out rows" in said
    app.button(key="harden.go").click().run()
    app.session_state["harden.run"].cancel()
    assert "nothing was kept" in hardened(app).info[0].value


def test_files_of_ones_own() -> None:
    frame = experiment_form.read_some("a.csv", b"text,label\nfine,1\n")
    assert list(frame.columns) == ["text", "label"]
    frame = experiment_form.read_some("a.tsv", b'text\tlabel\nso "fine\t1\n')
    assert frame["text"][0] == 'so "fine'
    frame = experiment_form.read_some("a.jsonl", b'{"text": "fine", "label": "x"}\n')
    assert len(frame) == 1
    with pytest.raises(InputError, match="cannot be read as PARQUET"):
        experiment_form.read_some("a.parquet", b"no")
    with pytest.raises(InputError, match="needs a column of texts and one of labels"):
        experiment_form.read_some("a.csv", b"text\nfine\n")
