"""Each test of a page has a session, a server and an own machine, unless it opens the server."""

from collections.abc import Iterator
from typing import Any
from weakref import WeakSet, WeakValueDictionary

import pytest
from streamlit import config

from app.shared import jobs, traces
from app.shared.jobs import Jobs
from app.shared.traces import Store
from app.shared.turns import Turns
from tests.toys.held import Gate
from tests.toys.turns import ME, PLENTY, Clock


@pytest.fixture(autouse=True)
def _new_session(monkeypatch: pytest.MonkeyPatch) -> None:
    held: dict[str, Jobs[Any]] = {}

    def session_jobs(purpose: str) -> Jobs[Any]:
        if purpose not in held:
            held[purpose] = Jobs(ME, jobs.turns_of(purpose))
        return held[purpose]

    monkeypatch.setattr(jobs, "session_jobs", session_jobs)
    for kept in ("_everybody", "_beside"):
        monkeypatch.setattr(jobs, kept, WeakSet())
    monkeypatch.setattr(traces, "_traces", Store())
    monkeypatch.setattr(traces, "_under_way", WeakValueDictionary())


def listening_on(address: str) -> Iterator[None]:
    """As if the server were started so."""
    before = config.get_option("server.address")
    config.set_option("server.address", address)
    yield
    config.set_option("server.address", before)


@pytest.fixture(autouse=True)
def own_machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("SWAPSCOPE_ADDRESS", raising=False)
    yield from listening_on("localhost")


@pytest.fixture
def open_server(own_machine: None) -> Iterator[None]:
    yield from listening_on("0.0.0.0")


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
