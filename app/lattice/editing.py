"""Editing the search space: what the lattice tells, and a form for words of one's own."""

from dataclasses import replace
from typing import Any

import streamlit as st

from app.shared import pickers
from app.shared.components import heard, whole_numbers
from app.shared.question import Question
from core import CoreError
from core.edits import Edits


def take() -> None:
    """Take over the locked words and removed substitutes that the lattice tells of."""
    match heard("lattice", "edited"):
        case {"locked": locked, "removed": [*pairs]}:
            removed = tuple((at, word) for at, word in map(_pair, pairs) if word)
            now: Edits = st.session_state["edits"]
            added = tuple(pair for pair in now.added if pair not in removed)
            st.session_state["edits"] = Edits(whole_numbers(locked), removed, added)


def _pair(value: Any) -> tuple[int, str]:
    """A position and a word from a browser; no word if it is not that."""
    match value:
        case [int(at), str(word)]:
            return at, word
    return 0, ""


def show(question: Question) -> None:
    """A form to add a substitute, and what has been edited so far."""
    space, edits = question.space, question.spec.edits
    names = {f"{at + 1} {column[0]}": at for at, column in enumerate(space.choices)}
    with st.expander("Edit the search space", expanded=edits.any):
        st.caption(
            "In the lattice, “Edit words” locks a word or removes a substitute by a click; with "
            "the keyboard, L locks and Delete removes. Words of your own are added here."
        )
        with st.form("add", clear_on_submit=True, border=False):
            cells = st.columns([2, 2, 1], vertical_alignment="bottom")
            where = cells[0].selectbox("Word", names, key="add.where")
            word = cells[1].text_input("Substitute of your own", key="add.word", max_chars=60)
            if cells[2].form_submit_button("Add", key="add.send", width="stretch"):
                _add(question, names[str(where)], word or "")
        for line in edit_lines(question):
            st.caption(pickers.plain(line))
        if edits.any:
            st.button("Undo all edits", key="unedit", on_click=_set, args=[Edits()])


def edit_lines(question: Question) -> list[str]:
    origin = [column[0] for column in question.space.choices]
    edits = question.spec.edits
    return [
        *(f"Locked: {origin[at]} (word {at + 1})" for at in edits.locked if 0 <= at < len(origin)),
        *(f"Removed: {word} (word {at + 1})" for at, word in edits.removed),
        *(f"Added: {word} (word {at + 1})" for at, word in edits.added),
    ]


def _add(question: Question, position: int, word: str) -> None:
    try:
        _set(replace(question.spec.edits).add(question.space, position, word))
    except CoreError as error:
        st.error(pickers.plain(str(error)))
    else:
        st.rerun()


def _set(edits: Edits) -> None:
    st.session_state["edits"] = edits
