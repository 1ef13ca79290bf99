"""A task without labels goes through every page without any of them knowing it."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app.results import experiments
from app.results.form import OWN
from core.experiment.data import BUNDLED
from core.study import monitoring
from core.study.database import Database
from core.study.intake import Intake
from tests.toys.counting import TEXT, Counting, register
from tests.toys.pages import ended, harness, press
from tests.toys.study import start, tokens
from tests.toys.study_pages import WORD, entered, opened, shown

LABELS = ("the label", "True label", "flips the", "P(")  # words that this task has no use for
ROWS = (
    "said,unit,count\n"
    f'"{TEXT}",kind words,5\n'
    '"A warm, honest and charming film that everybody should go and see today.",kind words,3\n'
)


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SWAPSCOPE_EXPERIMENTS", str(tmp_path))
    return tmp_path


def page(name: str, **inputs: Any) -> AppTest:
    app = harness(name)
    asked = {"victim": "counter", "words": "toy", "unit": "kind words", "limit": 50.0}
    for key, value in {**asked, "text": TEXT, **inputs}.items():
        app.session_state[key] = value
    return checked(app.run())


def checked(app: AppTest) -> AppTest:
    assert not app.exception
    assert not app.error
    return app


def after(app: AppTest, done: Callable[[AppTest], bool]) -> AppTest:
    for _ in range(2_000):
        if done(app):
            return app
        time.sleep(0.02)
        checked(app.run())
    pytest.fail("waited in vain")


def told(app: AppTest) -> str:
    """Everything that the page says."""
    parts = (*app.markdown, *app.caption, *app.info, *app.success, *app.warning)
    html = [each.proto.body for each in app.get("html")]
    return "\n".join([*(part.value for part in parts), *html])


def component(app: AppTest) -> dict[str, Any]:
    """What the page gave to its large component."""
    given = [json.loads(each.proto.json) for each in app.get("bidi_component")]
    (found,) = [data for data in given if "columns" in data]
    return dict(found)


def scanned(app: AppTest) -> bool:
    return all("gains" in column for column in component(app)["columns"] if column["choices"][1:])


def test_the_lattice_counts_in_its_own_unit() -> None:
    app = page("lattice")
    assert ">5 words</span>" in told(app)
    assert "width:100.0%" in told(app)
    app = after(checked(app.button(key="scan").click().run()), scanned)
    data = component(app)
    assert data["labels"] == ["words"]
    gains = [gain for column in data["columns"] for gain in column.get("gains", [])]
    assert 1.0 in gains
    app = checked(app.button(key="compare").click().run())
    app = checked(app.button(key="give_up").click().run())
    app = after(app, lambda one: bool(one.dataframe[0].value.columns.tolist()[0] == "who"))
    assert "Local search counts wrongly; your sentence does not reach the goal." in told(app)
    assert not [word for word in LABELS if word in told(app) + str(app.dataframe[0].value)]


def test_step_through_says_what_became_of_it() -> None:
    app = after(page("step"), lambda one: bool(one.get("bidi_component")))
    assert component(app)["outcome"] == "The attack counts wrongly."
    assert not [word for word in LABELS if word in told(app) + str(component(app))]


def test_a_race_says_who_counts_wrongly_first() -> None:
    app = page("race", race=["ls", "greedy"])
    app = after(app, lambda one: not any(button.label == "Cancel" for button in one.button))
    assert "Queries spent until a search counts wrongly: " in told(app)
    assert {lane["success"] for lane in component(app)["lanes"]} == {"counts wrongly"}
    assert not [word for word in LABELS if word in told(app)]


def test_an_experiment_by_the_form_and_a_study_of_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = page("results")
    assert app.selectbox(key="new.data").options == [
        *(name for name, task in BUNDLED.items() if task == "classification"),
        OWN,
    ]
    app.multiselect(key="new.victims").set_value(["counter"]).run()
    assert app.selectbox(key="new.data").options == [OWN]
    app.text_input(key="new.name").set_value("counts")
    app.multiselect(key="new.words").set_value(["toy"])
    app.multiselect(key="new.searches").set_value(["ls", "greedy"])
    app.number_input(key="new.share").set_value(50)
    app.file_uploader(key="new.file").upload("rows.csv", ROWS.encode(), "text/csv").run()
    for key, column in {"text": "said", "label": "count", "unit": "unit"}.items():
        app.selectbox(key=f"new.{key}").set_value(column)
    checked(app.run())
    checked(app.button(key="new.go").click().run())
    assert ended("counts").error == ""
    results = experiments.read(experiments.found()["counts"])
    assert results.plan.goals == ("miscount",)
    assert {attack.status for attack in results.attacks} == {"success"}
    app = page("results", experiment="counts")
    assert "The right number" in [getattr(pills, "label", "") for pills in app.get("button_group")]
    app.button(key="results.study").click().run()
    taken: Intake = app.session_state["wizard.brought"]
    assert taken.question == Counting().question
    monkeypatch.setenv("SWAPSCOPE_DATABASE", f"sqlite:///{folder / 'studies.sqlite'}")
    monkeypatch.setenv("SWAPSCOPE_PASSPHRASE", WORD)
    app = entered()
    app.session_state["wizard.brought"] = taken
    checked(app.run())
    assert app.text_input(key="wizard.labels").value == "yes, no"
    asked = app.text_input(key="wizard.wording.label_question").value
    assert asked == "Does it have so many kind words?"
    app.text_input(key="wizard.name").input("Counts")
    app.number_input(key="wizard.raters").set_value(9).run()
    press(app, "Create the study")
    assert not app.error
    database = Database()
    (study,) = monitoring.studies(database)
    token = tokens(database, study.id)[0]
    start(database, token)
    data = shown(opened(token))
    database.close()
    assert data["context"].startswith("kind words\nThe right number: ")
    label, _ = data["questions"]
    assert (label["text"], label["options"]) == (asked, ["yes", "no"])
