"""Step through a search: every move, what was rejected for it, and the algorithm beside it."""

from typing import Any

import pandas as pd
import streamlit as st

from app import pickers, question, running, traces
from app.stepper import opened, stepper, stepper_data
from core import SEARCHES, CoreError, trace
from core.search.baselines import Exhaustive
from core.spreadsheet import csv_text
from core.trace import Trace

VERDICT = {
    "success": ("success", "The attack succeeds: the victim changes its mind."),
    "over_limit": ("warning", "The label flips, but only with more changed words than allowed."),
    "failed": ("info", "The attack fails: the search found no sentence that flips the label."),
    "budget": ("info", "The budget was spent before the label flipped."),
    "skipped": ("info", "There is nothing to attack: the original already reaches the goal."),
    "cancelled": ("info", "The search was stopped before the label flipped."),
}


def choose() -> Trace | None:
    """The trace to show: of a file, or of a search on the question; None while that runs."""
    if file := st.session_state.get("step.file"):
        st.caption(
            f"This is {pickers.plain(file.name)}. Remove the file to go back to your sentence."
        )
        return trace.loads(file.getvalue(), file.name)
    asked = question.ask()
    limit = Exhaustive().limit
    options = [key for key in SEARCHES if key != "exhaustive" or asked.space.size <= limit]
    cells = st.columns([2, 2, 2, 1.4], vertical_alignment="bottom")
    search = pickers.pick(cells[0], "Search", options, "search", traces.name)
    budget = pickers.number(cells[1], "Budget, queries", 2_000, "budget", 1, 100_000)
    seed = 0
    if search in traces.RANDOMISED:
        seed = pickers.number(cells[2], "Seed", 0, "seed", 0, 1_000_000)
    elif "exhaustive" not in options:
        cells[2].caption(f"Exhaustive search is out: it stops at {limit:,} sentences.")
    options = pickers.settings("search_option", search)
    return running.find_trace("step", asked, search, seed, budget, options)


@st.fragment
def play(data: dict[str, Any]) -> None:
    """The stepper; it plays in the browser and tells the step it has come to."""

    def told() -> None:
        st.session_state["step.at"] = st.session_state["stepper"]["step"]

    stepper(data, key="stepper", on_step=told)
    pickers.address("step", str(st.session_state["step.at"] or ""))


st.markdown(
    "**How a search finds its sentence**, move by move: press play, or step with the arrow keys. "
    "Every dot is a change that was tried; the ringed one was taken."
)
place, files = st.container(), st.container(horizontal=True)
with files.popover("Open a trace file"):
    st.file_uploader("A trace, .json or .npz", ["json", "npz"], key="step.file")
with place:
    try:
        shown = choose()
        if shown is None:
            st.stop()
        data = stepper_data(shown)
    except CoreError as error:
        st.error(pickers.plain(str(error)))
        st.stop()
    data["start"] = opened(data)
    play(data)
    kind, verdict = VERDICT[shown.result.status]
    getattr(st, kind)(verdict)
rows = trace.rows(shown.space, shown.result.steps)
with st.expander("Every step as a table"):
    table = pd.DataFrame(rows).drop(columns="text")
    st.dataframe(table, hide_index=True, width="stretch", key="steps")
for name, file, made in (
    ("Trace (JSON)", "trace.json", lambda: trace.dumps(shown)),
    ("Steps (CSV)", "steps.csv", lambda: csv_text(rows)),
):  # a run of the page would take away the file that the click has asked for
    files.download_button(name, made, file, key=file, on_click="ignore")
