"""CSV files of every page: no spreadsheet runs a text in them, unless raw cells are asked for."""

import csv
from collections.abc import Callable
from time import sleep
from typing import Any

import pytest
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest

from tests.toys.pages import harness, labels, press

TEXT = "=I love this movie"
ASKED = {"text": TEXT, "victim": "toy", "words": "toy"}
UNDER_WAY = {"Cancel", "Stop", "Stop the search"}


def over(app: AppTest) -> None:
    """Let what the page computes come to its end."""
    for _ in range(600):
        if not UNDER_WAY & set(labels(app)):
            return
        sleep(0.1)
        app.run()
    pytest.fail("it does not end")


@pytest.mark.parametrize(
    ("page", "file", "switch", "question"),
    [
        ("race", "race.csv", "race.raw", {"seeds": "2", "budget": "300"}),
        ("step", "steps.csv", "step.raw", {}),
        ("theory", "sentences.csv", "sentences.raw", {"part": "Landscape"}),
    ],
)
def test_a_text_is_a_formula_only_in_raw_cells(
    page: str,
    file: str,
    switch: str,
    question: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files: dict[str, Callable[[], str]] = {}

    def offer(_: DeltaGenerator, label: str, data: Any, name: str, *args: Any, **more: Any) -> None:
        files[name] = data

    monkeypatch.setattr(DeltaGenerator, "download_button", offer)
    app = harness(page)
    for key, value in {**ASKED, **question}.items():
        app.query_params[key] = value
    over(app.run())
    for name in labels(app):
        if name.startswith("Enumerate"):
            press(app, name)
            over(app)

    def starts() -> set[str]:
        """How the texts in the file begin."""
        return {row["text"][:2] for row in csv.DictReader(files[file]().splitlines())}

    assert starts() == {"'="}
    app.toggle(key=switch).set_value(True).run()
    assert starts() == {"=I"}
