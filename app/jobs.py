"""Attacks in the background: each in a thread of its own, watched and cancelled from pages."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from threading import Event, Lock, Thread
from typing import Any

import streamlit as st
from numpy.typing import NDArray

from core import Attack, AttackResult, CoreError
from core.objective import Step
from core.sharing import giving_up


@dataclass(eq=False)
class Job:
    """One attack on a thread that never calls Streamlit; readers get snapshots."""

    attack: Attack
    then: Callable[["Job"], None] = lambda job: None  # called on the thread at the end
    queries: int = 0  # so far; the steps know it only when they are done
    result: AttackResult | None = None
    error: str = ""
    _steps: list[Step] = field(default_factory=list)
    _cancelled: Event = field(default_factory=Event)
    _started: bool = False

    @property
    def steps(self) -> tuple[Step, ...]:
        """What has happened so far."""
        return tuple(self._steps)

    @property
    def running(self) -> bool:
        """Whether it has begun and not ended."""
        return self._started and self.result is None and not self.error

    @property
    def cancelled(self) -> bool:
        """Whether it was told to stop."""
        return self._cancelled.is_set()

    def start(self) -> None:
        """Begin, unless it was cancelled before."""
        if not (self._started or self.cancelled):
            self._started = True
            Thread(target=self._run, name="attack", daemon=True).start()

    def cancel(self) -> None:
        """Stop at the next batch; what was found until then is kept."""
        self._cancelled.set()

    def _run(self) -> None:
        goal = replace(self.attack.goal, ask=self._counting(self.attack.goal.ask))
        attack = replace(self.attack, goal=goal, cancelled=self._cancelled.is_set)
        try:
            # The first answer is always waited for: without it there is no result.
            with giving_up(lambda: bool(self._steps) and self.cancelled):
                steps = attack.steps()
                while True:
                    try:
                        self._steps.append(next(steps))
                    except StopIteration as end:
                        self.result = end.value
                        break
        except CoreError as error:
            self.error = str(error)
        except Exception as error:
            self.error = f"The search broke off: {error}. Start it again, or try another victim."
        self.then(self)

    def _counting(self, ask: Callable[[Any], NDArray[Any]]) -> Callable[[Any], NDArray[Any]]:
        def counted(inputs: Any) -> NDArray[Any]:
            outputs = ask(inputs)
            self.queries += len(outputs)
            return outputs

        return counted


class Jobs:
    """The background attacks of one browser session, by what they are."""

    def __init__(self) -> None:
        self._jobs: dict[Hashable, Job] = {}
        self._lock = Lock()

    def keep(self, wanted: Mapping[Hashable, Callable[[], Job]]) -> dict[Hashable, Job]:
        """Make what is wanted and not there yet; cancel what nobody wants any more."""
        with self._lock:
            for key in [key for key in self._jobs if key not in wanted]:
                self._jobs.pop(key).cancel()
            for key, make in wanted.items():
                if key not in self._jobs:
                    self._jobs[key] = make()
            return dict(self._jobs)

    def forget(self, *keys: Hashable) -> None:
        """Cancel jobs and let them be made anew."""
        with self._lock:
            for key in keys:
                if key in self._jobs:
                    self._jobs.pop(key).cancel()

    def cancel(self, *keys: Hashable) -> None:
        """Stop some jobs, or all of them."""
        with self._lock:
            for key in keys or self._jobs:
                if key in self._jobs:
                    self._jobs[key].cancel()


@st.cache_resource(scope="session", show_spinner=False, on_release=Jobs.cancel)
def session_jobs() -> Jobs:
    """The jobs of this session; they are cancelled when its tab is left."""
    return Jobs()
