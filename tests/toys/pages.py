"""Pages in Streamlit's own test harness, and what visitors press and fill in there."""

import time
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app.results import experiments
from tests.toys.places import ROOT


def harness(page: str) -> AppTest:
    """A page of its own, which has not run yet."""
    return AppTest.from_file(ROOT / "pages" / f"{page}.py", default_timeout=60)


def press(app: AppTest, name: str) -> None:
    (button,) = [button for button in app.button if button.label == name]
    button.click().run()
    assert not app.exception


def labels(app: AppTest) -> list[str]:
    return [button.label for button in app.button]


def ended(name: str) -> experiments.ExperimentRun:
    run = experiments.run_of(experiments.folder() / f"{name}{experiments.ENDING}")
    assert run is not None
    for _ in range(6_000):
        if not run.running:
            return run
        time.sleep(0.01)
    pytest.fail("the experiment does not end")


def fill(app: AppTest, **values: Any) -> AppTest:
    app.text_input(key="new.name").set_value(values.get("name", "mine"))
    app.selectbox(key="new.data").set_value("sentiment")
    for key, chosen in {"victims": ["toy"], "words": ["toy"], "searches": ["ls", "pso"]}.items():
        app.multiselect(key=f"new.{key}").set_value(values.get(key, chosen))
    app.number_input(key="new.rows").set_value(12)
    app.number_input(key="new.seeds").set_value(2)
    return app.run()
