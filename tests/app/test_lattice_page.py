"""The lattice page: a visitor's own attack, through its data and through Streamlit's harness."""

import pytest
from streamlit.testing.v1 import AppTest

from app.play import Play, lattice_data
from core import SearchSpace, untargeted
from core.substitutions import toy as toy_words
from core.victims import toy

SMALL = "I love this movie"


def play() -> Play:
    space = SearchSpace.from_text(SMALL, toy_words.load())
    return Play(space, untargeted(toy.load(), space, "positive"))


def page(text: str = SMALL) -> AppTest:
    app = AppTest.from_file("../../pages/lattice.py", default_timeout=30).run()
    app.text_area(key="text").input(text).run()
    assert not app.exception
    return app


def pick(app: AppTest, state: list[int], turn: int) -> AppTest:
    app.session_state["lattice"] = {"picked": {"id": "", "turn": turn, "state": state}}
    app.session_state["play"].turn = turn
    app.session_state["play"].go(state)
    return app.run()


def test_moves_are_counted_and_can_be_undone() -> None:
    mine = play()
    mine.go((0, 2, 0, 0))
    mine.go((0, 2, 0, 2))
    assert (mine.objective.queries, mine.current.success) == (3, True)
    mine.undo()
    assert (mine.state, mine.objective.queries) == ((0, 2, 0, 0), 3)
    mine.redo()
    mine.redo()
    assert mine.state == (0, 2, 0, 2)
    mine.undo()
    mine.go((0, 1, 0, 0))
    mine.redo()
    assert mine.state == (0, 1, 0, 0)
    assert [step.kind for step in mine.steps] == ["start", "insert", "insert", "exchange"]


@pytest.mark.parametrize("state", [(9, 0, 0, 0), (0, 0, 0), (0, -1, 0, 0), (0, 0, 0, 0)])
def test_a_state_that_does_not_fit_is_ignored(state: tuple[int, ...]) -> None:
    mine = play()
    mine.go(state)
    assert mine.history == [(0, 0, 0, 0)]


def test_a_scan_scores_every_substitute_once() -> None:
    mine = play()
    assert not mine.scanned
    assert list(mine.scan())[-1] == 1.0
    assert mine.scanned
    assert mine.objective.queries == 1 + mine.space.elements
    data = lattice_data(mine, ("negative", "positive"))
    gains = data["columns"][1]["gains"]
    scores, _ = mine.score([(0, 0, 0, 0), (0, 2, 0, 0)])
    assert gains[2] == pytest.approx(scores[1] - scores[0])
    assert data["range"] == pytest.approx(max(gains[1:]))
    assert sum(data["columns"][1]["shifts"][1]) == pytest.approx(0.0)


def test_the_lattice_gets_words_reasons_and_notes() -> None:
    data = lattice_data(play(), ("negative", "positive"))
    assert [column["choices"][0] for column in data["columns"]] == SMALL.split()
    assert data["columns"][1]["reasons"][1] == "listed in the toy table"
    assert data["columns"][0]["note"] == "not in the toy table"
    assert "gains" not in data["columns"][1]


def test_the_page_follows_a_pick_and_an_undo() -> None:
    app = pick(page(), [0, 2, 0, 0], 1)
    assert "1 of 4 words changed (25%, limit 25%) · 2 queries" in app.caption[-2].value
    app.button(key="undo").click().run()
    assert "0 of 4 words changed" in app.caption[-2].value


def test_success_and_too_many_words_are_told_apart() -> None:
    app = pick(page(), [0, 2, 0, 2], 1)
    assert "more words than the limit" in app.warning[0].value
    app.selectbox(key="limit").select("50 %").run()
    assert "You did it" in app.success[0].value


def test_scan_and_compare() -> None:
    app = page()
    app.button(key="scan").click().run()
    assert app.button(key="scan").disabled
    app.button(key="compare").click().run()
    assert app.dataframe[0].value.loc["local search", "queries"] == 7
    assert app.dataframe[0].value.loc["you", "words changed"] == 0


def test_a_new_sentence_starts_anew() -> None:
    app = pick(page(), [0, 2, 0, 0], 1)
    app.text_area(key="text").input("a great film").run()
    assert app.session_state["play"].state == (0, 0, 0)


def test_a_targeted_goal_changes_what_counts() -> None:
    app = page()
    app.selectbox(key="target").select("positive").run()
    assert "You did it" in app.success[0].value


def test_a_pair_asks_for_its_premise() -> None:
    app = page("Some people are walking outside.")
    app.selectbox(key="victim").select("dnn-snli").run()
    assert "premise is empty" in app.error[0].value
    app.text_area(key="premise").input("Two women walk their dogs in the park.").run()
    assert not app.error
    assert len(app.session_state["play"].probabilities[(0,) * 5]) == 3


@pytest.mark.parametrize("text", ["", "…", "word " * 3_000, "a\x00b"])
def test_bad_input_is_a_sentence(text: str) -> None:
    assert len(page(text).error) == 1
