"""Choosing a part by name: what is here can be picked, what is missing says how to get it."""

from collections.abc import Mapping
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.registry import Entry

CARD_ROWS = {  # what a card shows, in this order
    "task": "Task",
    "data": "Data",
    "labels": "Labels",
    "accuracy": "Accuracy",
    "calibration": "Expected calibration error",
    "parameters": "Parameters",
    "training_rows": "Training rows",
    "command": "Trained by",
    "seed": "Seed",
    "date": "Date",
    "source": "Source",
}


def pick(place: DeltaGenerator, label: str, registry: Mapping[str, Entry[Any]], key: str) -> str:
    """A picker of the parts that are available, bound to the address of the page."""
    here = [name for name, entry in registry.items() if not entry.missing()]
    chosen: str = place.selectbox(label, here, key=key, bind="query-params")
    return chosen


def about(registries: Mapping[str, tuple[Mapping[str, Entry[Any]], str]]) -> None:
    """The cards of what is picked, and what could be picked if it were here."""
    for title, (registry, chosen) in registries.items():
        st.markdown(f"**{title} {chosen}**")
        st.caption(registry[chosen].about)
        rows = card_rows(registry[chosen].card)
        if rows:
            st.table(rows, border="horizontal")
        for name, entry in registry.items():
            if fix := entry.missing():
                st.caption(f":gray[{name}: not available here.] {plain(fix)}")


def card_rows(card: Mapping[str, Any]) -> dict[str, str]:
    """A card as plain rows for a table."""
    held_out = card.get("held_out", {})
    values = {**card}
    if held_out:
        values["accuracy"] = f"{held_out['accuracy']:.1%} of {held_out['rows']:,} held-out rows"
        values["calibration"] = f"{held_out['calibration_error']:.3f}"
    return {
        title: _text(values[field])
        for field, title in CARD_ROWS.items()
        if values.get(field) is not None
    }


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) and value > 9_999 else str(value)


def plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]$:<>" else letter for letter in text)
