"""Choosing a part by name: what is here can be picked, what is missing says how to get it."""

from collections.abc import Mapping, Sequence
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


def available(registry: Mapping[str, Entry[Any]]) -> list[str]:
    """The names of what can be made here."""
    return [name for name, entry in registry.items() if not entry.missing()]


def pick(place: DeltaGenerator, label: str, options: Sequence[str], key: str) -> str:
    """A choice that survives a change of page and is part of the page's address."""
    _restore(key, options[0], options)
    chosen: str = place.selectbox(label, options, key=key, bind="query-params")
    return _keep(key, chosen)


def write(label: str, default: str, key: str) -> str:
    """A text that survives a change of page and is part of the page's address."""
    _restore(key, default)
    return _keep(key, st.text_area(label, key=key, height=80, bind="query-params"))


def _restore(key: str, default: str, options: Sequence[str] | None = None) -> None:
    """Streamlit forgets a widget that a page does not draw; setting its value anew keeps it."""
    known = st.session_state.get(key, st.session_state.get(f"kept.{key}"))
    if known is None and key in st.query_params:
        return  # a fresh visit by a link: the widget reads the address itself
    fits = known is not None and (options is None or known in options)
    st.session_state[key] = known if fits else default


def _keep(key: str, value: str) -> str:
    st.session_state[f"kept.{key}"] = value
    return value


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
