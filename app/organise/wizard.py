"""A new study in five steps: labels, items, checks and practice, wording, design."""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

import pandas as pd
import streamlit as st

from app.organise import draft
from app.organise.running import button, import_study
from app.shared import tables
from app.shared.pickers import plain
from core import CoreError, trace
from core.attack import Trace
from core.study import attacks, calibration, intake
from core.study.checking import explain
from core.study.creating import create
from core.study.database import Database
from core.study.intake import Intake
from core.study.items import Item, ItemKind
from core.study.wording import Wording

T = TypeVar("T")
TABLE, TEXTATTACK = "A table (CSV, JSONL)", "TextAttack results (CSV)"
TRACES, RUN = "Saved attacks (traces)", "A batch run (results, JSONL)"
LEVELS = "A batch run with levels: do both sentences say the same?"
TYPES = {  # where items come from, and what such files are called
    TABLE: ["csv", "tsv", "jsonl", "ndjson"],
    TEXTATTACK: ["csv"],
    TRACES: ["json", "npz"],
    RUN: ["jsonl"],
    LEVELS: ["jsonl"],
}
NONE = "(none)"
EXTRA: dict[ItemKind, str] = {
    "check": "Attention checks: texts whose label nobody can miss",
    "practice": "Practice: answered first, with feedback",
}
_LONG = ("consent", "instructions")


def show(database: Database) -> None:
    """All steps on one page; the study is stored by the last button."""
    with st.expander("Import a study instead"):
        import_study(database)
    draft.restore(database)
    st.caption("What you type and add is kept on the server until the study is created.")
    button(
        "Throw this draft away",
        "discard",
        lambda: draft.discard(database),
        "The draft is gone.",
        disabled=draft.is_empty(),
    )
    st.subheader("1. Name and labels", anchor=False)
    cells = st.columns(2)
    cells[0].text_input("Name of the study", key=draft.key("name"))
    cells[1].text_input("Labels, separated by commas", key=draft.key("labels"))
    labels, items = draft.labels(), draft.value("items")
    st.subheader("2. Items", anchor=False)
    _add(labels)
    _summary(items)
    st.subheader("3. Attention checks and practice", anchor=False)
    extra = _extra(labels)
    st.subheader("4. What raters read", anchor=False)
    wording = _wording()
    st.subheader("5. Design", anchor=False)
    _design()
    explanation = explain((*items, *(item for item in extra if item is not None)), draft.design())
    for problem in explanation.problems:
        st.warning(plain(problem))
    if items:
        st.markdown("\n".join(f"- {plain(fact)}" for fact in explanation.facts))
    complete = wording is not None and None not in extra
    if not complete:
        st.warning("Some fields above are incomplete; see the warnings.")

    def make() -> None:
        # From what is typed now: a click may come before the page has drawn the last letter.
        st.session_state["organise.next"] = create(database, draft.plan())
        draft.discard(database)

    button(
        "Create the study",
        "create",
        make,
        "The study is there. Give out links below.",
        type="primary",
        disabled=not (complete and explanation.possible),
    )
    _made(partial(draft.save, database))


def _made(make: Callable[[], T]) -> T | None:
    """What was typed, or None and why not; the rest of the page stays, with all that is in it."""
    try:
        return make()
    except CoreError as error:
        st.warning(plain(str(error)))
        return None


def _add(labels: Sequence[str]) -> None:
    kind = st.radio("Where they come from", list(TYPES), horizontal=True, key="wizard.kind")
    files = st.file_uploader(
        "Files", TYPES[kind], accept_multiple_files=True, key=f"wizard.files.{kind}"
    )
    if not files:
        return
    known = labels if draft.value("items") else ()  # the first attacks bring theirs
    controls = kind not in (TABLE, LEVELS) and st.checkbox(
        "Add their originals as controls", True, key="wizard.controls"
    )
    each = {_mark(file): file for file in files}  # the same file twice is one
    if kind == TRACES:
        read = [pair for file in each.values() if (pair := _trace(file))]
        if read:
            _preview(attacks.from_traces(read, known, controls=controls), "traces")
        return
    for mark, file in each.items():
        st.markdown(f"**{plain(file.name)}**")
        try:
            if kind == RUN:
                run = attacks.read_run(file.name, file.getvalue())
                taken = attacks.from_run(run, known, controls=controls)
            elif kind == LEVELS:
                taken = calibration.items_of(attacks.read_run(file.name, file.getvalue()))
            else:
                taken = _table(file, labels, textattack=kind == TEXTATTACK, controls=controls)
            _preview(taken, mark)
        except CoreError as error:  # the other files go on
            st.error(plain(str(error)))


def _trace(file: Any) -> tuple[str, Trace] | None:
    """A saved attack with the name of its file, or None and why not."""
    try:
        return file.name, trace.loads(file.getvalue(), file.name)
    except CoreError as error:
        st.error(plain(str(error)))
        return None


def _mark(file: Any) -> str:
    return hashlib.sha256(file.name.encode() + file.getvalue()).hexdigest()[:12]


def _table(file: Any, labels: Sequence[str], *, textattack: bool, controls: bool) -> Intake:
    table, mark = intake.read_table(file.name, file.getvalue()), _mark(file)
    cells = st.columns(2)
    method = cells[0].text_input(
        "Method, where no column names it", key=f"wizard.default.method.{mark}"
    )
    victim = cells[1].text_input(
        "Victim, where no column names it", key=f"wizard.default.victim.{mark}"
    )
    if textattack:
        return intake.from_textattack(
            table, labels, method=method, victim=victim, controls=controls
        )
    guessed = intake.guess(table.columns)
    choices, mapping = [NONE, *table.columns], {}
    places = [cell for _ in intake.FIELDS[::3] for cell in st.columns(3)]  # in order on a phone
    for number, field in enumerate(intake.FIELDS):
        at = choices.index(guessed.get(field, NONE))
        column = places[number].selectbox(
            f"Column of {field}",
            choices,
            at,
            key=f"wizard.{field}.{mark}",
            help="Originals are added as controls." if field == "original" else None,
        )
        if column != NONE:
            mapping[field] = column
    return intake.from_table(table, mapping, labels, method=method, victim=victim)


def _preview(taken: Intake, mark: str) -> None:
    st.caption(f"Usable items: {len(taken.items)}. Rows left out: {len(taken.faults)}.")
    if taken.faults:
        st.dataframe(_faults(taken), hide_index=True, key=f"wizard.faults.{mark}")
    if taken.items:
        st.dataframe(_rows(taken.items), hide_index=True, key=f"wizard.rows.{mark}")
        button(f"Add these {len(taken.items)} items", f"add.{mark}", partial(draft.add, taken))


def _faults(taken: Intake) -> list[dict[str, Any]]:
    """Each fault once, with its number of rows and the first of them."""
    rows: dict[str, list[int]] = {}
    for row, why in taken.faults:
        rows.setdefault(why, []).append(row)
    return [{"rows": len(at), "first row": at[0], "why": why} for why, at in rows.items()]


def _rows(items: Sequence[Item]) -> list[dict[str, str]]:
    return [
        {"method": i.group, "label": i.label, "text": i.text, "source": i.source} for i in items
    ]


def _summary(items: Sequence[Item]) -> None:
    if not items:
        st.caption("No items in the study yet: open a file and add what is in it.")
        return
    groups = Counter(item.group for item in items)
    listed = ", ".join(f"{count} {plain(group)}" for group, count in groups.items())
    st.markdown(f"**In the study so far:** {listed}")
    button("Take all items out", "clear", lambda: st.session_state.update({draft.key("items"): ()}))


@dataclass(frozen=True)
class EditableTable:
    """A small table to type into: what it began with, and the rows it holds now."""

    labels: Sequence[str]
    start: pd.DataFrame
    rows: list[dict[str, Any]]
    number: int


def _extra(labels: Sequence[str]) -> list[Item | None]:
    """Two small tables to type into; an empty row is no item."""
    extra: list[Item | None] = []
    for kind, title in EXTRA.items():
        st.caption(title)
        rows, kept = st.session_state[draft.key(kind)], f"wizard.table.{kind}"
        table = st.session_state.get(kept, EditableTable(labels, _frame(kind, rows), rows, 0))
        left = f"wizard.extra.{kind}.{table.number}" not in st.session_state
        if left or (table.labels, table.rows) != (labels, rows):  # begins with what is kept
            table = EditableTable(labels, _frame(kind, rows), rows, table.number + 1)
        typed = tables.data_editor(
            table.start,
            f"wizard.extra.{kind}.{table.number}",
            num_rows="dynamic",
            column_config={
                "text": st.column_config.TextColumn(width="medium"),
                "label": st.column_config.SelectboxColumn(options=list(labels)),
                "score": st.column_config.NumberColumn(min_value=0, max_value=4, step=1),
            },
        )
        rows = _typed_rows(typed)
        st.session_state[draft.key(kind)] = rows
        st.session_state[kept] = replace(table, rows=rows)
        with st.container():  # always there: a table that moves is drawn anew under the hand
            extra += [_made(partial(draft.extra_item, kind, row)) for row in draft.extra_rows(kind)]
    return extra


def _frame(kind: ItemKind, rows: Sequence[dict[str, Any]]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            name: pd.Series(
                [row.get(name) for row in rows], dtype="Int64" if name == "score" else "str"
            )
            for name in draft.COLUMNS[kind]
        }
    )


def _typed_rows(typed: pd.DataFrame) -> list[dict[str, Any]]:
    """The cells that are filled in, row by row."""
    rows = (
        {
            str(name): int(cell) if name == "score" else str(cell)
            for name, cell in row.items()
            if not pd.isna(cell)
        }
        for row in typed.to_dict("records")
    )
    return [row for row in rows if row]


def _wording() -> Wording | None:
    with st.expander("Consent, instructions, questions, scale"):
        for field in fields(Wording):
            title, key = field.name.replace("_", " ").capitalize(), f"wording.{field.name}"
            if field.name == "scale":
                st.text_area(f"{title}, five lines from 0 to 4", height=150, key=draft.key(key))
            else:
                draw = st.text_area if field.name in _LONG else st.text_input
                draw(title, key=draft.key(key))
        return _made(draft.wording)


def _design() -> None:
    button(
        "As in the paper",
        "paper",
        draft.as_in_the_paper,
        help="Three raters, each of whom judges every item.",
    )
    cells = st.columns(3)
    cells[0].number_input("Raters per item", 1, 100, key=draft.key("per_item"))
    cells[1].number_input("Raters", 1, 1000, key=draft.key("raters"))
    cells[2].number_input("Seed", 0, 10**6, key=draft.key("seed"))
    if st.toggle("A rater may see several variants of one sentence", key=draft.key("variants")):
        st.number_input("At least so many places apart", 1, 1000, key=draft.key("gap"))
    # At the end of this day the links stop to open; a kept day that is over stays, and is told.
    today = datetime.now(UTC).date()
    st.date_input(
        "Last day of the study (UTC), if it has one",
        None,
        min_value=min(today, draft.value("closes") or today),
        key=draft.key("closes"),
    )
