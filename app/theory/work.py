"""What the parts share: a smaller space, long work that can be stopped, tables to take away."""

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.shared import jobs, pickers, running, words
from app.shared.jobs import Computation
from app.shared.question import Question
from core import Goal, theory
from core.narrate.words import count
from core.objective import Floats
from core.space import SearchSpace
from core.spreadsheet import csv_text
from core.theory import Progress

T = TypeVar("T")

MOST = 200_000  # queries for one click
FINISHED = "finished"  # in an address: the part that is shown was computed, so a link computes it

# Formulas neither scroll in a box of their own nor break.
STYLE = """<style>
.katex-display { overflow: visible !important; font-size: clamp(.8rem, 3.4vw, 1.1rem); }
td .katex { white-space: nowrap; }
</style>"""


def trim(question: Question) -> SearchSpace | None:
    """Two sliders that make the space small enough to look at all of it, without what matters less.

    None as long as it is being found out what matters.
    """
    space = question.space
    widest = max(1, int(space.counts.max(initial=0)))
    changeable = max(1, int((space.counts > 0).sum()))
    cells = st.columns(2)
    most = pickers.slide(
        cells[0], "Substitutes for each word", 2, "most", 1, min(widest, 10), step=1
    )
    words = pickers.slide(
        cells[1], "Words that may change", 7, "first", 1, min(changeable, 20), step=1
    )
    if most >= widest and words >= changeable:
        return space
    st.caption(
        "Kept are the substitutes that raise f most on their own, at the words where one does; "
        f"which ones these are is asked first, with {count(space.elements, 'query')}."
    )
    if refused(space.elements):
        return None
    gains = _recorded_gains(question)
    if gains is None:
        steps = partial(theory.gains_alone, space, question.goal)
        gains = computed(question, "alone", (), "Find what matters", steps, at_once=True)
    return None if gains is None else theory.mattering(space, gains, most, words)


def _recorded_gains(question: Question) -> Floats | None:
    """The gains of single substitutes where a recording has them: then no victim is needed."""
    if question.recorded is None:
        return None
    start, sweep = question.recorded.trace.result.steps[:2]
    return np.asarray(sweep.tried.scores - start.current.score)


def goal_on(question: Question, space: SearchSpace) -> Goal:
    """What the attack maximises, on a part of the question's space."""
    if space is question.space:
        return question.goal
    return question.spec.goal_on(question.victim, space)


def table_of(question: Question, space: SearchSpace) -> Floats | None:
    """f of every sentence of a small space, asked for once by a button; None before that."""
    size = words.product(space)
    st.markdown(
        rf"$N=\prod_i(1+\vert B_i\vert)$: **{size}** sentences, and as many queries "
        f"(the limit is {MOST:,})."
    )
    if refused(space.size):
        return None
    return computed(
        question,
        "table",
        space.choices,
        f"Enumerate {count(space.size, 'sentence')}",
        lambda: theory.tabulate_steps(space, goal_on(question, space), MOST),
    )


def refused(queries: int) -> bool:
    """Say that something is too much, if it is."""
    if queries > MOST:
        st.error(
            f"This would ask the victim {queries:,} times; the limit is {MOST:,}. "
            "Take fewer substitutes or fewer words."
        )
    return queries > MOST


def computed(
    question: Question,
    name: str,
    of: Hashable,
    label: str,
    steps: Callable[[], Generator[Progress, None, T]],
    *,
    at_once: bool = False,
) -> T | None:
    """The result of a long computation, kept for this visitor; a button or a link starts it.

    It runs in the background, so that the page can be used meanwhile, until it is stopped, or the
    question or its own settings change.
    """
    held, key = jobs.session_jobs("theory"), (question.scoring_key, name, of)
    held.drop(lambda other: other[1] == name and other != key)
    task, place = held.get(key), st.empty()
    starts = at_once or _is_linked()
    if task is None or task.cancelled or task.error:
        if not (starts and task is None) and not _asked_for(place, name, label, task):
            pickers.address(FINISHED)
            return None
        place.empty()
        held.begin(key, lambda: Computation(steps())).wait(running.MOMENT)
        task = held.get(key)
    assert task is not None
    if not at_once:  # what begins by itself is no part that a link could bring
        pickers.address(FINISHED, "true")
    if task.running and not task.cancelled:
        with place.container():
            running.watch("theory", key, _tell, name=f"theory.{name}.stop")
        return None
    if task.result is None:
        st.rerun()  # it broke off at once, which is told above
    found: T | None = task.result
    return found


def _is_linked() -> bool:
    """Whether a link, when it is opened, asks for the result of the part that it shows."""
    opened = pickers.came_back() or "theory.opened" not in st.session_state
    st.session_state["theory.opened"] = True
    return opened and st.query_params.get(FINISHED) == "true"


def _asked_for(
    place: DeltaGenerator, name: str, label: str, task: Computation[Progress, Any] | None
) -> bool:
    """A button that starts a computation, and why the last one has no result."""
    with place.container():
        if task is not None and task.error:
            st.error(pickers.plain(task.error))
        elif task is not None:
            st.info("Stopped; nothing was kept.")
        return st.button(label, key=f"theory.{name}.go", type="primary")


def _tell(task: Computation[Progress, Any]) -> tuple[float, str]:
    """How far a computation is."""
    done, total, unit = task.last or Progress(0, 0)
    progress_text = f"{done:,} of {total:,} {unit}" if total else f"{done:,} {unit} so far"
    return done / total if total else 0.0, progress_text


def symbols(place: DeltaGenerator, rows: Mapping[str, str]) -> None:
    """Every symbol of a formula with what it is on screen; the meanings are Markdown."""
    body = "\n".join(f"| ${symbol}$ | {meaning} |" for symbol, meaning in rows.items())
    place.markdown(f"| symbol | here |\n|---|---|\n{body}")


def show_table(
    rows: Sequence[Mapping[str, Any]], name: str, columns: Mapping[str, Any] | None = None
) -> None:
    """Rows as a table, and as a file to take away."""
    look: dict[str, Any] = {"hide_index": True, "width": "stretch", "column_config": columns}
    st.dataframe(list(rows), key=f"{name}.table", **look)
    file("Table (CSV)", name, lambda: rows)


def file(label: str, name: str, rows: Callable[[], Sequence[Mapping[str, Any]]]) -> None:
    """Rows to take away, made when they are asked for."""
    place, raw = st.container(), pickers.raw_cells(name)
    place.download_button(
        label,
        lambda: csv_text(rows(), raw=raw),
        f"{name}.csv",
        "text/csv",
        key=f"{name}.csv",
        on_click="ignore",
    )


def show_figure(figure: go.Figure, name: str, alt: str) -> None:
    """A figure, described in words for those who do not see it."""
    st.plotly_chart(figure, width="stretch", key=name, config={"displaylogo": False}, alt=alt)
