"""Step through a search: every move, what was rejected for it, and the algorithm beside it."""

from typing import Any

import pandas as pd
import streamlit as st

from app.prove import panel
from app.shared import choices, exchanges, glossary, levels, pickers, running, traces
from app.shared.components import heard, whole_number
from app.shared.jobs import Kept
from app.shared.question import Question, ask, stop_if_empty
from app.step import answers
from app.step.stepper import opened, stepper, stepper_data
from app.theory import by_hand
from core import SEARCHES, CoreError, trace
from core.attack import Trace
from core.errors import require
from core.options import Choice, ignored
from core.spreadsheet import csv_text

DRAWN = 3  # times the memory of a trace, at most, with all that is drawn of it


def choose() -> tuple[Trace | None, Question | None]:
    """The trace to show, None while its search runs, and its question; a file has none."""
    if file := st.session_state.get("step.file"):
        st.caption(
            f"This is {pickers.plain(file.name)}. Remove the file to go back to your sentence."
        )
        return traces.opened(file.getvalue(), file.name), None
    with st.container(key="form_step"):
        question = ask()
        search, seed, budget, settings = choose_search(question)
    stop_if_empty(question)
    return running.find_trace("step", question, search, seed, budget, settings), question


def choose_search(question: Question) -> tuple[str, int, int, tuple[str, ...]]:
    """The search, its seed, its budget and its settings."""
    options, excluded = choices.for_space(question.space)
    cells = st.columns([2, 2, 2, 1.4], vertical_alignment="bottom")
    search = pickers.pick(cells[0], "Search", options, "search", choices.title)
    budget = pickers.number(cells[1], "Budget, queries", 2_000, "budget", 1, 100_000)
    seed = 0
    if choices.card(search).randomised:
        seed = pickers.number(cells[2], "Seed", 0, "seed", 0, 1_000_000)
    if excluded:
        st.caption(excluded)
    settings = pickers.settings("search_option", search, question.spec.search.options)
    settings = exchanges.settings_with_exchange(cells[2], search, settings)
    pickers.address("search_option", *settings)
    for note in ignored(SEARCHES[search], settings):
        st.caption(note)
    levels.show(cells[3], question, question.by(Choice(search, settings), seed, budget))
    return search, seed, budget, settings


def make_room(shown: Trace) -> None:
    """Count the trace, and what is drawn of it, to the memory of the server, or refuse it."""
    kept = st.session_state.setdefault("step.kept", Kept())
    kept.nbytes = 0
    size = DRAWN * shown.nbytes
    require(
        kept.has_room(size),
        "The memory of this server is full: close other tabs, or try again later.",
    )
    kept.nbytes = size


@st.fragment
def play(data: dict[str, Any]) -> None:
    """The stepper; it plays in the browser, writes its step into the address, and tells it here."""

    def remember_step() -> None:
        st.session_state["step.at"] = whole_number(heard("stepper", "step")) or 0

    stepper(data, key="stepper", on_step=remember_step)


st.markdown(
    "**How a search finds its sentence**, move by move: press play, or step with the arrow keys. "
    "Every dot is a change that was tried; the ringed one was taken."
)
glossary.show("victim", "substitute", "query", "request", "score", "limit", "certificate")
place, files = st.container(), st.container(horizontal=True)
with files.popover("Open a trace file"):
    st.file_uploader("A trace, .json or .npz", ["json", "npz"], key="step.file")
by_hand.choose_on(files.popover("Set functions E1 to E8"))
with place:
    try:
        shown, question = choose()
        if shown is None:
            st.stop()
        make_room(shown)
        data = stepper_data(shown)
    except CoreError as error:
        st.error(pickers.plain(str(error)))
        st.stop()
    data["start"] = opened(data)
    play(data)
    if question is not None:
        answers.show(shown)
        panel.offer(question)
raw = pickers.raw_cells("step")
with st.expander("Every step as a table"):
    table = pd.DataFrame(trace.rows(shown.space, shown.result.steps)).drop(columns="text")
    st.dataframe(table, hide_index=True, width="stretch", key="steps")
for name, file, content in (
    ("Trace (JSON)", "trace.json", lambda: trace.dumps(shown))
    if trace.fits_json(shown)
    else ("Trace (NPZ)", "trace.npz", lambda: trace.packed(shown)),
    (
        "Steps (CSV)",
        "steps.csv",
        lambda: csv_text(trace.rows(shown.space, shown.result.steps), raw=raw),
    ),
):  # a run of the page would take away the file that the click has asked for
    files.download_button(name, content, file, key=file, on_click="ignore")
