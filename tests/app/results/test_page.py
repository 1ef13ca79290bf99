"""The results page: experiments in the background, their views, and the form."""

import re
import time
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.results import experiments
from app.results import form as experiment_form
from app.results import views as views
from app.results.parts import FILES, written
from core import InputError, assets
from core.experiment import runner
from core.experiment.engines import Local
from core.experiment.metrics import lines
from core.experiment.plan_file import read_plan
from core.experiment.results import Results
from core.experiment.tables import Part, ReportTable, bounded
from core.experiment.work import AttackRunner, items
from tests.toys.experiment import plan
from tests.toys.pages import ended, fill, harness

CELL = {"selection": {"points": [{"curve_number": 1, "point_index": 2}]}}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where experiments are kept, two folders below anything else."""
    path = tmp_path / "data" / "experiments"
    path.mkdir(parents=True)
    monkeypatch.setenv("SWAPSCOPE_EXPERIMENTS", str(path))
    return path


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    path = tmp_path_factory.mktemp("results") / "small.results.jsonl"
    return runner.run(plan(), path, path.parent, Local(4))


def page() -> AppTest:
    app = harness("results").run()
    assert not app.exception
    return app


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
    runner = AttackRunner(found.plan)
    for item in islice(items(found.plan, found.correct("bilstm-sst2")), 5):
        assert runner.do(item) == [a for a in found.attacks if a.key == item.key]


def test_the_page_without_experiments_teaches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiments, "found", dict)
    assert "no experiment yet" in page().info[0].value


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
    html = " ".join(each.proto.body for each in app.get("html"))
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
    taken = app.session_state["wizard.brought"]
    assert {item.group for item in taken.items} >= {"ls", "original input"}
    assert taken.labels == ("negative", "positive")


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


TABLE = (
    b"content,class\n"
    b'"This is a good film with a very warm and honest heart.",1\n'
    b'"This is a bad film with a script that nobody should have filmed.",0\n'
)


def with_table(sent_as: str, content: bytes = TABLE, name: str = "mine") -> AppTest:
    """The form, filled in, with a table that a browser says is called so."""
    app = fill(page(), name=name)
    app.selectbox(key="new.data").set_value(experiment_form.OWN).run()
    app.file_uploader(key="new.file").upload(sent_as, content, "text/csv").run()
    assert not app.exception
    return app


def files(folder: Path) -> list[str]:
    """Every file in the folder and around it, which no name from outside may add to."""
    top = folder.parents[1]
    return sorted(path.relative_to(top).as_posix() for path in top.rglob("*") if path.is_file())


NAMES = ("../../up.csv", "{top}/absolute.csv", "..\\mine.results.csv", ".csv", "x" * 300 + ".csv")


@pytest.mark.parametrize("sent_as", NAMES)
def test_a_table_is_kept_under_the_name_of_its_experiment(folder: Path, sent_as: str) -> None:
    """The name from the browser was a path: anywhere the server may write, and over others."""
    (folder / "other.results.jsonl").write_text("somebody's results")
    before = files(folder)
    app = with_table(sent_as.format(top=folder.parents[1]))
    assert app.dataframe[0].value["text"].tolist()[0].startswith("This is a good film")
    app.selectbox(key="new.label.1").set_value("positive").run()
    app.selectbox(key="new.label.0").set_value("negative").run()
    app.button(key="new.go").click().run()
    assert not app.error
    assert not app.exception
    assert ended("mine").error == ""
    assert (folder / "mine.data.csv").read_bytes() == TABLE
    assert files(folder) == sorted(
        [*before, *(f"data/experiments/mine.{end}" for end in ("data.csv", "results.jsonl"))]
    )
    assert (folder / "other.results.jsonl").read_text() == "somebody's results"
    found = experiments.read(folder / "mine.results.jsonl")
    assert found.plan.data.file == "mine.data.csv"
    assert [each.reference_text for each in found.inputs.values()] == ["positive", "negative"]
    assert set(experiments.found()) >= {"mine", "other"}
    assert not any("data" in name for name in experiments.found())


def test_a_results_file_sent_as_data_destroys_nobodys_experiment(folder: Path) -> None:
    experiments.start(plan(name="theirs"))
    ended("theirs")
    before = (folder / "theirs.results.jsonl").read_bytes()
    rows = b'{"content": "A good film with a warm and honest heart, they say.", "class": 1}\n'
    app = with_table("theirs.results.jsonl", rows)
    app.selectbox(key="new.label.1").set_value("positive").run()
    app.button(key="new.go").click().run()
    assert not app.error
    assert ended("mine").error == ""
    assert (folder / "mine.data.jsonl").read_bytes() == rows
    assert (folder / "theirs.results.jsonl").read_bytes() == before
    assert experiments.read(folder / "theirs.results.jsonl").finished


def named(name: str) -> None:
    """Begin an experiment of this name on a table."""
    source = {
        **{"file": experiments.data_name(name, "csv"), "text": "content", "label": "class"},
        "labels": {"1": "positive", "0": "negative"},
    }
    experiments.begin(plan(name=name, data=source), TABLE)


@pytest.mark.parametrize("name", ["mine", "MINE", "Mine", "Theirs"])
def test_a_name_that_is_there_is_refused_whatever_its_case(folder: Path, name: str) -> None:
    (folder / "Mine.results.jsonl").write_text("results")
    (folder / "theirs.data.csv").write_bytes(TABLE)  # its experiment is about to begin
    before = files(folder)
    with pytest.raises(InputError, match="There is an experiment"):
        named(name)
    assert files(folder) == before


@pytest.mark.parametrize(
    "name", ["../up", "a/b", "con", "a.", "a.results", "b.DATA", "x" * 101, "é" * 60, ""]
)
def test_a_name_that_is_no_name_of_a_file_writes_nothing(folder: Path, name: str) -> None:
    before = files(folder)
    with pytest.raises(InputError, match="name"):
        named(name)
    assert files(folder) == before


@pytest.mark.parametrize("file", ["../up.csv", "other.results.jsonl", "mine.data./x", "x.data.csv"])
def test_a_table_is_written_under_no_other_name(folder: Path, file: str) -> None:
    before = files(folder)
    with pytest.raises(InputError, match="bears its name"):
        experiments.begin(plan(name="mine", data={"file": file}), TABLE)
    assert files(folder) == before


def test_a_table_whose_experiment_cannot_start_is_taken_away(folder: Path) -> None:
    before = files(folder)
    app = with_table("rows.csv", b"text,label\nToo short.,positive\n")
    app.button(key="new.go").click().run()
    assert "No row can be attacked" in app.error[0].value
    assert files(folder) == before
    assert "mine" not in experiments.found()


def test_a_run_that_failed_before_its_first_result_leaves_its_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(runner, "Writer", None)  # nothing can be written
        named("mine")
        assert ended("mine").error
    assert files(folder) == ["data/experiments/mine.data.csv"]
    named("mine")
    assert ended("mine").error == ""
    assert experiments.read(folder / "mine.results.jsonl").finished


def test_a_table_is_never_written_over(folder: Path) -> None:
    (folder / "mine.data.csv").symlink_to(folder / "elsewhere")
    with pytest.raises(InputError, match="There is an experiment mine already"):
        experiments.begin(plan(name="mine", data={"file": "mine.data.csv"}), TABLE)
    assert not (folder / "elsewhere").exists()


def test_a_table_that_another_server_has_just_written_is_left_alone(folder: Path) -> None:
    (folder / "mine.data.csv").write_bytes(b"theirs")
    with pytest.raises(InputError, match="could not be kept: File exists"):
        experiments._write_new(folder / "mine.data.csv", TABLE)
    assert (folder / "mine.data.csv").read_bytes() == b"theirs"


@pytest.mark.parametrize(
    "file", ["/etc/passwd", "../secret.csv", "a/b.csv", "..", "C:\\x.csv", "..\\x.csv"]
)
def test_an_experiment_that_is_resumed_here_reads_nothing_elsewhere(file: str) -> None:
    with pytest.raises(InputError, match="outside its folder"):
        experiments.start(plan(name="mine", data={"file": file}))
    assert "mine" not in experiments.found()


@pytest.mark.parametrize(
    ("sent_as", "content", "words"),
    [
        ("a.csv", b"," * 3_000_000, "longer than 1,000,000 characters"),
        ("a.csv", b"text\nfine\n", "needs a column of texts and one of labels"),
        ("a.parquet", b"no", "cannot be read"),
        ("a.csv", b"text,label\n" + b"a,b%d\n" * 3, "different values"),
        ("a.jsonl", b'{"text": "x"}\n{"label": "y"}\n', "0 different values"),
    ],
)
def test_a_table_that_cannot_be_used_is_said_and_cannot_be_started(
    sent_as: str, content: bytes, words: str
) -> None:
    if b"%d" in content:
        content = b"text,label\n" + b"".join(b"a,b%d\n" % number for number in range(30))
    app = with_table(sent_as, content)
    assert words in app.error[0].value
    assert app.button(key="new.go").disabled


def test_broken_rows_and_bytes_are_shown_in_the_preview() -> None:
    content = b'{"text": "fine", "label": "positive"}\nnonsense\n{"text": [1], "label": "x\xff"}\n'
    app = with_table("a.jsonl", content)
    shown = app.dataframe[0].value
    assert shown["why"].tolist()[1] == "not JSON"
    assert shown["reference"].tolist()[2] == "x\\udcff"


def test_raw_cells_are_a_switch(results: Results) -> None:
    text = "=cmd and a good film that everybody has to see twice"
    row = next(iter(results.attacks)).row
    hostile = replace(
        results, inputs={**results.inputs, row: replace(results.inputs[row], text=text)}
    )
    assert b"'=cmd" in written(hostile, "results.csv", "plain")
    assert b"'=cmd" not in written(hostile, "results.csv", "plain", raw=True)
