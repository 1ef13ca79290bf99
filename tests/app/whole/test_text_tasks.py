"""Questions and translations go through every page."""

import json
import re
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest
from streamlit.testing.v1 import AppTest

from tests.toys import text_victims
from tests.toys.pages import harness
from tests.toys.text_victims import PASSAGE, QUESTION, SOURCE, TARGET

TASKS: Final[Mapping[str, Mapping[str, Any]]] = {
    "answering": {
        **{"victim": "finder", "text": QUESTION, "passage": PASSAGE},
        **{"said": ("Bruno", "Anna"), "reached": "makes the answer wrong"},
    },
    "translation": {
        **{"victim": "dictionary", "text": SOURCE},
        **{"said": (TARGET, "le petit chien dans le vert"), "reached": "brings BLEU to 0"},
    },
}
LABELS = ("the label", "True label", "flips the", "P(")  # words that these tasks have no use for


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    text_victims.register(monkeypatch)


def page(name: str, task: str, **inputs: Any) -> AppTest:
    app = harness(name)
    asked = {key: TASKS[task].get(key) for key in ("victim", "text", "passage")}
    for key, value in {**asked, "words": "forms", "limit": 50.0, **inputs}.items():
        if value is not None:
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


@pytest.mark.parametrize("task", TASKS)
class TestTextTasks:
    def test_the_lattice_shows_answers_before_and_now(self, task: str) -> None:
        app = page("lattice", task, s="")
        said = TASKS[task]["said"]
        assert said[0] in told(app)
        app = after(checked(app.button(key="scan").click().run()), scanned)
        app = checked(app.button(key="compare").click().run())
        app = checked(app.button(key="give_up").click().run())
        app = after(app, lambda one: bool(one.dataframe[0].value.columns.tolist()[0] == "who"))
        assert (
            f"Local search {TASKS[task]['reached']}; your sentence does not reach the goal."
            in told(app)
        )
        assert not [word for word in LABELS if word in told(app)]

    def test_step_through_says_what_became_of_it(self, task: str) -> None:
        app = after(page("step", task), lambda one: bool(one.get("bidi_component")))
        assert component(app)["outcome"] == f"The attack {TASKS[task]['reached']}."
        unmarked = re.sub("<[^>]*>", "", told(app))
        assert all(answer in unmarked for answer in TASKS[task]["said"])
        assert not [word for word in LABELS if word in told(app) + str(component(app))]

    def test_a_race(self, task: str) -> None:
        app = page("race", task, race=["ls", "sgs"])
        app = after(app, lambda one: not any(button.label == "Cancel" for button in one.button))
        assert {lane["success"] for lane in component(app)["lanes"]} == {TASKS[task]["reached"]}

    def test_theory(self, task: str) -> None:
        app = page("theory", task)
        assert not [word for word in LABELS if word in told(app)]
