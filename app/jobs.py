"""Work in the background: each in a thread of its own, watched and cancelled from pages."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Hashable, Mapping
from dataclasses import replace
from threading import Event, Lock, Thread
from typing import Any, Generic, TypeVar

import streamlit as st
from numpy.typing import NDArray

from core import Attack, AttackResult, CoreError
from core.objective import Cancelled, Step
from core.sharing import giving_up
from core.theory import Progress

S = TypeVar("S")
T = TypeVar("T")
J = TypeVar("J", bound="Task[Any, Any]")


class Task(ABC, Generic[S, T]):
    """Steps and a result on a thread that never calls Streamlit; readers get snapshots."""

    def __init__(self) -> None:
        self.result: T | None = None
        self.error = ""
        self._steps: list[S] = []
        self._cancelled, self._ended = Event(), Event()
        self._started = False

    @property
    def steps(self) -> tuple[S, ...]:
        """What has happened so far."""
        return tuple(self._steps)

    @property
    def last(self) -> S | None:
        """The newest of them."""
        return self._steps[-1] if self._steps else None

    @property
    def running(self) -> bool:
        """Whether it has begun and not ended."""
        return self._started and not self._ended.is_set()

    @property
    def cancelled(self) -> bool:
        """Whether it was told to stop."""
        return self._cancelled.is_set()

    def start(self) -> None:
        """Begin, unless it was cancelled before."""
        if not (self._started or self.cancelled):
            self._started = True
            Thread(target=self._run, name="task", daemon=True).start()

    def cancel(self) -> None:
        """Stop at the next batch."""
        self._cancelled.set()

    def wait(self, seconds: float) -> None:
        """Wait for the end, but no longer than this."""
        self._ended.wait(seconds)

    @abstractmethod
    def work(self) -> Generator[S, None, T]:
        """What to do, on the thread."""

    def ended(self) -> None:
        """What to do at the end, on the thread."""

    def _run(self) -> None:
        try:
            # The first answer is always waited for: an attack has no result without it.
            with giving_up(lambda: bool(self._steps) and self.cancelled):
                steps = self.work()
                while True:
                    try:
                        self._steps.append(next(steps))
                    except StopIteration as end:
                        self.result = end.value
                        break
        except Cancelled:
            pass
        except CoreError as error:
            self.error = str(error)
        except Exception as error:
            self.error = f"The search broke off: {error}. Start it again, or try another victim."
        self._ended.set()
        self.ended()


class Job(Task[Step, AttackResult]):
    """One attack; what it has found until it is cancelled is kept."""

    def __init__(self, attack: Attack, then: Callable[["Job"], None] = lambda job: None) -> None:
        super().__init__()
        self.attack, self.then = attack, then
        self.queries = 0  # so far; the steps know it only when they are done

    def work(self) -> Generator[Step, None, AttackResult]:
        """The attack, cancelled from outside."""
        goal = replace(self.attack.goal, ask=self._counting(self.attack.goal.ask))
        return replace(self.attack, goal=goal, cancelled=self._cancelled.is_set).steps()

    def ended(self) -> None:
        """Tell whoever wants to know."""
        self.then(self)

    def _counting(self, ask: Callable[[Any], NDArray[Any]]) -> Callable[[Any], NDArray[Any]]:
        def counted(inputs: Any) -> NDArray[Any]:
            outputs = ask(inputs)
            self.queries += len(outputs)
            return outputs

        return counted


class Computation(Task[S, T]):
    """Any steps; when they are cancelled nothing is kept."""

    def __init__(self, steps: Generator[S, None, T]) -> None:
        super().__init__()
        self._todo = steps

    def work(self) -> Generator[S, None, T]:
        """The steps, broken off between two of them."""
        try:
            while not self.cancelled:
                try:
                    yield next(self._todo)
                except StopIteration as end:
                    result: T = end.value
                    return result
            raise Cancelled
        finally:
            self._todo.close()  # lets go of files at once


class Jobs(Generic[J]):
    """What one browser session has in the background, by what it is."""

    def __init__(self) -> None:
        self._jobs: dict[Hashable, J] = {}
        self._lock = Lock()

    def keep(self, wanted: Mapping[Hashable, Callable[[], J]]) -> dict[Hashable, J]:
        """Make what is wanted and not there yet; cancel what nobody wants any more."""
        self.drop(lambda key: key not in wanted)
        with self._lock:
            for key, make in wanted.items():
                if key not in self._jobs:
                    self._jobs[key] = make()
            return dict(self._jobs)

    def get(self, key: Hashable) -> J | None:
        """The job of this key, if there is one."""
        with self._lock:
            return self._jobs.get(key)

    def begin(self, key: Hashable, job: J) -> J:
        """Start a job, unless the same one is on its way or has ended well; that one is given."""
        with self._lock:
            known = self._jobs.get(key)
            if known is None or known.cancelled or known.error:
                known = self._jobs[key] = job
                job.start()
            return known

    def drop(self, unwanted: Callable[[Any], bool]) -> None:
        """Cancel and forget jobs by their keys."""
        with self._lock:
            for key in list(filter(unwanted, self._jobs)):
                self._jobs.pop(key).cancel()

    def forget(self, *keys: Hashable) -> None:
        """Cancel jobs and let them be made anew."""
        self.drop(lambda key: key in keys)

    def cancel(self, *keys: Hashable) -> None:
        """Stop some jobs, or all of them."""
        with self._lock:
            for key in keys or self._jobs:
                if key in self._jobs:
                    self._jobs[key].cancel()


@st.cache_resource(scope="session", show_spinner=False, on_release=Jobs.cancel)
def session_jobs() -> Jobs[Job]:
    """The attacks of this session; they are cancelled when its tab is left."""
    return Jobs()


@st.cache_resource(scope="session", show_spinner=False, on_release=Jobs.cancel)
def session_computations() -> Jobs[Computation[Progress, Any]]:
    """The computations of this session, results included; cancelled when its tab is left."""
    return Jobs()
