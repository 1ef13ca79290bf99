"""Attacks of the whole server, by question: a class on one sentence runs one attack."""

from collections import Counter, OrderedDict
from collections.abc import Hashable
from dataclasses import replace
from hashlib import sha256
from math import prod
from threading import Lock
from typing import Final
from weakref import WeakValueDictionary

from app.shared import choices
from app.shared.jobs import MB, Job
from app.shared.question import Question
from core import SEARCHES, AttackResult, Search, SearchSpace
from core import trace as files
from core.attack import Trace
from core.errors import require
from core.options import Choice, configure, settings
from core.search import DEFAULT

STORE_BYTES: Final = 256 * MB  # of traces that are kept for whoever asks next
LARGEST: Final = 10_000  # particles, draws and the like of a search that a link asks for
LARGEST_WITH_WORDS: Final = 1_000_000  # the product of these and of the number of words


class Store:
    """Traces by what they are traces of; the one not asked for the longest is forgotten first."""

    def __init__(self, most: int = STORE_BYTES) -> None:
        self.most, self.nbytes = most, 0
        self._traces: OrderedDict[Hashable, Trace] = OrderedDict()
        self._sharing: Counter[int] = Counter()  # how many traces share a space, by its identity
        self._lock = Lock()

    def get(self, wanted: Hashable) -> Trace | None:
        """A trace that is known here, which is then the last to be forgotten."""
        with self._lock:
            if wanted in self._traces:
                self._traces.move_to_end(wanted)
            return self._traces.get(wanted)

    def put(self, wanted: Hashable, trace: Trace) -> None:
        """Keep a trace, if it has room at all."""
        with self._lock:
            if known := self._traces.pop(wanted, None):
                self._forget(known)
            self._traces[wanted] = trace
            self.nbytes += trace.nbytes
            if not self._sharing[id(trace.space)]:
                self.nbytes += trace.space.nbytes
            self._sharing[id(trace.space)] += 1
            while self.nbytes > self.most:
                self._forget(self._traces.popitem(last=False)[1])

    def _forget(self, trace: Trace) -> None:
        self.nbytes -= trace.nbytes
        self._sharing[id(trace.space)] -= 1
        if not self._sharing[id(trace.space)]:
            del self._sharing[id(trace.space)]
            self.nbytes -= trace.space.nbytes


_traces = Store()
_under_way: WeakValueDictionary[Hashable, Job] = WeakValueDictionary()  # as long as one is wanted
_lock, _reading = Lock(), Lock()


def opened(data: bytes, name: str) -> Trace:
    """The trace in a file; it is read once for everybody, and again if it was forgotten since.

    One file at a time, since reading takes a few times the memory of what is in it.
    """
    wanted = sha256(data).digest()
    with _reading:
        found = _traces.get(wanted)
        if found is None:
            found = files.loads(data, name)
            _traces.put(wanted, found)
    return found


def key(
    question: Question, search: str, seed: int, budget: int, options: tuple[str, ...] = ()
) -> Hashable:
    """Equal for attacks that give the same trace."""
    drawn = choices.card(search).randomised
    spec = question.by(Choice(search, options), seed if drawn else 0, budget)
    return (question.attack_key, replace(spec, text=""))  # it is of the text, which may be long


def known(
    question: Question, search: str, seed: int, budget: int, options: tuple[str, ...] = ()
) -> Trace | None:
    """A trace that was made here, or that comes with the app."""
    bundled = question.recorded and question.recorded.trace
    if search == DEFAULT and not options and bundled and bundled.result.queries <= budget:
        return bundled
    return _traces.get(key(question, search, seed, budget, options))


def keep(
    question: Question,
    search: str,
    seed: int,
    budget: int,
    result: AttackResult,
    options: tuple[str, ...] = (),
) -> Trace:
    """Remember a result with what it is a result of."""
    trace = Trace(
        question.space, result, question.by(Choice(search, options), seed, budget).plain()
    )
    _traces.put(key(question, search, seed, budget, options), trace)
    return trace


def job(
    question: Question, search: str, seed: int, budget: int, options: tuple[str, ...] = ()
) -> Job:
    """The run of a search: the one that somebody has under way already, or else a new one."""

    def then(ended: Job) -> None:
        if ended.result is not None and ended.result.status != "cancelled":
            keep(question, search, seed, budget, ended.result, options)

    wanted = key(question, search, seed, budget, options)
    if found := _useful(wanted):
        return found
    run = Job(question.attack(_configured(question.space, search, options), budget, seed), then)
    with _lock:
        found = _useful(wanted) or run
        _under_way[wanted] = found
        return found


def _useful(wanted: Hashable) -> Job | None:
    found = _under_way.get(wanted)
    if found is None or found.cancelled or found.abandoned or found.error:
        return None
    return found


def _configured(space: SearchSpace, search: str, options: tuple[str, ...]) -> Search:
    """A search with settings from a link, none of which fills the memory of the server."""
    configured = SEARCHES[search]()
    values = {}
    for setting, value in settings(configured, options).items():
        values[setting] = 1 if isinstance(value, str) else max(1, value or 1)
        require(
            isinstance(value, str) or -LARGEST <= (value or 0) <= LARGEST,
            f"{setting} is too large for this page: {LARGEST:,} at most.",
        )
    words = len(space.choices)
    require(
        prod(values.values()) * words <= LARGEST_WITH_WORDS,
        f"{' times '.join(values)} is too large for a text of {words:,} words: "
        f"{LARGEST_WITH_WORDS // words:,} at most on this page.",
    )
    return configure(configured, options)
