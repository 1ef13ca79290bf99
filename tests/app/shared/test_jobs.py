"""Work of several visitors: turns, sharing, memory, and what nobody looks at any more."""

import threading
from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from app.shared import jobs, traces
from app.shared.jobs import Computation, Job, Jobs
from app.shared.turns import ABSENCE, Turns
from app.shared.visitor import Visitor
from core import Attack, InputError, theory
from core.attack import Trace
from core.objective import Floats, Goal
from tests.toys.held import ANN, BEN, ONE, Gate, one_turn
from tests.toys.racing import toy_attack, until
from tests.toys.turns import ME, Clock

Work = Computation[int, str]


def steps() -> Generator[int, None, str]:
    yield 1
    return "done"


def test_work_waits_for_its_turn_and_begins_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = one_turn(monkeypatch, before=0)
    task = Computation(steps())
    task.start()
    assert (task.running, task.waiting, task.before, task.steps) == (True, True, 0, ())
    jobs.ATTACKS.give_back(taken)
    task.wait(30)
    assert (task.running, task.waiting, task.result) == (False, False, "done")
    after = Computation(steps())
    after.start()  # the turn was given back
    after.wait(30)
    assert after.result == "done"


@pytest.mark.parametrize("error", [InputError("No."), RuntimeError("broken")])
def test_a_turn_is_given_back_whatever_happens(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def broken() -> Generator[int, None, str]:
        yield 1
        raise error

    monkeypatch.setattr(jobs, "ATTACKS", Turns(ONE))
    for task in (Computation(broken()), Computation(steps())):
        task.start()
        task.wait(30)
    assert task.result == "done"


def test_work_that_is_cancelled_while_it_waits_never_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = one_turn(monkeypatch, before=0)
    page, other = Jobs[Work](ANN), Jobs[Work](BEN)
    mine = page.begin("a", lambda: Computation(steps()))
    theirs = other.begin("b", lambda: Computation(steps()))
    assert theirs.before == 1
    page.cancel("a")
    assert (mine.running, mine.cancelled, theirs.before) == (False, True, 0)
    jobs.ATTACKS.give_back(taken)
    theirs.wait(30)
    assert (mine.steps, theirs.result) == ((), "done")


def test_what_a_closed_tab_waited_for_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = one_turn(monkeypatch, before=0)
    page, other = Jobs[Work](ANN), Jobs[Work](BEN)
    mine = [page.begin(n, lambda: Computation(steps())) for n in range(5)]
    theirs = other.begin("b", lambda: Computation(steps()))
    page.close()
    assert theirs.before == 0
    jobs.ATTACKS.give_back(taken)
    theirs.wait(30)
    assert [task.running for task in mine] == [False] * 5


def test_too_much_at_once_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "ATTACKS", Turns(replace(ONE, waiting_of_visitor=2)))
    page, gate = Jobs[Work](ANN), threading.Event()

    def held() -> Generator[int, None, str]:
        yield 1
        assert gate.wait(30)
        return "done"

    tasks = [page.begin(number, lambda: Computation(held())) for number in range(4)]
    assert [task.error for task in tasks[:3]] == ["", "", ""]
    assert tasks[3].error.startswith("You have 2 runs waiting already.")
    assert not tasks[3].running
    gate.set()
    until(lambda: not any(task.running for task in tasks))
    again = page.begin(3, lambda: Computation(steps()))
    again.wait(30)
    assert again.result == "done"


def test_a_run_stops_when_the_last_who_wants_it_leaves(gate: Gate) -> None:
    ann, ben = Jobs[Job](ANN), Jobs[Job](BEN)
    job = ann.begin("mine", gate.make("pso"))
    ben.begin("theirs", gate.make("pso"))
    assert gate.asked.wait(30)
    ann.close()
    assert not job.cancelled
    ben.close()
    assert job.cancelled
    gate.open.set()
    until(lambda: not job.running)
    assert job.result is not None
    assert job.result.status == "cancelled"
    assert traces.known(gate.question, "pso", 0, 500) is None
    third = Jobs[Job](ME).begin("again", gate.make("pso"))
    assert third is not job
    third.wait(30)
    assert third.result == gate.alone("pso")


def test_a_page_that_is_left_gives_up_after_a_minute_and_goes_on_by_itself(
    gate: Gate, clock: Clock
) -> None:
    page = Jobs[Job](ANN)
    job = page.begin("mine", gate.make("pso"))
    assert gate.asked.wait(30)
    clock.now += ABSENCE
    assert not job.must_stop()
    clock.now += 1
    gate.open.set()
    until(lambda: not job.running)
    assert (job.cancelled, job.abandoned) == (False, True)
    assert traces.known(gate.question, "pso", 0, 500) is None
    again = page.get("mine")  # the visitor comes back
    assert again is not None
    assert again is not job
    again.wait(30)
    assert again.result == gate.alone("pso")
    assert page.get("mine") is again


def test_a_page_that_is_looked_at_goes_on_for_ever(gate: Gate, clock: Clock) -> None:
    page = Jobs[Job](ANN)
    job = page.begin("mine", gate.make("pso"))
    assert gate.asked.wait(30)
    for _ in range(10):
        clock.now += ABSENCE - 1
        page.look()
    assert not job.must_stop()
    page.cancel("mine")
    clock.now += ABSENCE + 1
    page.look()
    kept = page.get("mine")
    assert kept is not None
    assert kept.cancelled  # by the visitor, and so for good


def test_a_run_that_another_looks_at_goes_on(gate: Gate, clock: Clock) -> None:
    ann, ben = Jobs[Job](ANN), Jobs[Job](BEN)
    job = ann.begin("mine", gate.make("pso"))
    assert gate.asked.wait(30)
    clock.now += ABSENCE / 2
    assert ben.begin("theirs", gate.make("pso")) is job
    clock.now += ABSENCE / 2 + 1
    assert not job.must_stop()
    assert ann.get("mine") is job


def test_a_full_server_stops_runs_of_the_address_that_fills_it(
    monkeypatch: pytest.MonkeyPatch, gate: Gate
) -> None:
    gate.open.set()
    size = Trace(gate.question.space, gate.alone("pso")).nbytes
    monkeypatch.setattr(jobs, "PORTION", 1_000)
    monkeypatch.setattr(jobs, "SERVER_BYTES", 6 * size)
    crowd = [Jobs[Job](Visitor("10.6.6.6", f"crowd {number}")) for number in range(12)]
    ann = Jobs[Job](ANN)
    for number, page in enumerate(crowd):
        page.begin("run", gate.make("pso", number)).wait(30)
    mine = ann.begin("mine", gate.make("pso", 100))
    mine.wait(30)
    until(lambda: not any(job.running for page in crowd for job in page.jobs))
    errors = [job.error for page in crowd for job in page.jobs]
    assert sum(job.nbytes for page in crowd for job in page.jobs) < 8 * size
    assert "the memory of this server is full" in errors[-1]
    assert (mine.error, mine.result) == ("", gate.alone("pso", 100))


def test_what_is_kept_for_pages_that_nobody_looks_at_goes_first(
    monkeypatch: pytest.MonkeyPatch, gate: Gate, clock: Clock
) -> None:
    gate.open.set()
    size = Trace(gate.question.space, gate.alone("pso")).nbytes
    monkeypatch.setattr(jobs, "PORTION", 1_000)
    monkeypatch.setattr(jobs, "SERVER_BYTES", 3 * size)
    left, ann = Jobs[Job](BEN), Jobs[Job](ANN)
    for number in range(2):
        left.begin(number, gate.make("pso", number)).wait(30)
    clock.now += ABSENCE + 1
    ann.look()
    mine = [ann.begin(number, gate.make("pso", number + 10)) for number in range(2)]
    for job in mine:
        job.wait(30)
    assert [job.error for job in mine] == ["", ""]
    assert left.nbytes == 0
    monkeypatch.setattr(jobs, "SERVER_BYTES", 9 * size)
    again = left.get(1)  # which is there again when somebody looks
    assert again is not None
    again.wait(30)
    assert again.result == gate.alone("pso", 1)


def test_the_result_of_a_computation_counts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "VISITOR_BYTES", 1 << 20)
    gate = Gate("I love this movie")
    gate.open.set()
    table = np.zeros((3, 3))

    def found(size: int) -> Generator[int, None, tuple[Any, ...]]:
        yield 1
        return [np.zeros(size)], theory.outcome(gate.question.space, table[None, :, None], "ls")

    page = Jobs[Computation[int, tuple[Any, ...]]](ANN)
    for size in (10, 1 << 18):
        page.begin(size, partial(Computation, found(size))).wait(30)
    small, large = page.jobs
    assert small.error == ""
    assert 80 < small.nbytes < 100_000
    assert large.error.startswith("This run was stopped, since your runs keep more than 1 MB.")


def test_the_answers_of_a_shared_run_are_those_of_a_run_alone(gate: Gate) -> None:
    gate.open.set()
    pages = [Jobs[Job](Visitor("10.0.0.9", f"{number}")) for number in range(8)]
    start = threading.Barrier(8)
    found: list[Job] = []

    def visit(page: Jobs[Job]) -> None:
        start.wait()
        found.append(page.begin("it", gate.make("ga")))

    threads = [threading.Thread(target=visit, args=(page,)) for page in pages]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    found[0].wait(30)
    assert found[0].result == gate.alone("ga")
    assert np.array_equal(gate.answers, found[0].queries)


class HeldGoal:
    """A goal that lets a search ask once, and then holds it until it is opened."""

    def __init__(self, error: Exception | None = None) -> None:
        self.asked, self.open = threading.Event(), threading.Event()
        self.error = error

    def attack(self) -> Attack:
        attack = toy_attack("pso")
        inner = attack.goal
        first = [True]

        def ask(texts: Sequence[str]) -> Floats:
            if first and first.pop():
                return inner.ask(texts)
            self.asked.set()
            assert self.open.wait(20)
            if self.error:
                raise self.error
            return inner.ask(texts)

        goal = Goal(inner.prepare, ask, inner.judge, inner.verify)
        return Attack(attack.space, goal, attack.search)


def test_a_job_has_the_result_of_its_attack() -> None:
    ended: list[Job] = []
    job = Job(toy_attack(), ended.append)
    assert (job.steps, job.running, job.result) == ((), False, None)
    job.start()
    until(lambda: ended)
    expected = toy_attack().run()
    assert job.result == expected
    assert job.steps == expected.steps
    assert job.queries == expected.queries
    assert (job.running, job.error, ended) == (False, "", [job])


def test_a_running_job_shows_its_steps_and_stops_when_cancelled() -> None:
    gate = HeldGoal()
    job = Job(gate.attack())
    job.start()
    job.start()  # a second start does nothing
    assert gate.asked.wait(20)
    assert [step.kind for step in job.steps] == ["start"]
    assert (job.queries, job.running) == (1, True)
    job.cancel()
    gate.open.set()
    until(lambda: job.result)
    assert job.result is not None
    assert job.result.status == "cancelled"
    assert [step.kind for step in job.result.steps] == ["start", "stop", "end"]


def test_a_job_cancelled_before_its_start_never_runs() -> None:
    job = Job(toy_attack())
    job.cancel()
    job.start()
    assert (job.running, job.result) == (False, None)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (InputError("The service does not answer."), "The service does not answer."),
        (RuntimeError("broken pipe"), "The search broke off: broken pipe. Start it again"),
    ],
)
def test_an_error_becomes_a_sentence(error: Exception, message: str) -> None:
    gate = HeldGoal(error)
    job = Job(gate.attack())
    gate.open.set()
    job.start()
    until(lambda: job.error)
    assert job.error.startswith(message)
    assert not job.running


def test_a_computation_is_broken_off_between_two_steps() -> None:
    inside, gate = threading.Event(), threading.Event()

    def steps() -> Generator[int, None, str]:
        yield 1
        inside.set()
        assert gate.wait(20)
        yield 2
        yield 3
        return "done"

    task = Computation(steps())
    task.start()
    assert inside.wait(20)
    task.cancel()
    assert task.running
    gate.set()
    task.wait(20)
    assert (task.steps, task.running, task.result, task.error) == ((1, 2), False, None, "")


def test_a_job_begins_once_and_again_after_it_was_cancelled() -> None:
    def steps() -> Generator[int, None, str]:
        yield 1
        return "done"

    jobs = Jobs[Computation[int, str]]()
    first = jobs.begin("a", lambda: Computation(steps()))
    first.wait(20)
    assert first.result == "done"
    assert jobs.begin("a", lambda: Computation(steps())) is first
    assert jobs.get("a") is first
    jobs.cancel("a")
    second = jobs.begin("a", lambda: Computation(steps()))
    assert second is not first
    jobs.drop(lambda key: key == "a")
    assert jobs.get("a") is None
    assert second.cancelled


def test_jobs_that_nobody_wants_are_cancelled() -> None:
    jobs = Jobs[Job]()
    made = jobs.keep({"a": lambda: Job(toy_attack()), "b": lambda: Job(toy_attack())})
    kept = jobs.keep({"b": lambda: Job(toy_attack()), "c": lambda: Job(toy_attack())})
    assert kept["b"] is made["b"]
    assert (made["a"].cancelled, made["b"].cancelled, set(kept)) == (True, False, {"b", "c"})
    jobs.forget("b", "unknown")
    assert made["b"].cancelled
    assert jobs.keep({"b": lambda: Job(toy_attack())})["b"] is not made["b"]
    jobs.cancel()  # as when the tab is closed
    assert kept["c"].cancelled
