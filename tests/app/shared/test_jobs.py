"""Work of several visitors: turns, sharing, memory, and what nobody looks at any more."""

import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.lattice.play import Play
from app.race import lanes as race
from app.results import experiments
from app.results.experiments import ENDING
from app.shared import jobs, traces
from app.shared.jobs import Computation, Job, Jobs, Kept
from app.shared.question import Question
from app.shared.traces import Store
from app.shared.turns import ABSENCE, Turn, TurnLimits, Turns, Watcher
from app.shared.visitor import Visitor
from core import SEARCHES, Attack, AttackResult, Goal, InputError, SearchSpace, theory
from core.attack import Trace
from core.goals import function_goal, probabilities
from core.options import Choice
from core.spec import AttackSpec
from core.substitutions import toy as toy_words
from core.tasks import task_of
from core.victims import toy
from tests.toys.experiment import plan
from tests.toys.pages import harness
from tests.toys.turns import ME, PLENTY, Clock

TEXT = "A charming and often very funny film, with a smart script and a warm, honest ending."
ANN, BEN = Visitor("10.0.0.2", "ann"), Visitor("10.0.0.3", "ben")
ONE = replace(PLENTY, server=1)
Work = Computation[int, str]


def until(reached: Callable[[], object]) -> None:
    for _ in range(3_000):
        if reached():
            return
        time.sleep(0.01)
    pytest.fail("waited in vain")


class Gate:
    """A question whose victim answers once to each search, and then only when it is opened."""

    def __init__(self, text: str = TEXT) -> None:
        self.open, self.asked, self.answers = threading.Event(), threading.Event(), 0
        space, victim = SearchSpace.from_text(text, toy_words.load()), toy.load()
        start = probabilities(victim, [text])[0]
        spec = AttackSpec(text, "toy", Choice("toy"), Choice("ls")).settled(victim)
        self.question = Question(spec, task_of(victim), space, start)
        self.plain = spec.goal_on(victim, space)
        self.question.__dict__["goal"] = replace(self.plain, ask=self.ask)

    def ask(self, texts: Sequence[str]) -> Any:
        if texts != [TEXT]:
            self.asked.set()
            assert self.open.wait(30)
        self.answers += len(texts)
        return self.plain.ask(texts)

    def make(self, search: str = "ls", seed: int = 0, budget: int = 500) -> Callable[[], Job]:
        return lambda: traces.job(self.question, search, seed, budget)

    def alone(self, search: str = "ls", seed: int = 0, budget: int = 500) -> AttackResult:
        return Attack(self.question.space, self.plain, SEARCHES[search](), budget, seed).run()


@pytest.fixture
def gate() -> Iterator[Gate]:
    made = Gate()
    yield made
    made.open.set()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the turns that are given in this test."""
    made = Clock()
    monkeypatch.setattr(jobs, "ATTACKS", Turns(PLENTY, made))
    return made


def one_turn(monkeypatch: pytest.MonkeyPatch, name: str = "ATTACKS", before: int = 1) -> Turn:
    """A server with one turn, which is taken, and others who wait for it."""
    turns = Turns(ONE)
    monkeypatch.setattr(jobs, name, turns)
    taken = []
    for number in range(1 + before):
        taken.append(Turn())
        turns.join(taken[-1], Watcher(Visitor(f"10.1.1.{number}", f"other {number}")))
        turns.queue(taken[-1])
    return taken[0]


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


def memory_of(part: Any, seen: set[int]) -> int:
    """The memory of an object and of all that it refers to, each once."""
    if id(part) in seen or isinstance(part, int | float | bool | str):
        return 0
    seen.add(id(part))
    if isinstance(part, np.ndarray):
        return sys.getsizeof(part) if part.base is None else 100 + memory_of(part.base, seen)
    inner = part if isinstance(part, tuple) else vars(part).values()
    own = sys.getsizeof(part) + (0 if isinstance(part, tuple) else sys.getsizeof(vars(part)))
    return own + sum(memory_of(one, seen) for one in inner)


@pytest.mark.parametrize(("search", "words"), [("ls", 96), ("pso", 16), ("ga", 96), ("swift", 16)])
def test_a_step_knows_its_size(search: str, words: int) -> None:
    space = SearchSpace.from_text(" ".join([TEXT] * (words // 16)), toy_words.load())
    goal = function_goal(lambda state: float(sum(map(bool, state))))
    result = Attack(space, goal, SEARCHES[search](), 1_000).run()
    assert 0.7 < Trace(space, result).nbytes / memory_of(result.steps, set()) < 1.3


def test_a_space_knows_its_size() -> None:
    words = [["".join(("word", str(at), "x", str(n))) for n in range(41)] for at in range(100)]
    space = SearchSpace.from_choices(words)
    texts = sum(sys.getsizeof(word) for column in space.choices for word in column)
    assert texts < space.nbytes < 2 * texts


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


def test_a_full_server_stops_runs_of_the_address_that_fills_it(
    monkeypatch: pytest.MonkeyPatch, gate: Gate
) -> None:
    gate.open.set()
    size = Trace(gate.question.space, gate.alone("pso")).nbytes
    monkeypatch.setattr(jobs, "PORTION", 1_000)
    monkeypatch.setattr(jobs, "SERVER_BYTES", 6 * size)
    monkeypatch.setattr(jobs, "_everybody", type(jobs._everybody)())
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
    monkeypatch.setattr(jobs, "_everybody", type(jobs._everybody)())
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


def test_results_of_experiments_are_kept_by_the_bytes_of_their_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SWAPSCOPE_EXPERIMENTS", str(tmp_path))
    monkeypatch.setattr(experiments, "_known", type(experiments._known)())
    paths = []
    for name in ("a", "b", "c"):
        run = experiments.start(plan(name=name))
        run.wait(60)
        assert (run.result, len(run.steps)) == (None, 1)  # what it found is in its file
        paths.append(tmp_path / f"{name}{ENDING}")
    monkeypatch.setattr(experiments, "KNOWN_BYTES", int(2.5 * paths[0].stat().st_size))
    first = experiments.read(paths[0])
    for number in (1, 0, 2):
        assert experiments.read(paths[number]).finished
    assert experiments.read(paths[0]) is first
    assert list(experiments._known) == [paths[2], paths[0]]


def test_an_experiment_is_refused_where_too_many_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SWAPSCOPE_EXPERIMENTS", str(tmp_path))
    one_turn(monkeypatch, "EXPERIMENTS", before=0)
    jobs.EXPERIMENTS.limits = replace(ONE, waiting_of_visitor=1)
    experiments.start(plan(name="first"))
    with pytest.raises(InputError, match="You have 1 runs waiting already"):
        experiments.start(plan(name="second"))
    assert next(iter(experiments.found())) == "first"
    assert "second" not in experiments.found()


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


def test_the_lattice_says_that_it_keeps_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.lattice.play.VISITOR_BYTES", 10_000)
    app = page("lattice")
    assert app.button(key="scan").disabled
    assert "This text is too long to scan." in " ".join(part.value for part in app.caption)
    for number in range(20):
        app.session_state["play"].go((0, number % 2, *[0] * 14))
    assert app.run().warning[0].value.startswith("You have tried so many sentences")


def test_the_plays_of_all_tabs_share_the_memory_of_the_server(
    monkeypatch: pytest.MonkeyPatch, gate: Gate
) -> None:
    monkeypatch.setattr(jobs, "_everybody", type(jobs._everybody)())
    monkeypatch.setattr(jobs, "_beside", type(jobs._beside)())
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


def test_a_race_that_asks_too_much_is_refused() -> None:
    app = harness("race")
    for key, value in {"victim": "toy", "words": "toy", "seeds": "30", "budget": "100000"}.items():
        app.query_params[key] = value
    app.run()
    assert app.error[0].value == (
        "These 61 runs may ask the victim 6,100,000 times; the limit is 1,000,000. "
        "Lower the budget or the number of seeds."
    )
    assert not jobs.session_jobs("race").jobs


def page(name: str, **inputs: Any) -> AppTest:
    app = harness(name)
    for key, value in {"victim": "toy", "words": "toy", "text": TEXT, **inputs}.items():
        app.session_state[key] = value
    app.run()
    assert not app.exception
    return app


def shown(app: AppTest) -> str:
    text: str = app.get("progress")[0].proto.text
    return text


WAITING = "Waiting for a turn: 2 before you"


def test_step_says_its_place_and_starts_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = one_turn(monkeypatch, before=2)
    app = page("step", search="pso")
    assert shown(app) == WAITING
    turns = jobs.ATTACKS
    turns.give_back(taken)
    assert shown(app.run()) == "Waiting for a turn: 1 before you"
    turns.limits = PLENTY
    turns.withdraw(Turn())  # any change gives the turns that are free
    until(lambda: app.run().get("bidi_component"))
    assert not app.exception


def test_a_race_says_its_place_and_starts_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    one_turn(monkeypatch, before=2)
    app = page("race", seeds=2, budget=300)
    texts = [part.proto.text for part in app.get("progress")]
    assert len(texts) == 3
    assert texts[0] == f"Local search\\: {WAITING.replace(':', chr(92) + ':')}"
    assert all("2 before you" in text for text in texts)
    assert "#### The searches wait for their turns …" in [part.value for part in app.markdown]
    app.button(key="race.cancel.pso").click().run()
    assert "PSO\\: is cancelled" in " ".join(part.value for part in app.markdown)
    jobs.ATTACKS.limits = PLENTY
    jobs.ATTACKS.withdraw(Turn())
    until(lambda: not any(button.label == "Cancel" for button in app.run().button))
    assert [button.label for button in app.button] == [
        *("Open in Step through", "Run again", "Open in Step through")
    ]


def test_the_lattice_says_the_place_of_a_scan_and_of_local_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one_turn(monkeypatch, before=2)
    app = page("lattice")
    app.button(key="scan").click().run()
    assert shown(app) == WAITING
    assert app.get("bidi_component")  # the page can be used meanwhile
    app.button(key="compare").click().run()
    assert [part.proto.text for part in app.get("progress")] == [WAITING] * 2
    jobs.ATTACKS.limits = PLENTY
    jobs.ATTACKS.withdraw(Turn())
    until(lambda: not app.run().get("progress"))
    assert app.button(key="scan").disabled
    assert app.session_state["play"].scanned
    assert "Go on swapping" in " ".join(part.value for part in app.markdown)


def test_theory_says_its_place_and_starts_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    one_turn(monkeypatch, before=2)
    app = page("theory", part="Landscape", text="I love this movie")
    app.button(key="theory.table.go").click().run()
    assert shown(app) == WAITING
    jobs.ATTACKS.limits = PLENTY
    jobs.ATTACKS.withdraw(Turn())
    until(lambda: not app.run().get("progress"))
    assert "among 9 sentences" in " ".join(part.value for part in app.markdown)


def test_experiments_and_training_have_a_queue_of_their_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SWAPSCOPE_EXPERIMENTS", str(tmp_path))
    one_turn(monkeypatch, "EXPERIMENTS", before=2)
    experiments.start(plan(name="mine"))
    app = harness("results").run()
    assert shown(app) == WAITING
    app.button(key="harden.go").click().run()
    assert not app.exception
    assert {part.proto.text for part in app.get("progress")} == {
        WAITING,
        WAITING.replace("2", "3"),  # who came later
    }
    app.button(key="harden.stop").click().run()
    assert "nothing was kept" in app.info[0].value
    run = experiments.run_of(tmp_path / f"mine{ENDING}")
    assert run is not None
    assert run.waiting
    jobs.EXPERIMENTS.limits = PLENTY
    jobs.EXPERIMENTS.withdraw(Turn())
    until(lambda: not run.running)
    assert experiments.read(tmp_path / f"mine{ENDING}").finished
    assert not app.run().get("progress")


def test_training_goes_on_after_the_connection_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    one_turn(monkeypatch, "EXPERIMENTS", before=0)
    app = harness("results").run()
    app.button(key="harden.go").click().run()
    first = app.session_state["harden.run"]
    jobs.session_jobs("harden").close()  # as Streamlit does it
    assert first.cancelled
    assert shown(app.run()) == "Waiting for a turn: you are next"
    assert app.session_state["harden.run"] is not first
    app.button(key="harden.stop").click().run()
    assert "nothing was kept" in app.info[0].value


@pytest.mark.parametrize("other", ["lattice", "step", "race", "theory"])
def test_a_question_that_is_changed_on_any_page_cancels_the_old_ones_work(
    monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    one_turn(monkeypatch)
    page("race", seeds=2)
    page("step", search="pso")
    app = page("theory", part="Landscape", text=TEXT)
    app.button(key="theory.table.go").click().run()
    app = page("lattice")
    app.button(key="scan").click().run()
    app.button(key="compare").click().run()
    purposes = ("race", "step", "theory", "scan", "beat")
    held = {purpose: jobs.session_jobs(purpose).jobs for purpose in purposes}
    assert [len(held[purpose]) for purpose in purposes] == [5, 1, 1, 1, 1]
    page(other, text="I love this movie", race=["ls", "greedy"], part="Bounds compared")
    old = [job for purpose in purposes for job in held[purpose]]
    if other == "theory":  # a part that asks no question
        assert not any(job.cancelled for job in old)
    else:
        assert all(job.cancelled for job in old)
        assert not any(job.running for job in old)


def test_a_sentence_that_cannot_be_attacked_cancels_too(monkeypatch: pytest.MonkeyPatch) -> None:
    one_turn(monkeypatch)
    page("race", seeds=2)
    held = jobs.session_jobs("race").jobs
    app = page("lattice", text="?!")
    assert "no words" in app.error[0].value
    assert all(job.cancelled for job in held)


def test_another_limit_keeps_what_does_not_depend_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    one_turn(monkeypatch)
    app = page("theory", part="Landscape", text=TEXT)
    app.button(key="theory.table.go").click().run()
    page("race", seeds=2)
    (table,), runs = jobs.session_jobs("theory").jobs, jobs.session_jobs("race").jobs
    page("lattice", limit=50)
    assert table.running
    assert all(run.cancelled for run in runs)


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


def test_a_goal_is_made_once_a_question(gate: Gate) -> None:
    assert isinstance(gate.question.goal, Goal)
    assert gate.question.scoring_key == Gate().question.scoring_key
    assert gate.question.scoring_key != Gate(f"{TEXT} Fine.").question.scoring_key
    assert (
        len(str(gate.question.scoring_key)) < 100
    )  # keys are kept, and must not keep the sentence
