"""The word lattice as a component: plain data in, the visitor's whole selection out."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from core.assets import FOLDER

HTML = """
<div class="explore">
  <div class="stage"></div>
  <div class="tools">
    <button class="edit" aria-pressed="false">Edit words</button>
    <button class="copy">Copy sentence</button>
    <button class="link">Copy link</button>
    <button class="svg">SVG</button>
    <button class="png">PNG</button>
    <span class="said" role="status"></span>
  </div>
</div>
"""


def source(*names: str) -> str:
    """Files of the lattice one after the other: pages share its class, and nothing is built."""
    return "\n".join((FOLDER / "lattice" / name).read_text(encoding="utf-8") for name in names)


_component = st.components.v2.component(
    "swapscope_lattice",
    html=HTML,
    css=source("lattice.css", "explore.css"),
    js=source("lattice.js", "explore.js"),
)


def lattice(
    data: Mapping[str, Any], *, key: str, on_pick: Callable[[], None], on_edit: Callable[[], None]
) -> None:
    """Draw the lattice; what is told is in ``st.session_state[key]``: "picked" and "edited"."""
    _component(data=data, key=key, on_picked_change=on_pick, on_edited_change=on_edit)
