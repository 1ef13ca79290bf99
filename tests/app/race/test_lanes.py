"""Which runs of a race are wanted, and how far they are."""

import time
from dataclasses import replace
from typing import Any

import pytest

from app.race import lanes as race
from app.race import standings
from app.race.lanes import Lane
from app.shared import jobs, traces
from app.shared.jobs import Job, Jobs
from app.shared.turns import ABSENCE, TurnLimits, Turns
from app.shared.visitor import Visitor
from core.attack import Trace
from core.objective import Goal
from tests.toys.held import ANN, BEN, Gate
from tests.toys.racing import SEARCHES_RACED, TEXT, asked, finished, toy_attack, until
from tests.toys.turns import PLENTY, Clock


@pytest.mark.usefixtures("fresh")
def test_a_race_ends_with_the_results_of_its_attacks() -> None:
    lanes = finished(asked())
    assert [len(lane.runs) for lane in lanes] == [1, 4, 4]
    for lane in lanes:
        for run in lane.runs:
            expected = toy_attack(lane.search, run.seed, budget=500).run()
            assert run.result == expected
            assert (run.steps, run.status) == (expected.steps, expected.status)


@pytest.mark.usefixtures("fresh")
def test_what_has_ended_is_taken_from_the_store() -> None:
    finished(asked())
    jobs = Jobs[Job]()
    lanes = race.watch(jobs, asked(), list(SEARCHES_RACED), 4, 500)
    assert not any(lane.busy for lane in lanes)
    assert jobs.keep({}) == {}


@pytest.mark.usefixtures("fresh")
def test_a_cancelled_search_keeps_what_it_found_and_can_run_again() -> None:
    question, jobs = asked(), Jobs[Job]()
    question.__dict__["goal"] = slow(question.goal)
    race.watch(jobs, question, ["pso", "ga"], 3, 500)
    race.cancel(jobs, question, "pso", 3, 500)
    lanes: list[Lane] = []

    def settled() -> bool:
        lanes[:] = race.watch(jobs, question, ["pso", "ga"], 3, 500)
        return not lanes[0].busy

    until(settled)
    assert [run.status for run in lanes[0].runs] == ["cancelled"] * 3
    assert lanes[0].first.steps
    assert "cancelled" in standings.progress_text(lanes[0])
    assert not any(run.status == "cancelled" for run in lanes[1].runs)
    assert traces.known(question, "pso", 0, 500) is None
    race.again(jobs, question, "pso", 3, 500)
    lanes = race.watch(jobs, question, ["pso", "ga"], 3, 500)
    assert lanes[0].busy
    jobs.cancel()


def slow(goal: Goal) -> Goal:
    def ask(inputs: Any) -> Any:
        time.sleep(0.02)
        return goal.ask(inputs)

    return Goal(goal.prepare, ask, goal.judge, goal.verify)


@pytest.mark.usefixtures("fresh")
def test_the_first_seed_goes_ahead_of_the_others() -> None:
    question, jobs = asked(), Jobs[Job]()
    question.__dict__["goal"] = slow(question.goal)
    race.watch(jobs, question, ["pso", "ga"], 3, 500)
    lanes = race.watch(jobs, question, ["pso", "ga"], 3, 500)
    assert [run.status for run in lanes[0].runs] == ["running", "waiting", "waiting"]
    assert 0 <= standings.share(lanes[0], 500) < 0.5
    assert "0 of 3 seeds done" in standings.progress_text(lanes[0])
    assert standings.headline(lanes) == "The searches are running …"
    jobs.cancel()


def test_who_cancels_a_shared_run_keeps_what_it_had_found(gate: Gate) -> None:
    question = gate.question
    ann, ben = Jobs[Job](ANN), Jobs[Job](BEN)
    race.watch(ann, question, ["ls", "pso"], 1, 500)
    until(lambda: race.watch(ben, question, ["ls", "pso"], 1, 500)[1].first.steps)
    race.cancel(ann, question, "pso", 1, 500)
    (_, mine), (_, theirs) = (
        race.watch(page, question, ["ls", "pso"], 1, 500) for page in (ann, ben)
    )
    assert (mine.first.status, theirs.first.status) == ("cancelled", "running")
    assert [step.kind for step in mine.first.steps] == ["start"]
    gate.open.set()
    until(lambda: not any(lane.busy for lane in race.watch(ben, question, ["ls", "pso"], 1, 500)))
    _, theirs = race.watch(ben, question, ["ls", "pso"], 1, 500)
    assert theirs.first.result == gate.alone("pso")


def test_thirty_visitors_get_the_results_of_one_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six sentences, one address, few turns; each race has four runs."""
    monkeypatch.setattr(
        jobs,
        "ATTACKS",
        Turns(TurnLimits(server=8, address=6, visitor=3, waiting=300, waiting_of_visitor=9)),
    )
    texts = [f"{TEXT} {'Great fun. ' * number}" for number in range(6)]
    gates = [Gate(text) for text in texts]
    for one in gates:
        one.open.set()
    visitors = [Jobs[Job](Visitor("10.0.0.9", f"{number}")) for number in range(30)]

    def lanes(number: int) -> list[race.Lane]:
        return race.watch(visitors[number], gates[number % 6].question, ["ls", "pso"], 3, 200)

    def over() -> bool:
        return not any(lane.busy for number in range(30) for lane in lanes(number))

    until(over)
    for number, one in enumerate(gates):
        for lane in lanes(number):
            for run in lane.runs:
                assert run.result == one.alone(lane.search, run.seed, 200)
        for other in range(number, 30, 6):
            assert [lane.runs[0].result for lane in lanes(other)] == [
                lane.runs[0].result for lane in lanes(number)
            ]


def test_a_race_goes_on_by_itself_and_shows_nothing_as_cancelled(gate: Gate, clock: Clock) -> None:
    page = Jobs[Job](ANN)

    def statuses() -> list[str]:
        lanes = race.watch(page, gate.question, ["ls", "pso"], 3, 500)
        return [run.status for lane in lanes for run in lane.runs]

    statuses()
    assert gate.asked.wait(30)
    clock.now += ABSENCE + 1
    gate.open.set()
    until(lambda: not any(job.running for job in page.jobs))
    assert "cancelled" not in statuses()
    until(lambda: set(statuses()) <= {"success", "over_limit", "failed"})


def test_a_run_that_would_keep_too_much_is_stopped_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, gate: Gate
) -> None:
    gate.open.set()
    sizes = [Trace(gate.question.space, gate.alone("pso", n)).nbytes for n in range(6)]
    monkeypatch.setattr(jobs, "VISITOR_BYTES", int(3.5 * max(sizes)))
    monkeypatch.setattr(jobs, "PORTION", 1_000)
    monkeypatch.setattr(jobs, "ATTACKS", Turns(replace(PLENTY, visitor=1)))
    page = Jobs[Job](ANN)
    lanes: list[race.Lane] = []

    def over() -> bool:
        lanes[:] = race.watch(page, gate.question, ["pso", "random"], 6, 500)
        return not any(lane.busy for lane in lanes)

    until(over)
    runs = [run for lane in lanes for run in lane.runs]
    stopped = [run for run in runs if run.error]
    assert 0 < len(stopped) < len(runs)
    assert stopped[0].error.startswith("This run was stopped, since your runs keep more than")
    assert "Lower the budget or the number of seeds" in stopped[0].error
    assert page.nbytes < 5 * max(sizes)
    for run in runs:
        if not run.error:
            lane = next(lane for lane in lanes if run in lane.runs)
            assert run.result == gate.alone(lane.search, run.seed)
