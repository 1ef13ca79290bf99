"""The lattice page: a visitor's own attack, through its data and through Streamlit's harness."""

from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.lattice import beat
from app.lattice.play import Play, lattice_data, read, written
from app.shared import highlight, recorded, words
from app.shared.question import Question
from core import SEARCHES, SearchSpace, trace
from core.edits import Edits
from core.goals import probabilities
from core.options import Choice
from core.spec import AttackSpec
from core.study.attacks import from_traces
from core.substitutions import toy as toy_words
from core.tasks import task_of
from core.tasks.protocol import Bar, MarkedText, Shown
from core.victims import toy
from tests.toys.pages import harness

SMALL = "I love this movie"


class Small(Question):
    """The small sentence with the toy victim, made without a page."""

    victim = toy.load()


def small(max_changed: float = 0.25) -> Question:
    space = SearchSpace.from_text(SMALL, toy_words.load())
    victim = toy.load()
    spec = AttackSpec(SMALL, "toy", Choice("toy"), Choice("ls"), max_changed=max_changed)
    start = probabilities(victim, [SMALL])[0]
    return Small(spec.settled(victim), task_of(victim), space, start, plain=space)


def play(max_changed: float = 0.25) -> Play:
    return Play(small(max_changed))


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


def test_moves_are_counted_and_can_be_undone() -> None:
    mine = play()
    assert mine.queries == 1
    mine.go((0, 2, 0, 0))
    mine.go((0, 2, 0, 2))
    assert (mine.queries, mine.objective.queries, mine.current.success) == (3, 3, True)
    mine.undo()
    assert (mine.state, mine.queries) == ((0, 2, 0, 0), 3)
    mine.redo()
    mine.redo()
    assert mine.state == (0, 2, 0, 2)
    mine.undo()
    mine.go((0, 1, 0, 0))
    mine.redo()
    assert mine.state == (0, 1, 0, 0)
    assert [step.kind for step in mine.steps] == ["start", "insert", "insert", "exchange"]


def test_a_click_that_waits_for_the_victim_does_not_undo_a_later_one() -> None:
    """Streamlit runs both at once; the later one even goes back to where the earlier began."""
    mine, asked, answer = play(), Event(), Event()
    plain = mine.objective.goal.ask

    def slow(texts: Any) -> Any:
        asked.set()
        assert answer.wait(10)
        return plain(texts)

    mine.take(1, (0, 1, 0, 1))
    mine.objective.goal = replace(mine.objective.goal, ask=slow)
    threads = [
        Thread(target=mine.take, args=told) for told in [(2, (0, 2, 0, 1)), (4, (0, 1, 0, 1))]
    ]
    threads[0].start()
    assert asked.wait(10)
    threads[1].start()
    answer.set()
    for thread in threads:
        thread.join()
    mine.take(3, (0, 2, 0, 2))  # its run of the page was overtaken
    assert mine.state == (0, 1, 0, 1)
    assert [step.kind for step in mine.steps] == ["start", "insert", "exchange", "exchange"]


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
    assert mine.queries == 1 + mine.space.elements
    data = lattice_data(mine)
    gains = data["columns"][1]["gains"]
    scores = [mine.scored(state).score for state in ((0, 0, 0, 0), (0, 2, 0, 0))]
    assert gains[2] == pytest.approx(scores[1] - scores[0])
    assert data["base"] == pytest.approx(scores[0])
    assert data["range"] == pytest.approx(max(gains[1:]))
    assert sum(data["columns"][1]["shifts"][1]) == pytest.approx(0.0)


def test_the_lattice_gets_words_reasons_and_notes() -> None:
    data = lattice_data(play())
    assert [column["choices"][0] for column in data["columns"]] == SMALL.split()
    assert data["columns"][1]["reasons"][1] == "listed in the toy table"
    assert data["columns"][0]["note"] == "not in the toy table"
    assert "gains" not in data["columns"][1]


def test_an_own_attack_is_a_trace_like_any_other(tmp_path: Path) -> None:
    mine = play(max_changed=0.5)
    list(mine.scan())
    for state in ((0, 1, 0, 0), (0, 2, 0, 0), (0, 2, 0, 2)):
        mine.go(state)
    file = tmp_path / "own.json"
    file.write_text(trace.dumps(mine.trace()), encoding="utf-8")
    again = trace.load(file)
    assert again.result.status == "success"
    assert [step.kind for step in again.result.steps][-4:] == [
        "insert",
        "exchange",
        "insert",
        "end",
    ]


def test_an_own_attack_can_be_rated_in_a_study() -> None:
    mine = play(max_changed=0.5)
    mine.go((0, 2, 0, 2))
    taken = from_traces([("trace.json", mine.trace())], ["negative", "positive"])
    assert not taken.faults
    attacked, control = taken.items
    assert (attacked.label, attacked.method) == ("positive", "by hand")
    assert (control.text, attacked.text) == (SMALL, "I favor this picture")


def test_a_state_survives_an_address() -> None:
    space = play().space
    assert written((0, 2, 0, 1)) == "2.2-4.1"
    assert read(space, "2.2-4.1") == (0, 2, 0, 1)
    for wrong in ("", "x", "2.99", "9.1", "2.-1", "2.1.1", "--"):
        assert read(space, wrong) == space.origin


def test_the_recorded_attack_is_what_the_victim_really_says() -> None:
    for path in sorted(recorded.FOLDER.glob("*.json")):
        known = trace.load(path)
        fresh = recorded.record(known.space.text(known.space.origin))
        assert known.space == fresh.space, f"{path.name}: run python -m app.shared.recorded"
        assert known.result.state == fresh.result.state
        assert known.result.queries == fresh.result.queries
        scores = [step.tried.scores for step in known.result.steps]
        again = [step.tried.scores for step in fresh.result.steps]
        for one, other in zip(scores, again, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-5)


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


def test_who_wins() -> None:
    mine = play(max_changed=1.0)
    result = mine.question.attack(SEARCHES["ls"]()).run()
    assert "Local search flips the label; you do not yet" in beat.verdict(mine, result)
    mine.go((0, 2, 0, 2))
    assert beat.verdict(mine, result) == "You win: you need as many words and 5 queries fewer."
    list(mine.scan())
    mine.go((0, 2, 0, 1))
    mine.go((0, 2, 0, 2))
    assert beat.verdict(mine, result) == "A draw: as many words and as many queries."
    mine.go((0, 1, 0, 1))
    mine.go((0, 2, 0, 2))
    assert beat.verdict(mine, result).startswith(
        "Local search wins: you need as many words and 1 q"
    )


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


def test_numbers_and_sets_in_words() -> None:
    assert words.large(999) == "999"
    assert words.large(46_656) == "about 46.7 thousand"
    assert words.large(3_200_000_000) == "about 3.2 billion"
    assert words.large(10**40) == "about 10 to the power of 40"
    space = SearchSpace.from_choices([["a", "b"], ["c"], ["d", "e", "f"]])
    assert words.product(space) == "2 · 3 = 6"
    assert words.product(SearchSpace.from_choices([["a", "b"]] * 60)).endswith(
        "2 · … = about 1.15 quintillion"
    )
    assert words.chosen(space, (1, 0, 2)) == "{1_b, 3_f}"
    assert words.chosen(space, (0, 0, 0)) == "∅"


def test_highlighting_escapes_every_piece() -> None:
    space = SearchSpace((("<a>", '"b"'), ("c",)), ("<i>", "&", "</i>"))
    html = highlight.changed_words(space, (1, 0))
    assert "&lt;i&gt;" in html
    assert 'title="was: &lt;a&gt;"' in html
    assert ">&quot;b&quot;</mark>&amp;c&lt;/i&gt;" in html
    bars = highlight.prediction(Shown((Bar("<b>", 0.25, 1.0),)))
    assert "&lt;b&gt;" in bars
    assert "25.0%" in bars
    text = highlight.prediction(Shown(texts=(MarkedText("<t>", "a <b> c", ((2, 5),)),)))
    assert "&lt;t&gt;" in text
    assert "a <mark" in text
    assert ">&lt;b&gt;</mark> c</p>" in text


def test_a_bar_is_as_wide_as_its_share_of_the_largest() -> None:
    bars = highlight.prediction(Shown((Bar("words", 5, 2, largest=5, unit="words"),)))
    assert "width:100.0%" in bars
    assert "width:40.0%" in bars
    assert ">5 words<" in bars
    assert ">2 words<" in bars
