"""A new experiment as a form: data, victims, substitutes, searches and limits."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from app import door, experiments
from app.pickers import options, plain
from app.traces import name as search_name
from core import SEARCHES, SUBSTITUTIONS, VICTIMS, CoreError
from core.errors import InputError, require
from core.experiment.plan import BUNDLED
from core.experiment.plan_file import make_plan
from core.search import RANDOMISED

OWN: Final = "A file of your own"
KINDS: Final = ("csv", "tsv", "jsonl", "parquet")
MOST_LABELS: Final = 20  # more values are no labels
NONE: Final = "(none)"


def show() -> None:
    """The form; its button starts the experiment in the background."""
    cells = st.columns(2)
    name = cells[0].text_input("Name", "my-experiment", key="new.name")
    data = cells[1].selectbox("Data", [*BUNDLED, OWN], key="new.data")
    file: UploadedFile | None = None
    source: dict[str, Any] = {"bundled": data}
    victims = st.multiselect(
        "Victims, all of one task", options(VICTIMS, "toy"), ["bilstm-sst2"], key="new.victims"
    )
    if data == OWN:
        file = st.file_uploader("CSV, TSV, JSONL or Parquet", list(KINDS), key="new.file")
        source = _columns(file, victims) if file else {}
    cells = st.columns(2)
    words = cells[0].multiselect(
        "Substitutes", options(SUBSTITUTIONS, "toy"), ["sememe"], key="new.words"
    )
    known = [key for key in SEARCHES if key != "exhaustive"]
    searches = cells[1].multiselect(
        "Searches", known, ["ls", "greedy", "pso"], format_func=search_name, key="new.searches"
    )
    first, second, third, fourth = st.columns(4)
    rows = first.number_input("Sentences, at most", 1, 100_000, 30, key="new.rows")
    seeds = second.number_input("Runs of a random search", 1, 30, 3, key="new.seeds")
    budget = third.number_input("Budget, queries", 1, 100_000, 2_000, key="new.budget")
    share = fourth.number_input("Words changed, at most %", 1, 100, 25, key="new.share")
    hard = st.toggle("Keep to that limit during the search, not only at its end", key="new.hard")
    content = {
        "name": name.strip(),
        "data": source,
        "victims": victims,
        "substitutions": words,
        "searches": [
            {"method": key, "seeds": seeds} if key in RANDOMISED else key for key in searches
        ],
        "limits": {
            "modification": share / 100,
            "enforced": "constraint" if hard else "post-check",
            "budget": budget,
            "rows": rows,
        },
    }
    st.button(
        "Start",
        key="new.go",
        type="primary",
        on_click=_start,
        args=(content, file),
        disabled=not (source and victims and words and searches),
    )
    if said := st.session_state.pop("new.error", ""):
        st.error(plain(said))


def _start(content: Mapping[str, Any], file: UploadedFile | None) -> None:
    if not door.allowed():
        return
    try:
        plan = make_plan(content, "The experiment")
        require(
            plan.name not in experiments.found(),
            f"There is an experiment {plan.name} already; give this one another name.",
        )
        if file:
            (experiments.folder() / plan.data.file).write_bytes(file.getvalue())
        experiments.start(plan)
        st.session_state["experiment"] = plan.name
    except (CoreError, OSError) as error:
        st.session_state["new.error"] = str(error)


def _columns(file: UploadedFile, victims: list[str]) -> dict[str, Any]:
    """Which column is what, and what the file calls the labels; empty if it cannot be read."""
    try:
        frame = read_some(file.name, file.getvalue())
    except InputError as error:
        st.error(plain(str(error)))
        return {}
    st.dataframe(frame.head(5), hide_index=True, key="new.preview")
    columns = list(map(str, frame.columns))
    pair = any(VICTIMS[key].card.get("needs_premise") for key in victims)
    cells = st.columns(3 if pair else 2)
    text = cells[0].selectbox("Column of the text", columns, key="new.text")
    label = cells[1].selectbox("Column of the label", columns[::-1], key="new.label")
    source = {"file": file.name, "text": text, "label": label}
    if pair:
        source["premise"] = cells[2].selectbox("Column of the premise", columns, key="new.premise")
    values = sorted(map(str, frame[label].dropna().unique()))
    if not 0 < len(values) <= MOST_LABELS:
        st.error(f"The column {plain(label)} has {len(values):,} different values: no labels.")
        return {}
    names = list(VICTIMS[victims[0]].card.get("labels", ())) if victims else []
    if names and not set(values) <= set(names):
        st.caption("What the file calls the labels of the victim:")
        cells = st.columns(len(values))
        told = {
            value: cell.selectbox(plain(value), names, at % len(names), key=f"new.label.{value}")
            for at, (value, cell) in enumerate(zip(values, cells, strict=True))
        }
        return {**source, "labels": told}
    return source


def read_some(name: str, content: bytes) -> pd.DataFrame:
    """The first rows of a table, as far as they can be read."""
    readers = {
        "csv": lambda file: pd.read_csv(file, nrows=1_000),
        "tsv": lambda file: pd.read_csv(file, sep="\t", nrows=1_000, quoting=3),
        "jsonl": lambda file: pd.read_json(file, lines=True, nrows=1_000),
        "parquet": pd.read_parquet,
    }
    kind = name.rpartition(".")[2].lower()
    try:
        frame: pd.DataFrame = readers[kind](BytesIO(content))
    except Exception as error:  # whatever pandas finds wrong with a stranger's file
        raise InputError(f"{name} cannot be read as {kind.upper()}: {error}") from error
    require(len(frame.columns) >= 2, f"{name} needs a column of texts and one of labels.")
    return frame
