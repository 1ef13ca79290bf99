"""Finished attacks of the whole server, by question: a class on one sentence runs one attack."""

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from threading import Lock
from time import sleep

import streamlit as st

from app.question import Question
from app.running import run
from core import SEARCHES, AttackResult, Search
from core.errors import require
from core.options import configure
from core.search import RANDOMISED
from core.trace import Trace

MOST = 200
LARGEST = 10_000  # particles, draws and the like of a search that a link asks for

_traces: OrderedDict[Hashable, Trace] = OrderedDict()
_running: set[Hashable] = set()
_lock = Lock()


def name(search: str) -> str:
    """What a search is called: the first words of what it says about itself."""
    return (SEARCHES[search].__doc__ or search).partition(":")[0]


def key(
    asked: Question, search: str, seed: int, budget: int | None, options: tuple[str, ...] = ()
) -> Hashable:
    """Equal for attacks that give the same trace."""
    return (asked.identity, search, seed if search in RANDOMISED else 0, budget, options)


def get(wanted: Hashable) -> Trace | None:
    """A trace that is known here, which is then the last to be forgotten."""
    with _lock:
        if wanted in _traces:
            _traces.move_to_end(wanted)
        return _traces.get(wanted)


def put(wanted: Hashable, trace: Trace) -> None:
    """Keep a trace; the one not asked for the longest is forgotten."""
    with _lock:
        _traces[wanted] = trace
        _traces.move_to_end(wanted)
        while len(_traces) > MOST:
            _traces.popitem(last=False)


def of(
    asked: Question, search: str, seed: int, budget: int, options: tuple[str, ...] = ()
) -> Trace:
    """The trace of a search on a question: one that is known, or else the search runs now."""
    if found := known(asked, search, seed, budget, options):
        return found
    wanted = key(asked, search, seed, budget, options)
    with _turn(wanted):
        if found := get(wanted):
            return found
        _heed_stop(wanted)
        attack = asked.attack(_configured(search, options), budget, seed)
        result = run(attack, name(search), on_stop=lambda: _stop(wanted))
        return keep(asked, search, seed, budget, result, options)


def known(
    asked: Question, search: str, seed: int, budget: int, options: tuple[str, ...] = ()
) -> Trace | None:
    """A trace that was made here, or that comes with the app."""
    bundled = asked.recorded
    if search == "ls" and not options and bundled and bundled.result.queries <= budget:
        return bundled
    return get(key(asked, search, seed, budget, options))


def keep(
    asked: Question,
    search: str,
    seed: int,
    budget: int,
    result: AttackResult,
    options: tuple[str, ...] = (),
) -> Trace:
    """Remember a result with what it is a result of."""
    run = {"search": search, "seed": seed, "budget": budget, "search_option": options}
    made = Trace(asked.space, result, {**asked.about, **run})
    put(key(asked, search, seed, budget, options), made)
    return made


def _configured(search: str, options: tuple[str, ...]) -> Search:
    """A search with settings from a link, none of which fills the memory of the server."""
    made = configure(SEARCHES[search](), options)
    for option in options:
        name = option.partition("=")[0]
        value = getattr(made, name)
        require(
            isinstance(value, str) or -LARGEST <= (value or 0) <= LARGEST,
            f"{name} is too large for this page: {LARGEST:,} at most.",
        )
    return made


def _stop(wanted: Hashable) -> None:
    st.session_state["step.stopped"] = wanted


def _heed_stop(wanted: Hashable) -> None:
    """A search that was stopped does not start by itself."""
    if st.session_state.get("step.stopped") == wanted:
        st.info("The search was stopped before its end.")
        if not st.button("Run it again", key="step.again"):
            st.stop()
        del st.session_state["step.stopped"]


@contextmanager
def _turn(wanted: Hashable) -> Iterator[None]:
    """Wait while somebody else runs the same attack; their trace is ours too."""
    place = st.empty()
    while not _claim(wanted):
        place.caption("Somebody else is running this search already; their result will be used …")
        sleep(0.2)
    place.empty()
    try:
        yield
    finally:
        with _lock:
            _running.discard(wanted)


def _claim(wanted: Hashable) -> bool:
    with _lock:
        free = wanted not in _running
        _running.add(wanted)
        return free
