"""The parts of pages that run in the browser: a script, its style and its HTML under one name."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from core import bundle
from core.space import SearchSpace


def component(name: str) -> ComponentRenderer:
    """The component of assets/scripts whose script exports ``mount`` and its name."""
    return st.components.v2.component(
        f"swapscope_{name}",
        html=bundle.fragment(f"{name}.html"),
        css=bundle.style(f"{name}.css"),
        js=bundle.script(f"{name}.js", last=f"export default mount{name.capitalize()};"),
    )


def heard(name: str, event: str) -> Any:
    """What a component has just told, None if it is nothing; anybody can send anything."""
    state: Any = st.session_state.get(name)
    return state.get(event) if isinstance(state, Mapping) else None


def whole_number(value: Any) -> int | None:
    """A number from a browser, if it is one."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def whole_numbers(value: Any) -> tuple[int, ...]:
    """The numbers in a list from a browser."""
    found = map(whole_number, value) if isinstance(value, list | tuple) else ()
    return tuple(number for number in found if number is not None)


def columns_of(
    space: SearchSpace, kept: Sequence[Sequence[int]] | None = None
) -> list[dict[str, Any]]:
    """The columns of a lattice: all words with their reasons, or those kept in each column."""
    kept = kept or [range(len(words)) for words in space.choices]
    rows = zip(space.choices, space.reasons, space.notes, kept, strict=True)
    return [
        {"choices": [words[c] for c in some], "reasons": [why[c] for c in some], "note": note}
        for words, why, note, some in rows
    ]
