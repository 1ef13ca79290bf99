"""What a page shows while something runs in the background: how far it is, and a way to stop it."""

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, Final

import streamlit as st

from app.shared import choices, jobs, traces
from app.shared.jobs import BackgroundTask
from app.shared.question import Question
from app.shared.turns import waiting_text
from core import Attack, CoreError, Step
from core.attack import Trace
from core.narrate.words import count

MOMENT: Final = 0.3  # seconds; what is over by then needs no progress
POLL: Final = 0.5  # seconds between two looks


def watch(
    purpose: str,
    key: Hashable,
    tell: Callable[[Any], tuple[float, str]],
    *,
    name: str,
    stop: str = "Stop",
) -> None:
    """Show how far a job of this session is, until it is over; then the page is drawn anew."""

    def look() -> None:
        held = jobs.session_jobs(purpose)
        task: BackgroundTask[Any, Any] | None = held.get(key)
        if task is None or task.cancelled or not task.running:
            st.rerun()
        share, progress_text = (0.0, waiting_text(task.before)) if task.waiting else tell(task)
        st.progress(min(1.0, share), progress_text)
        st.button(stop, key=name, on_click=held.cancel, args=[key])

    st.fragment(look, run_every=POLL)()


def find_trace(
    purpose: str,
    question: Question,
    search: str,
    seed: int,
    budget: int,
    options: tuple[str, ...] = (),
) -> Trace | None:
    """The trace of a search: one that is known, or else the search runs; None until it is over."""
    wanted = question, search, seed, budget, options
    key, held = traces.key(*wanted), jobs.session_jobs(purpose)
    held.drop(lambda other: other != key)  # another search, or another seed of it
    if found := traces.known(*wanted):
        return found
    job = held.get(key)
    if job is not None and job.cancelled and not job.error:
        st.info("The search was stopped before its end.")
        st.button("Run it again", key=f"{purpose}.again", on_click=held.forget, args=[key])
        return None
    if job is None:
        held.begin(key, partial(traces.job, *wanted)).wait(MOMENT)
        job = held.get(key)
    assert job is not None
    if job.error:
        held.forget(key)
        raise CoreError(job.error)
    if job.running:
        tell = partial(_progress_of, choices.title(search), budget)
        watch(purpose, key, tell, name=f"{purpose}.stop", stop="Stop the search")
        return None
    if job.result is None or job.result.status == "cancelled":  # given up in this very moment
        held.forget(key)
        st.rerun()
    return traces.known(*wanted) or traces.keep(question, search, seed, budget, job.result, options)


def _progress_of(name: str, budget: int, job: jobs.Job) -> tuple[float, str]:
    progress_text = progress(job.attack, name, job.last) if job.last else f"{name} …"
    return job.queries / budget, progress_text


def progress(attack: Attack, name: str, step: Step) -> str:
    """How far an attack is, without the score where the search must not see it."""
    best = "" if attack.label_only else f", best {attack.goal.measure.told(step.best.score)}"
    return f"{name}: {count(step.queries, 'query', 'queries')}{best} …"
