"""The lattice page in Streamlit's harness."""

from dataclasses import replace
from time import sleep

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.lattice.play import Play
from app.shared import loaders, recorded
from app.shared.question import UNSAID
from app.shared.recorded import Example
from core.edits import Edits
from core.endings import TOO_MANY
from core.ladder import VERDICTS
from core.spec import AttackSpec
from tests.toys.pages import harness
from tests.toys.small_question import SMALL

SOME = [list(recorded.examples().values())[at] for at in (1, 8, 10, 12, 13)]  # of each kind


def page(text: str = SMALL) -> AppTest:
    app = harness("lattice")
    app.query_params["victim"], app.query_params["words"] = "toy", "toy"
    app.query_params["text"] = text
    app.run()
    assert not app.exception
    return app


def told(app: AppTest) -> str:
    return " ".join(caption.value for caption in app.caption)


def status(app: AppTest) -> str:
    return " ".join(text.value for text in app.markdown)


def pick(app: AppTest, state: list[int]) -> AppTest:
    app.session_state["play"].go(state)
    return app.run()


def test_the_first_screen_shows_a_recorded_attack(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(*parts: object) -> None:
        raise AssertionError("no model may be loaded")

    monkeypatch.setattr(loaders, "victim", load)
    monkeypatch.setattr(loaders, "substitution", load)
    app = harness("lattice").run()
    assert not app.exception
    mine: Play = app.session_state["play"]
    assert "objective" not in vars(mine)  # nobody was asked
    assert mine.current.success
    asked = f"{mine.found_here.queries} questions to the model" if mine.found_here else ""
    assert f"1 of 16 words changed (6%, limit 25%), {asked}" in status(app)
    assert "flawless → faultless (harmless" in told(app)
    assert VERDICTS[1] in status(app)
    assert not app.query_params  # the address stays plain
    app.button(key="undo").click().run()
    assert mine.state == mine.space.origin
    assert app.query_params["s"] == "original"  # a link to the sentence without its attack


def test_what_the_recording_says_is_what_the_victim_says() -> None:
    app = harness("lattice").run()
    mine: Play = app.session_state["play"]
    shown = dict(mine.probabilities)
    assert mine.objective.queries == len(shown) == 1 + mine.space.elements
    for state, probabilities in shown.items():
        np.testing.assert_allclose(mine.probabilities[state], probabilities, atol=1e-5)


@pytest.mark.parametrize("example", SOME, ids=lambda one: one.title)
def test_every_example_opens_with_its_attack(example: Example) -> None:
    app = harness("lattice").run()
    app.selectbox(key="example").select(example.title).run()
    assert not app.exception
    mine: Play = app.session_state["play"]
    assert "objective" not in vars(mine)
    assert mine.found_here
    assert mine.space.text(mine.space.origin) == example.text
    said = {
        name: [values] if isinstance(values, str) else values
        for name, values in app.query_params.items()
    }
    linked = AttackSpec.of_address(said, UNSAID)
    assert replace(linked, search=example.spec.search) == example.spec


def test_another_kind_of_model_brings_a_sentence_of_its_kind() -> None:
    app = harness("lattice").run()
    app.selectbox(key="victim").select("infersent-snli").run()
    assert not app.exception
    assert not app.error
    assert app.text_area(key="premise").value
    app.text_area(key="text").input("A man is outdoors.").run()
    app.selectbox(key="victim").select("charcnn-ag").run()
    assert app.text_area(key="text").value == "A man is outdoors."  # one's own sentence stays


def test_the_page_follows_a_pick_and_an_undo() -> None:
    app = pick(page(), [0, 2, 0, 0])
    assert "1 of 4 words changed (25%, limit 25%) · 2 queries" in told(app)
    app.button(key="undo").click().run()
    assert "0 of 4 words changed" in told(app)


def test_success_and_too_many_words_are_told_apart() -> None:
    app = pick(page(), [0, 2, 0, 2])
    assert TOO_MANY in status(app)
    app.number_input(key="limit").set_value(50).run()
    assert "Your sentence flips the label." in status(app)


def test_scan_and_beat_the_search() -> None:
    app = page()
    app.button(key="scan").click().run()
    assert app.button(key="scan").disabled
    app.button(key="compare").click().run()
    assert not app.button(key="scan").disabled  # what was scanned before is no help
    assert len(app.dataframe) == 1  # the search's own result is not told
    app.button(key="give_up").click().run()
    for _ in range(100):
        you, search, *certain = app.dataframe[0].value.to_dict("records")
        if certain:
            break
        sleep(0.2)  # the proof is not over yet
        app.run()
    assert certain[0]["who"] == "proved: nobody can"
    assert search["queries"] == 7
    assert you["words changed"] == 0
    assert any("Nobody wins yet" in text.value for text in app.markdown)


def test_a_typed_sentence_is_attacked() -> None:
    app = pick(page(), [0, 2, 0, 0])
    app.text_area(key="text").input("a great film").run()
    mine: Play = app.session_state["play"]
    assert mine.found_here
    assert "Local search" in status(app)
    app.button(key="reset").click().run()
    assert mine.state == (0, 0, 0)
    app.button(key="attack").click().run()
    assert mine.found_here


def test_a_targeted_goal_changes_what_counts() -> None:
    app = page()
    app.selectbox(key="target").select("positive").run()
    assert "nothing to attack: the original reaches the goal" in status(app)


def test_a_true_label_of_ones_own() -> None:
    app = page()
    app.selectbox(key="reference").select("negative").run()
    assert "nothing to attack: the original reaches the goal" in status(app)


def test_editing_the_space() -> None:
    app = page()
    app.selectbox(key="add.where").select("3 this")
    app.text_input(key="add.word").input("that")
    app.button(key="add.send").click().run()
    assert app.session_state["play"].space.choices[2] == ("this", "that")
    app.session_state["edits"] = Edits((1,), (), ((2, "that"),))
    app.run()
    assert app.session_state["play"].space.choices[1] == ("love",)
    assert "love (word 2)" in told(app)
    app.button(key="unedit").click().run()
    assert len(app.session_state["play"].space.choices[1]) == 3


def test_a_word_that_is_there_already_is_refused() -> None:
    app = page()
    app.selectbox(key="add.where").select("2 love")
    app.text_input(key="add.word").input("like")
    app.button(key="add.send").click().run()
    assert "already a choice" in app.error[0].value


def test_a_pair_asks_for_its_premise() -> None:
    app = page("Some people are walking outside.")
    app.selectbox(key="victim").select("dnn-snli").run()
    assert "premise is empty" in app.error[0].value
    app.text_area(key="premise").input("Two women walk their dogs in the park.").run()
    assert not app.error
    assert len(app.session_state["play"].probabilities[(0,) * 5]) == 3


@pytest.mark.parametrize("text", ["", "…", "word " * 3_000, "a\x00b"])
def test_bad_input_is_a_sentence(text: str) -> None:
    app = page()
    app.text_area(key="text").input(text).run()
    assert len(app.error) == 1
