"""The word lattice as a component: plain data in, the visitor's whole selection out."""

from collections.abc import Callable, Mapping
from typing import Any

from app.shared.components import component

_component = component("explore")


def lattice(
    data: Mapping[str, Any], *, key: str, on_pick: Callable[[], None], on_edit: Callable[[], None]
) -> None:
    """Draw the lattice; what is told is in ``st.session_state[key]``: "picked" and "edited"."""
    _component(data=data, key=key, on_picked_change=on_pick, on_edited_change=on_edit)
