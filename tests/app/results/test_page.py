"""The results page in Streamlit's harness, with its forms."""

import re
import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.results import experiments
from app.results import form as experiment_form
from core.experiment.metrics import lines
from core.experiment.tables import bounded
from tests.toys.experiment import plan
from tests.toys.pages import ended, fill, harness


def page() -> AppTest:
    app = harness("results").run()
    assert not app.exception
    return app


def test_a_run_without_a_file_is_there_too(folder: Path) -> None:
    """It has just begun, or could not begin."""
    experiments.start(plan(name="mine", limits={"words": [90, 100]}))
    assert "No row can be attacked" in ended("mine").error
    assert experiments.found()["mine"] == folder / "mine.results.jsonl"
    assert "No row can be attacked" in page().error[0].value


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


def test_a_table_whose_experiment_cannot_start_is_taken_away(folder: Path) -> None:
    before = files(folder)
    app = with_table("rows.csv", b"text,label\nToo short.,positive\n")
    app.button(key="new.go").click().run()
    assert "No row can be attacked" in app.error[0].value
    assert files(folder) == before
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
