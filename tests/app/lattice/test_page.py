"""The lattice page in Streamlit's harness."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.lattice.play import Play
from core.edits import Edits
from tests.toys.pages import harness
from tests.toys.small_question import SMALL


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


def test_the_first_screen_is_a_recorded_attack() -> None:
    app = harness("lattice").run()
    assert not app.exception
    mine: Play = app.session_state["play"]
    assert "objective" not in vars(mine)  # nobody was asked
    assert mine.scanned
    start = mine.probabilities[mine.space.origin]
    recorded = mine.question.recorded
    assert recorded is not None
    mine.go(recorded.result.state)
    assert mine.objective.queries == 2 + mine.space.elements
    np.testing.assert_allclose(mine.probabilities[mine.space.origin], start, atol=1e-5)
    assert mine.current.success


def test_the_page_follows_a_pick_and_an_undo() -> None:
    app = pick(page(), [0, 2, 0, 0])
    assert "1 of 4 words changed (25%, limit 25%) · 2 queries" in told(app)
    app.button(key="undo").click().run()
    assert "0 of 4 words changed" in told(app)


def test_success_and_too_many_words_are_told_apart() -> None:
    app = pick(page(), [0, 2, 0, 2])
    assert "flips the label, with too many words" in status(app)
    app.number_input(key="limit").set_value(50).run()
    assert "Your sentence flips the label." in status(app)


def test_scan_and_beat_the_search() -> None:
    app = page()
    app.button(key="scan").click().run()
    assert app.button(key="scan").disabled
    app.button(key="compare").click().run()
    you, search = app.dataframe[0].value.to_dict("records")
    assert search["queries"] == 7
    assert you["words changed"] == 0
    assert any("you do not yet" in text.value for text in app.markdown)


def test_a_new_sentence_starts_anew() -> None:
    app = pick(page(), [0, 2, 0, 0])
    app.text_area(key="text").input("a great film").run()
    assert app.session_state["play"].state == (0, 0, 0)


def test_a_targeted_goal_changes_what_counts() -> None:
    app = page()
    app.selectbox(key="target").select("positive").run()
    assert "Your sentence flips the label." in status(app)


def test_a_true_label_of_ones_own() -> None:
    app = page()
    app.selectbox(key="reference").select("negative").run()
    assert "Your sentence flips the label." in status(app)


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
