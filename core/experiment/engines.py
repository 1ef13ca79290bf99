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
from core.experiment.work import Bench, Judge, Outcome, Work, failed
from core.sharing import giving_up
from core.threads import keep_to_one_core
from core.victims import add_configured

Workers: TypeAlias = Callable[[Iterable[Work]], Iterator[tuple[Work, Outcome]]]

ATTEMPTS: Final = 3  # at a task whose worker dies
PROCESSES: Final = 2  # workers unless somebody says otherwise


def in_lots(tasks: Iterable[Work]) -> Iterator[list[Work]]:
    """Attacks on one sentence together: one worker does them, and knows what the victim said."""
    return ([*lot] for _, lot in groupby(tasks, lambda task: getattr(task, "ground", task)))


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
        """Threads around one bench."""
        bench = Bench(plan, shared=True)
        stop = Event()
        try:
            yield partial(self._run, bench, stop)
        finally:
            stop.set()
            bench.close()

    def _run(
        self, bench: Bench, stop: Event, tasks: Iterable[Work]
    ) -> Iterator[tuple[Work, Outcome]]:
        lots, turn = in_lots(tasks), Lock()
        done: SimpleQueue[tuple[Work, Outcome] | None] = SimpleQueue()

        def take() -> list[Work]:
            with turn:
                return next(lots, [])

        def work() -> None:
            keep_to_one_core()
            with giving_up(stop.is_set):
                for task in chain.from_iterable(iter(take, [])):
                    if stop.is_set():
                        break
                    done.put((task, bench.do(task, stop.is_set)))
            done.put(None)

        crew = [Thread(target=work, daemon=True) for _ in range(self.together)]
        for thread in crew:
            thread.start()
        working = len(crew)
        try:
            while working:
                if (finished := done.get()) is None:
                    working -= 1
                else:
                    yield finished
        finally:
            if working:  # left early
                stop.set()
            for thread in crew:
                thread.join()


class Hand(Protocol):
    """A process that does one task at a time; a new one takes its place when it dies."""

    def give(self, task: Work) -> Any:
        """Start a task; gives what to wait for."""
        ...

    def take(self) -> Outcome | None:
        """The outcome; None if the process has died, and then there is a new one."""
        ...


class Process:
    """A hand on this machine, at the end of a pipe."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._start()

    def give(self, task: Work) -> Connection:
        """Send a task; that the process has died is noticed by ``take``."""
        with suppress(OSError):
            self.pipe.send(task)
        return self.pipe

    def take(self) -> Outcome | None:
        """Receive the outcome."""
        try:
            outcome: Outcome = self.pipe.recv()
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
        hands: list[Process] = []
        try:
            hands += [Process(plan) for _ in range(self.processes)]
            yield partial(share_out, hands, wait)
        finally:
            for hand in hands:
                hand.stop()


def share_out(
    hands: Sequence[Hand], ready: Callable[[list[Any]], Iterable[Any]], tasks: Iterable[Work]
) -> Iterator[tuple[Work, Outcome]]:
    """Give each hand a task at a time, of its own lot; that of a hand that dies goes to another."""
    lots = in_lots(tasks)
    own: dict[int, deque[Work]] = {id(hand): deque() for hand in hands}

    def next_of(hand: Hand) -> Work | None:
        todo = again or own[id(hand)]
        if not todo:
            todo.extend(next(lots, ()))
        return todo.popleft() if todo else None

    again: deque[Work] = deque()
    lost: Counter[Work] = Counter()
    busy: dict[Any, tuple[Hand, Work]] = {}
    idle = list(hands)
    while True:
        for hand in tuple(idle):
            if (task := next_of(hand)) is not None:
                idle.remove(hand)
                busy[hand.give(task)] = hand, task
        if not busy:
            return
        for done in ready(list(busy)):
            hand, task = busy.pop(done)
            outcome = hand.take()
            idle.append(hand)
            if outcome is not None:
                yield task, outcome
                continue
            lost[task] += 1
            if lost[task] < ATTEMPTS:
                again.append(task)
            else:
                said = f"The worker died {ATTEMPTS} times at this; it may need more memory."
                yield task, CoreError(said) if isinstance(task, Judge) else [failed(task, said)]


def serve(descriptor: int) -> None:
    """A worker process: do what comes through the pipe until it closes."""
    pipe = Connection(descriptor)
    with suppress(EOFError, OSError):  # whoever gave the tasks is gone
        add_configured()
        bench = Bench(pipe.recv())
        while True:
            pipe.send(bench.do(pipe.recv()))
