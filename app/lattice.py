"""The word lattice as a component: plain data in, the visitor's whole selection out."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from core.assets import FOLDER

HTML = """
<div class="lattice">
  <div class="map" hidden></div>
  <div class="scroll"></div>
  <div class="scale" hidden>lowers the score <i></i> raises it, when swapped alone</div>
  <div class="tip" role="status" hidden></div>
</div>
"""

_component = st.components.v2.component(
    "swapscope_lattice",
    html=HTML,
    css=(FOLDER / "lattice" / "lattice.css").read_text(encoding="utf-8"),
    js=(FOLDER / "lattice" / "lattice.js").read_text(encoding="utf-8"),
)


def lattice(data: Mapping[str, Any], *, key: str, on_pick: Callable[[], None]) -> None:
    """Draw the lattice; a pick is found in ``st.session_state[key]["picked"]``."""
    _component(data=data, key=key, on_picked_change=on_pick)
