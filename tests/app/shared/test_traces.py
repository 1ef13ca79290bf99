"""Traces that the server keeps for whoever asks next."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from app.shared import jobs, traces
from app.shared.jobs import Job, Jobs
from app.shared.traces import Store
from core import SEARCHES, Attack, SearchSpace
from core.attack import Trace
from core.goals import function_goal
from core.objective import Goal
from core.substitutions import toy as toy_words
from tests.toys.held import ANN, BEN, Gate, one_turn
from tests.toys.pages import harness
from tests.toys.racing import TEXT, until


def test_a_trace_that_two_wait_for_outlives_the_tab_of_its_runner(gate: Gate) -> None:
    ann, ben = Jobs[Job](ANN), Jobs[Job](BEN)
    first = ann.begin("mine", gate.make())
    assert gate.asked.wait(30)
    second = ben.begin("theirs", gate.make())
    assert second is first
    ann.close()
    gate.open.set()
    second.wait(30)
    assert second.result == gate.alone()
    assert gate.answers == gate.alone().queries  # nothing was asked twice
    until(lambda: traces.known(gate.question, "ls", 0, 500))


def test_a_trace_that_waits_for_its_turn_outlives_the_tab_of_its_runner(
    monkeypatch: pytest.MonkeyPatch, gate: Gate
) -> None:
    taken = one_turn(monkeypatch, before=0)
    ann, ben = Jobs[Job](ANN), Jobs[Job](BEN)
    ann.begin("mine", gate.make())
    job = ben.begin("theirs", gate.make())
    ann.close()
    gate.open.set()
    jobs.ATTACKS.give_back(taken)
    job.wait(30)
    assert job.result == gate.alone()


def result_of(number: int, space: SearchSpace) -> Trace:
    goal = function_goal(lambda state: float(sum(map(bool, state))))
    return Trace(space, Attack(space, goal, SEARCHES["pso"](), 500, number).run())


def test_traces_are_kept_by_their_bytes_and_the_one_not_asked_for_goes_first() -> None:
    shared = SearchSpace.from_text(TEXT, toy_words.load())
    made = [result_of(0, shared) for _ in range(3)]
    store = Store(most=int(2.5 * made[0].nbytes) + shared.nbytes)
    for number in (0, 1):
        store.put(number, made[number])
    assert store.nbytes == made[0].nbytes + made[1].nbytes + shared.nbytes
    assert store.get(0) is made[0]
    store.put(2, made[2])
    assert [store.get(number) is made[number] for number in range(3)] == [True, False, True]
    store.put(0, made[0])  # once more
    assert store.nbytes == made[0].nbytes + made[2].nbytes + shared.nbytes
    other = SearchSpace.from_text(f"{TEXT} Fine.", toy_words.load())
    store.put(3, result_of(3, other))
    assert store.nbytes <= store.most
    store.put("huge", Trace(other, replace(made[0].result, steps=made[0].result.steps * 50)))
    assert (store.get("huge"), store.nbytes) == (None, 0)


def links(**address: str) -> AppTest:
    app = harness("step")
    for key, value in {"victim": "toy", "words": "toy", "text": TEXT, **address}.items():
        app.query_params[key] = value
    return app.run()


def test_settings_of_a_link_are_bounded_together() -> None:
    app = links(search="pso", search_option="population=10000", text=" ".join([TEXT] * 10))
    assert app.error[0].value == (
        "population is too large for a text of 160 words\\: 6,250 at most on this page."
    )
    app = harness("step")
    app.query_params["search"] = "pso"
    app.query_params["search_option"] = ["population=1000", "iterations=1000"]
    app.run()
    assert "population times iterations is too large for a text of" in app.error[0].value


def test_a_goal_is_made_once_a_question(gate: Gate) -> None:
    assert isinstance(gate.question.goal, Goal)
    assert gate.question.scoring_key == Gate().question.scoring_key
    assert gate.question.scoring_key != Gate(f"{TEXT} Fine.").question.scoring_key
    assert (
        len(str(gate.question.scoring_key)) < 100
    )  # keys are kept, and must not keep the sentence
