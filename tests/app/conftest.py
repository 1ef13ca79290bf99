"""To Streamlit all tests are one session; here each has a session, and a server, of its own."""

from weakref import WeakValueDictionary

import pytest

from app import jobs, traces
from app.jobs import Jobs
from app.traces import Store
from app.visitor import Visitor

ME = Visitor("10.0.0.1", "me")


@pytest.fixture(autouse=True)
def _new_session(monkeypatch: pytest.MonkeyPatch) -> None:
    held: dict[str, Jobs] = {}

    def session_jobs(purpose: str) -> Jobs:
        if purpose not in held:
            held[purpose] = Jobs(ME, jobs.turns_of(purpose))
        return held[purpose]

    monkeypatch.setattr(jobs, "session_jobs", session_jobs)
    monkeypatch.setattr(traces, "_traces", Store())
    monkeypatch.setattr(traces, "_under_way", WeakValueDictionary())
