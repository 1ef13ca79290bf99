"""The parts of pages that run in the browser: a script, its style and its HTML under one name."""

from collections.abc import Mapping
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from core import bundle


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
