"""A mistake of the victim is no start of an attack."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from streamlit.testing.v1 import AppTest

from app.shared import doubts, loaders
from core import VICTIMS
from core.registry import Entry
from tests.toys.pages import harness

LABELS = ("negative", "positive")
SARCASM = "Oh great, another delayed flight."


@dataclass(frozen=True)
class Sure:
    """Says positive with the same probability for every text."""

    positive: float
    labels: tuple[str, ...] = LABELS

    def predict(self, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.array([[1 - self.positive, self.positive]] * len(texts))


def entry(positive: float, accuracy: float, task: str = "moods") -> Entry[Sure]:
    held_out = {"accuracy": accuracy, "rows": 9, "calibration_error": 0.1}
    card = {"task": task, "labels": list(LABELS), "held_out": held_out}
    return Entry(lambda: Sure(positive), "Says the same.", card)


@pytest.fixture
def victims(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name, made in {
        "asked": entry(0.9, 0.7),
        "worse": entry(0.9, 0.8),
        "better": entry(0.1, 0.9),
        "elsewhere": entry(0.1, 0.99, "topics"),
    }.items():
        monkeypatch.setitem(VICTIMS, name, made)
    doubts._opinion.clear()
    loaders._victim.clear()
    return monkeypatch


def page(text: str = SARCASM, name: str = "lattice") -> AppTest:
    app = harness(name)
    for key, value in {"victim": "asked", "words": "toy", "text": text}.items():
        app.session_state[key] = value
    return app.run()


def said(app: AppTest) -> str:
    assert not app.exception
    return " ".join(one.value for one in app.markdown)


def test_the_second_opinion_is_the_most_accurate_one_of_the_same_task(
    victims: pytest.MonkeyPatch,
) -> None:
    assert doubts.second_victim("asked") == "better"
    assert doubts.second_victim("better") == "worse"
    assert doubts.second_victim("elsewhere") == ""
    assert doubts.accuracy("toy") is None


@pytest.mark.parametrize("name", ["lattice", "step", "race", "theory"])
def test_where_another_victim_disagrees_the_page_asks(
    victims: pytest.MonkeyPatch, name: str
) -> None:
    app = page(name=name)
    assert "Which label is right?" in said(app)
    assert "better says negative (90%); asked says positive (90%)." in said(app)
    assert {one.key for one in app.get("bidi_component")} <= {"tour"}  # no lattice, no race


def test_a_victim_that_is_unsure_is_asked_about(victims: pytest.MonkeyPatch) -> None:
    victims.setitem(VICTIMS, "asked", entry(0.55, 0.7))
    victims.setitem(VICTIMS, "better", entry(0.9, 0.9))
    assert "The victim says positive, but is only 55% sure." in said(page())


def test_where_nobody_doubts_nothing_is_asked(victims: pytest.MonkeyPatch) -> None:
    victims.setitem(VICTIMS, "better", entry(0.8, 0.9))
    app = page()
    assert "Which label is right?" not in said(app)
    assert "reference" not in app.query_params


def test_the_answer_holds_for_its_sentence_only(victims: pytest.MonkeyPatch) -> None:
    app = page()
    app.button(key="right.negative").click().run()
    assert "Which label is right?" not in said(app)
    assert app.selectbox(key="reference").value == "negative"
    assert app.query_params["reference"] in ("negative", ["negative"])
    app.text_area(key="text").set_value("What a lovely day.").run()
    assert "Which label is right?" in said(app)
    assert "reference" not in app.query_params
