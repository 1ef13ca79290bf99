"""A visitor's own attack."""

from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app.lattice.play import Play, lattice_data, read, written
from app.shared import jobs
from app.shared.jobs import Kept
from core import trace
from core.study.attacks import from_traces
from tests.toys.held import ANN, BEN, Gate
from tests.toys.pages import harness
from tests.toys.racing import TEXT
from tests.toys.small_question import SMALL, play


def told(app: AppTest) -> str:
    return " ".join(caption.value for caption in app.caption)


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


def test_a_play_keeps_no_more_than_there_is_memory_for(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate("I love this movie")
    gate.open.set()
    mine = Play(gate.question)
    monkeypatch.setattr("app.lattice.play.VISITOR_BYTES", 30_000)
    assert not mine.has_room(1_000)
    for number in range(200):
        mine.go((0, 1 + number % 2, 0, 0))
    assert 1 < len(mine.history) < 30
    assert not mine.has_room()
    assert mine.trace().result.steps


def test_the_plays_of_all_tabs_share_the_memory_of_the_server(
    monkeypatch: pytest.MonkeyPatch, gate: Gate
) -> None:
    gate.open.set()
    mine = Play(gate.question, memory=Kept(BEN))
    for number in range(20):
        mine.go((0, number % 2, *[0] * 14))
    assert mine.has_room()
    monkeypatch.setattr(jobs, "SERVER_BYTES", mine.memory.nbytes)
    another = page("lattice")
    another.session_state["play"].memory.visitor = BEN
    pick = another.session_state["play"].go
    pick((0, 1, *[0] * 14))
    assert another.session_state["play"].cursor == 0
    assert "the memory of this server is full" in another.run().warning[0].value
    hers = Play(gate.question, memory=Kept(ANN))  # another address has its share
    hers.go((0, 1, *[0] * 14))
    assert hers.cursor == 1
    del mine
    pick((0, 1, *[0] * 14))  # a tab was closed
    assert another.session_state["play"].cursor == 1


def page(name: str, **inputs: Any) -> AppTest:
    app = harness(name)
    for key, value in {"victim": "toy", "words": "toy", "text": TEXT, **inputs}.items():
        app.session_state[key] = value
    app.run()
    assert not app.exception
    return app
