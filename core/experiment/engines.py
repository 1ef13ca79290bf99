"""Engines: who does the work. Each gives the same records, in any order."""

import os
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, groupby
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import Any, Final, Protocol, TypeAlias

from core.errors import CoreError, require
from core.experiment.plan import Plan
from core.experiment.work import AttackRunner, JudgeWork, Work, WorkOutcome, failed
from core.sharing import cancellable_requests
from core.threads import keep_to_one_core
from core.victims import add_configured

Workers: TypeAlias = Callable[[Iterable[Work]], Iterator[tuple[Work, WorkOutcome]]]

ATTEMPTS: Final = 3  # at a task whose worker dies
PROCESSES: Final = 2  # workers unless somebody says otherwise


def group_by_sentence(tasks: Iterable[Work]) -> Iterator[list[Work]]:
    """Attacks on one sentence together: one worker does them, and knows what the victim said."""
    return (
        [*group] for _, group in groupby(tasks, lambda task: getattr(task, "scoring_key", task))
    )


class Engine(Protocol):
    """Starts workers for a plan; they take tasks and give each back with its outcome."""

    def workers(self, plan: Plan) -> AbstractContextManager[Workers]:
        """Workers that stop, with what they are at, when the context ends."""
        ...


@dataclass(frozen=True)
class Local:
    """This process: several sentences side by side, whose requests share the victim's batches."""

    together: int = 16

    def __post_init__(self) -> None:
        require(self.together >= 1, "At least 1 sentence must be attacked at a time.")

    @contextmanager
    def workers(self, plan: Plan) -> Iterator[Workers]:
        """Threads around one runner."""
        runner = AttackRunner(plan, shared=True)
        stop = Event()
        try:
            yield partial(self._run, runner, stop)
        finally:
            stop.set()
            runner.close()

    def _run(
        self, runner: AttackRunner, stop: Event, tasks: Iterable[Work]
    ) -> Iterator[tuple[Work, WorkOutcome]]:
        groups, turn = group_by_sentence(tasks), Lock()
        done: SimpleQueue[tuple[Work, WorkOutcome] | None] = SimpleQueue()

        def next_group() -> list[Work]:
            with turn:
                return next(groups, [])

        def work() -> None:
            keep_to_one_core()
            with cancellable_requests(stop.is_set):
                for task in chain.from_iterable(iter(next_group, [])):
                    if stop.is_set():
                        break
                    done.put((task, runner.do(task, stop.is_set)))
            done.put(None)

        threads = [Thread(target=work, daemon=True) for _ in range(self.together)]
        for thread in threads:
            thread.start()
        working = len(threads)
        try:
            while working:
                if (finished := done.get()) is None:
                    working -= 1
                else:
                    yield finished
        finally:
            if working:  # left early
                stop.set()
            for thread in threads:
                thread.join()


class WorkerProcess(Protocol):
    """A process that does one task at a time; a new one takes its place when it dies."""

    def submit(self, task: Work) -> Any:
        """Start a task; gives what to wait for."""
        ...

    def result(self) -> WorkOutcome | None:
        """The outcome; None if the process has died, and then there is a new one."""
        ...


class Process:
    """A worker on this machine, at the end of a pipe."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._start()

    def submit(self, task: Work) -> Connection:
        """Send a task; that the process has died is noticed by ``result``."""
        with suppress(OSError):
            self.pipe.send(task)
        return self.pipe

    def result(self) -> WorkOutcome | None:
        try:
            outcome: WorkOutcome = self.pipe.recv()
            return outcome
        except (EOFError, OSError):
            self.stop()
            self._start()
            return None

    def stop(self) -> None:
        """End the process, whatever it is at."""
        self.pipe.close()
        self.process.kill()
        self.process.wait()

    def _start(self) -> None:
        """A plain process: multiprocessing would import the caller's main module, a whole app."""
        self.pipe, end = Pipe()
        code = f"from core.experiment.engines import serve; serve({end.fileno()})"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code],
            pass_fds=[end.fileno()],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            start_new_session=True,  # Ctrl-C is for the process that gives the tasks
        )
        end.close()  # so that the death of the process ends the pipe
        with suppress(OSError):
            self.pipe.send(self._plan)


@dataclass(frozen=True)
class Pool:
    """Processes on this machine, one torch thread each; each loads a victim once."""

    processes: int = PROCESSES

    def __post_init__(self) -> None:
        require(self.processes >= 1, "At least 1 worker is needed.")

    @contextmanager
    def workers(self, plan: Plan) -> Iterator[Workers]:
        """Processes that are started once for all tasks."""
        workers: list[Process] = []
        try:
            workers += [Process(plan) for _ in range(self.processes)]
            yield partial(dispatch, workers, wait)
        finally:
            for worker in workers:
                worker.stop()


def dispatch(
    workers: Sequence[WorkerProcess],
    ready: Callable[[list[Any]], Iterable[Any]],
    tasks: Iterable[Work],
) -> Iterator[tuple[Work, WorkOutcome]]:
    """Give each worker one task at a time, of its own sentence; a dead worker's go to another."""
    groups = group_by_sentence(tasks)
    own: dict[int, deque[Work]] = {id(worker): deque() for worker in workers}

    def next_of(worker: WorkerProcess) -> Work | None:
        todo = again or own[id(worker)]
        if not todo:
            todo.extend(next(groups, ()))
        return todo.popleft() if todo else None

    again: deque[Work] = deque()
    lost: Counter[Work] = Counter()
    busy: dict[Any, tuple[WorkerProcess, Work]] = {}
    idle = list(workers)
    while True:
        for worker in tuple(idle):
            if (task := next_of(worker)) is not None:
                idle.remove(worker)
                busy[worker.submit(task)] = worker, task
        if not busy:
            return
        for done in ready(list(busy)):
            worker, task = busy.pop(done)
            outcome = worker.result()
            idle.append(worker)
            if outcome is not None:
                yield task, outcome
                continue
            lost[task] += 1
            if lost[task] < ATTEMPTS:
                again.append(task)
            else:
                message = f"The worker died {ATTEMPTS} times at this; it may need more memory."
                yield (
                    task,
                    CoreError(message) if isinstance(task, JudgeWork) else [failed(task, message)],
                )


def serve(descriptor: int) -> None:
    """A worker process: do what comes through the pipe until it closes."""
    pipe = Connection(descriptor)
    with suppress(EOFError, OSError):  # whoever gave the tasks is gone
        add_configured()
        runner = AttackRunner(pipe.recv())
        while True:
            pipe.send(runner.do(pipe.recv()))
