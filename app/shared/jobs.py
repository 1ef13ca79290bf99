"""Work in the background: each in a thread of its own once its turn comes, watched from pages."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Hashable, Mapping
from copy import copy
from dataclasses import dataclass, field, is_dataclass, replace
from math import inf
from threading import Event, Lock, RLock, Thread
from typing import Any, Final, Generic, Self, TypeVar
from weakref import WeakSet

import streamlit as st

from app.shared import visitor
from app.shared.turns import Turn, TurnLimits, Turns, Watcher
from app.shared.visitor import Visitor
from core import Attack, AttackResult, CoreError
from core.objective import Cancelled, Step
from core.sharing import cancellable_requests

S = TypeVar("S")
T = TypeVar("T")
J = TypeVar("J", bound="BackgroundTask[Any, Any]")

MB: Final = 1 << 20
VISITOR_BYTES: Final = 64 * MB  # what the runs of a page of one visitor may keep
SERVER_BYTES: Final = 512 * MB  # the same for all visitors, with what pages keep beside runs
PORTION: Final = MB // 4  # a run asks for memory in portions of this size

# Attacks share the batches of their victim: 24 at once are nearly as fast as a hundred. A race has
# up to 120 runs, of which the others wait.
ATTACKS: Final = Turns(
    TurnLimits(server=64, address=36, visitor=24, waiting=4_000, waiting_of_visitor=160)
)
# Experiments and adversarial training go on while nobody looks.
EXPERIMENTS: Final = Turns(
    TurnLimits(server=2, address=2, visitor=2, waiting=20, waiting_of_visitor=4), absence=inf
)
# Few proofs at a time, or the seconds of each would be worth little.
PROOFS: Final = Turns(TurnLimits(server=2, address=2, visitor=1, waiting=200, waiting_of_visitor=4))
NOBODY: Final = Visitor("", "")
# What work on a question is for; another question cancels it.
PURPOSES: Final = ("attack", "booth", "scan", "beat", "step", "ladder", "race", "theory", "prove")


def memory_of(kept: Any) -> int:
    """The memory of the arrays and steps in a result, which is about all of it."""
    if isinstance(size := getattr(kept, "nbytes", None), int):
        return size
    if isinstance(kept, list | tuple):
        return sum(map(memory_of, kept))
    return sum(map(memory_of, vars(kept).values())) if is_dataclass(kept) else 0


class BackgroundTask(ABC, Generic[S, T]):
    """Steps and a result on a thread that never calls Streamlit; readers get snapshots."""

    def __init__(self, turns: Turns | None = None) -> None:
        self.result: T | None = None
        self.error = ""
        self.nbytes = 0  # of memory, for its steps
        self._steps: list[S] = []
        self._cancelled, self._ended = Event(), Event()
        self._turns, self._turn = turns or ATTACKS, Turn(self._begin)
        self._portions = 0  # of memory that it has asked for

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
        """Whether it was started and has not ended; it may still wait for its turn."""
        return self._turn.state in ("waiting", "taken") and not self._ended.is_set()

    @property
    def waiting(self) -> bool:
        """Whether it waits for its turn."""
        return self._turn.state == "waiting"

    @property
    def before(self) -> int:
        """How many other visitors are served before this one, while it waits."""
        return self._turns.before(self._turn)

    @property
    def cancelled(self) -> bool:
        """Whether it was told to stop."""
        return self._cancelled.is_set()

    @property
    def abandoned(self) -> bool:
        """Whether it ended because nobody looked."""
        return self._turn.abandoned and not self.cancelled

    def join(self, watcher: Watcher) -> bool:
        """Somebody wants it; False if it was abandoned just before."""
        return self._turns.join(self._turn, watcher)

    def leave(self, watcher: Watcher) -> Self:
        """Somebody wants it no longer, and keeps what there is; it stops if nobody else does."""
        self._turns.leave(self._turn, watcher)
        if not self._turn.watchers:
            self.cancel()
            return self
        return self._parted(list(self._steps))

    def refused(self, why: str) -> Self:
        """What somebody keeps of it for whom it takes too much memory: a sentence."""
        kept = self._parted([])
        kept.result, kept.error, kept.nbytes = None, why, 0
        return kept

    def start(self) -> bool:
        """Begin as soon as its turn comes, unless it was cancelled before; False if refused."""
        if self._turn.state == "new":
            if not self._turn.watchers:
                self.join(Watcher(NOBODY))
            try:
                self._turns.queue(self._turn)
            except CoreError as refusal:
                self.error = str(refusal)
                self._turns.withdraw(self._turn)
                return False
        return True

    def cancel(self) -> None:
        """Stop at the next batch, or wait no longer."""
        self._cancelled.set()
        self._turns.withdraw(self._turn)

    def wait(self, seconds: float) -> None:
        """Wait for the end, but no longer than this."""
        self._ended.wait(seconds)

    @abstractmethod
    def work(self) -> Generator[S, None, T]:
        """What to do, on the thread."""

    def measure_result(self) -> int:
        """The memory of a result, where its steps are not all of it."""
        return 0

    def ended(self) -> None:
        """What to do at the end, on the thread."""

    def must_stop(self) -> bool:
        """Whether it was cancelled or nobody wants it any more."""
        return self.cancelled or not self._turns.is_wanted(self._turn)

    def add(self, step: S) -> None:
        self._steps.append(step)
        self.charge(memory_of(step))

    def charge(self, nbytes: int) -> None:
        """Count memory that is kept, now and then with all that others keep."""
        self.nbytes += nbytes
        if (portions := self.nbytes // PORTION) > self._portions:
            self._portions = portions
            for watcher in self._turn.watchers:
                if isinstance(watcher, Jobs):
                    watcher.make_room(self)

    def _parted(self, steps: list[S]) -> Self:
        kept = copy(self)
        kept._steps, kept._turn, kept._cancelled = steps, Turn(state="over"), Event()
        kept._cancelled.set()
        return kept

    def _begin(self) -> None:
        Thread(target=self._run, name="task", daemon=True).start()

    def _run(self) -> None:
        try:
            # The first answer is always waited for: an attack has no result without it.
            with cancellable_requests(lambda: bool(self._steps) and self.must_stop()):
                steps = self.work()
                while True:
                    try:
                        self.add(next(steps))
                    except StopIteration as end:
                        self.result = end.value
                        self.charge(self.measure_result())
                        break
        except Cancelled:
            pass
        except CoreError as error:
            self.error = str(error)
        except Exception as error:
            self.error = f"The search broke off: {error}. Start it again, or try another victim."
        self._ended.set()
        try:
            self.ended()
        finally:
            self._turns.give_back(self._turn)


class Job(BackgroundTask[Step, AttackResult]):
    """One attack; what it has found until it is cancelled is kept."""

    def __init__(self, attack: Attack, then: Callable[["Job"], None] = lambda job: None) -> None:
        super().__init__()
        self.attack, self.then = attack, then
        self.queries = 0  # so far; the steps know it only when they are done

    def work(self) -> Generator[Step, None, AttackResult]:
        """The attack, cancelled from outside."""
        return replace(self.attack, cancelled=self.must_stop, counted=self._counted).steps()

    def ended(self) -> None:
        """Tell whoever wants to know."""
        self.then(self)

    def _counted(self, queries: int) -> None:
        self.queries = queries


class Computation(BackgroundTask[S, T]):
    """Any steps; when they are cancelled nothing is kept."""

    def __init__(self, steps: Generator[S, None, T], turns: Turns | None = None) -> None:
        super().__init__(turns)
        self._todo = steps

    def work(self) -> Generator[S, None, T]:
        """The steps, broken off between two of them."""
        try:
            while not self.must_stop():
                try:
                    yield next(self._todo)
                except StopIteration as end:
                    result: T = end.value
                    return result
            raise Cancelled
        finally:
            self._todo.close()  # lets go of files at once

    def measure_result(self) -> int:
        """The memory of the result."""
        return memory_of(self.result)


class Jobs(Watcher, Generic[J]):
    """What a page of one visitor has in the background, by what it is."""

    def __init__(self, visitor: Visitor = NOBODY, turns: Turns | None = None) -> None:
        self._turns = turns or ATTACKS
        super().__init__(visitor, self._turns.clock())
        self._makers: dict[Hashable, Callable[[], J]] = {}
        self._jobs: dict[Hashable, J] = {}
        self._lock = RLock()
        with _lock:
            _everybody.add(self)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._jobs

    @property
    def jobs(self) -> tuple[J, ...]:
        with self._lock:
            return tuple(self._jobs.values())

    @property
    def nbytes(self) -> int:
        """The memory that they take."""
        return sum(job.nbytes for job in self.jobs)

    @property
    def away(self) -> bool:
        """Whether nobody has looked for a while."""
        return self._turns.clock() - self.looked > self._turns.absence

    def look(self) -> None:
        """Somebody looks: what was given up meanwhile starts again by itself."""
        with self._lock:
            away, self.looked = self.away, self._turns.clock()
            for key, make in list(self._makers.items()):
                job = self._jobs.get(key)
                if job is None:
                    self._make(key, make).start()
                elif not job.cancelled and (job.abandoned or (away and job.running)):
                    job.leave(self)
                    self._make(key, make).start()

    def rest(self) -> None:
        """Give up everything, until somebody looks again."""
        with self._lock:
            for key, job in list(self._jobs.items()):
                if not (job.cancelled or job.error):
                    del self._jobs[key]
                    job.leave(self)

    def keep(self, wanted: Mapping[Hashable, Callable[[], J]]) -> dict[Hashable, J]:
        """Make what is wanted and not there yet; cancel what nobody wants any more."""
        self.drop(lambda key: key not in wanted)
        self.look()
        with self._lock:
            for key, make in wanted.items():
                if key not in self._jobs:
                    self._make(key, make)
            return dict(self._jobs)

    def get(self, key: Hashable) -> J | None:
        """The job of this key, if there is one."""
        self.look()
        return self._jobs.get(key)

    def begin(self, key: Hashable, make: Callable[[], J]) -> J:
        """Start a job, unless the same one is on its way or has ended well; that one is given."""
        with self._lock:
            known = self.get(key)
            if known is None or known.cancelled or known.error:
                known = self._make(key, make)
                known.start()
            return known

    def drop(self, unwanted: Callable[[Any], bool]) -> None:
        """Cancel and forget jobs by their keys."""
        with self._lock:
            for key in list(filter(unwanted, self._makers)):
                del self._makers[key]
                if job := self._jobs.pop(key, None):
                    job.leave(self)

    def forget(self, *keys: Hashable) -> None:
        """Cancel jobs and let them be made anew."""
        self.drop(lambda key: key in keys)

    def close(self) -> None:
        """Cancel and forget everything."""
        self.drop(lambda key: True)

    def cancel(self, *keys: Hashable) -> None:
        """Stop some jobs, or all of them."""
        with self._lock:
            for key in keys or tuple(self._jobs):
                if key in self._jobs:
                    self._jobs[key] = self._jobs[key].leave(self)

    def make_room(self, task: BackgroundTask[Any, Any]) -> None:
        """Let go of a task that keeps more than there is memory for."""
        if self.nbytes > VISITOR_BYTES:
            self._refuse(
                task,
                f"This run was stopped, since your runs keep more than {VISITOR_BYTES // MB} MB. "
                "Lower the budget or the number of seeds, or take a shorter text.",
            )
        elif _is_full(self.visitor.address):
            self._refuse(
                task,
                "This run was stopped, since the memory of this server is full. Lower the budget "
                "or the number of seeds, or try again later.",
            )

    def _refuse(self, task: BackgroundTask[Any, Any], why: str) -> None:
        with self._lock:
            for key, job in list(self._jobs.items()):
                if job is task:
                    self._jobs[key] = job.refused(why)
                    job.leave(self)

    def _make(self, key: Hashable, make: Callable[[], J]) -> J:
        job = make()
        while not job.join(self):  # abandoned by somebody else in this very moment
            job = make()
        self._makers[key], self._jobs[key] = make, job
        return job


@dataclass(eq=False)
class Kept:
    """What a page of a visitor keeps beside its runs, as long as the page has it."""

    visitor: Visitor = field(default_factory=visitor.current)
    nbytes: int = 0

    def __post_init__(self) -> None:
        with _lock:
            _beside.add(self)

    def has_room(self, more: int) -> bool:
        """Whether the server has memory for so much more of it."""
        return not _is_full(self.visitor.address, more)


_everybody: "WeakSet[Jobs[Any]]" = WeakSet()
_beside: "WeakSet[Kept]" = WeakSet()
_lock = Lock()


def _owners() -> dict[BackgroundTask[Any, Any] | Kept, set[str]]:
    """Every run and what is kept beside them, and the addresses that want it."""
    with _lock:
        everybody, beside = list(_everybody), list(_beside)
    found: dict[BackgroundTask[Any, Any] | Kept, set[str]] = {
        kept: {kept.visitor.address} for kept in beside if kept.nbytes
    }
    for jobs in everybody:
        for job in jobs.jobs:
            found.setdefault(job, set()).add(jobs.visitor.address)
    return found


def _is_full(address: str, more: int = 0) -> bool:
    """Whether all that is kept takes too much memory, and that of an address more than its share.

    As if the address kept so much more already.
    """
    most = SERVER_BYTES - more
    if sum(job.nbytes for job in _owners()) <= most:
        return False
    with _lock:
        idle = [jobs for jobs in _everybody if jobs.away]
    for jobs in idle:
        jobs.rest()
    owners = _owners()
    own = sum(job.nbytes for job, addresses in owners.items() if address in addresses)
    share = SERVER_BYTES / len({address}.union(*owners.values()))
    return sum(job.nbytes for job in owners) > most and own + more > share


def turns_of(purpose: str) -> Turns:
    """Where work for a purpose waits."""
    if purpose == "prove":
        return PROOFS
    return ATTACKS if purpose in PURPOSES else EXPERIMENTS


@st.cache_resource(scope="session", show_spinner=False, on_release=Jobs.close)
def session_jobs(purpose: str) -> Jobs[Any]:
    """What this session has in the background for a purpose, cancelled when its tab is left."""
    return Jobs(visitor.current(), turns_of(purpose))


def keep_to(*questions: Hashable) -> None:
    """Cancel all that this session computes about other questions, on whatever page."""
    for purpose in PURPOSES:
        session_jobs(purpose).drop(lambda key: key[0] not in questions)
