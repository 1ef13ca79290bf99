"""A new experiment as a form: data, victims, substitutes, searches and limits."""

from collections.abc import Mapping
from dataclasses import asdict
from io import BytesIO
from itertools import islice
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from app.results import experiments
from app.shared import choices, door, own_tables
from app.shared.pickers import options, plain
from core import VICTIMS, CoreError
from core.errors import InputError, require
from core.experiment.data import BUNDLED, MOST_LABELS, FileRow, source_of
from core.experiment.inputs import label_of
from core.experiment.plan_file import make_plan
from core.experiment.readers import Broken, rows_in
from core.experiment.uploads import KINDS, Upload, read_upload
from core.search import registered
from core.tasks import Task, task_named
from core.tasks.classification import Classification
from core.untrusted import is_unicode

OWN: Final = "A file of your own"
SEEN: Final = 1_000  # rows that the labels are looked for in
SHOWN: Final = 5  # rows of the preview
LONGEST: Final = 200  # characters of a cell that is shown


def show() -> None:
    """The form; its button starts the experiment in the background."""
    cells, below = st.columns(2), st.container()
    name = cells[0].text_input("Name", "my-experiment", key="new.name")
    victims = below.multiselect(
        "Victims, all of one task", options(VICTIMS, "toy"), ["bilstm-sst2"], key="new.victims"
    )
    task: Task = task_named(victims[0]) if victims else Classification()
    source, upload = _data(cells[1], name.strip(), task)
    cells = st.columns(2)
    words = cells[0].multiselect(
        "Substitutes", own_tables.without_file("toy"), ["sememe"], key="new.words"
    )
    searches = cells[1].multiselect(
        "Searches",
        choices.for_any_space(),
        registered(choices.EXPERIMENT),
        format_func=choices.title,
        key="new.searches",
    )
    limits, seeds = _limits()
    content = {
        "name": name.strip(),
        "data": source,
        "victims": victims,
        "substitutions": words,
        "searches": [
            {"method": key, "seeds": seeds} if choices.card(key).randomised else key
            for key in searches
        ],
        "limits": limits,
        "proofs": st.toggle("Prove which sentences can fall at all, and how", key="new.proofs"),
    }
    st.button(
        "Start",
        key="new.go",
        type="primary",
        on_click=_start,
        args=(content, upload),
        disabled=not (source and victims and words and searches),
    )
    if message := st.session_state.pop("new.error", ""):
        st.error(plain(message))


def _data(place: DeltaGenerator, name: str, task: Task) -> tuple[dict[str, Any], Upload | None]:
    """Where the rows come from, empty while nobody can tell, and the file if one is uploaded."""
    bundled = [data for data, key in BUNDLED.items() if key == task.key]
    data = place.selectbox("Data", [*bundled, OWN], key="new.data")
    if data != OWN:
        return {"bundled": data}, None
    file = st.file_uploader("CSV, TSV, JSONL or Parquet", list(KINDS), key="new.file")
    upload = None
    if file:
        try:
            upload = _upload(file)
            return _columns(upload, experiments.data_name(name, upload.kind), task), upload
        except CoreError as error:
            st.error(plain(str(error)))
    return {}, upload


def _limits() -> tuple[dict[str, Any], int]:
    """The limits of the plan, and the runs of a random search."""
    first, second, third, fourth = st.columns(4)
    rows = first.number_input("Sentences, at most", 1, 100_000, 30, key="new.rows")
    seeds = second.number_input("Runs of a random search", 1, 30, 3, key="new.seeds")
    budget = third.number_input("Budget, queries", 1, 100_000, 2_000, key="new.budget")
    share = fourth.number_input("Words changed, at most %", 1, 100, 25, key="new.share")
    hard = st.toggle("Keep to that limit during the search, not only at its end", key="new.hard")
    limits = {
        "modification": share / 100,
        "enforced": "constraint" if hard else "post-check",
        "budget": budget,
        "rows": rows,
    }
    return limits, seeds


def _start(content: Mapping[str, Any], upload: Upload | None) -> None:
    if not door.allowed():
        return
    try:
        plan = make_plan(content, "The experiment")
        experiments.begin(plan, upload.content if upload else None)
        st.session_state["experiment"] = plan.name
    except (CoreError, OSError) as error:
        st.session_state["new.error"] = str(error)


def _upload(file: UploadedFile) -> Upload:
    """The table in a file, which is measured once, not whenever the page is drawn."""
    known: tuple[str, Upload | str] = st.session_state.get("new.upload", ("", ""))
    if known[0] != file.file_id:
        try:
            known = file.file_id, read_upload(file.name, file.getvalue())
        except CoreError as error:
            known = file.file_id, str(error)
        st.session_state["new.upload"] = known
    if isinstance(known[1], str):
        raise InputError(known[1])
    return known[1]


def _columns(upload: Upload, name: str, task: Task) -> dict[str, Any]:
    """Which column is what, and what the file calls the labels; empty if it cannot be used."""
    columns = list(upload.columns)
    cells = st.columns(2 + len(task.context))
    text = cells[0].selectbox("Column of the text", columns, key="new.text")
    reference = task.reference.title.lower()
    label = cells[1].selectbox(f"Column of the {reference}", columns[::-1], key="new.label")
    context = {
        field.key: cell.selectbox(f"Column of the {field.key}", columns, key=f"new.{field.key}")
        for cell, field in zip(cells[2:], task.context, strict=True)
    }
    source = {"file": name, "text": text, "reference": label, "context": context}
    rows = list(islice(rows_in(BytesIO(upload.content), name, source_of(source)), SEEN))
    st.dataframe([_shown(row) for row in rows[:SHOWN]], hide_index=True, key="new.preview")
    if not task.choices:
        return source
    values = sorted({label_of(row.reference) for row in rows if isinstance(row, FileRow)} - {""})
    require(
        0 < len(values) <= MOST_LABELS and all(map(_is_label, values)),
        f"The column {label} has {len(values):,} different values, or long ones: no labels.",
    )
    names = list(task.choices)
    if not set(values) <= set(names):
        st.caption("What the file calls the labels of the victim:")
        cells = st.columns(len(values))
        chosen = {
            value: cell.selectbox(plain(value), names, at % len(names), key=f"new.label.{value}")
            for at, (value, cell) in enumerate(zip(values, cells, strict=True))
        }
        return {**source, "labels": chosen}
    return source


def _shown(row: FileRow | Broken) -> dict[str, str]:
    """A row of the preview; what is not UTF-8 is written out."""
    cells = asdict(row)
    context = cells.pop("context", {})
    return {
        name: str(value)[:LONGEST].encode(errors="backslashreplace").decode()
        for name, value in {**cells, **context}.items()
        if value != ""
    }


def _is_label(value: str) -> bool:
    return len(value) <= LONGEST and is_unicode(value)
