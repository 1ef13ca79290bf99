"""The loosest level of plausible substitutes that a visitor allows."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.shared import pickers
from core.ladder import PLAUSIBLE, level_of
from core.options import Choice
from core.substitutions.plausible import LEVELS, Plausible


def choose(place: DeltaGenerator, method: str, linked: tuple[str, ...]) -> tuple[str, ...]:
    """A slider of levels where there are levels; gives the options of the substitution."""
    options = pickers.settings("substitution_option", method, linked)
    if method != PLAUSIBLE:
        return options
    level = level_of(Choice(method, options))
    st.session_state["level"] = level if level in LEVELS else Plausible.level
    place.select_slider(
        "Loosest level allowed",
        list(LEVELS),
        key="level",
        format_func=lambda level: f"{level} {LEVELS[level]}",
        on_change=_take,
        help="Harmless words say the same, close ones almost, near ones may change the meaning. "
        "Any words: take one of the other kinds of substitutes.",
    )
    return options


def _take() -> None:
    level = st.session_state["level"]
    usual = level == Plausible.level
    pickers.set_settings("substitution_option", PLAUSIBLE, *(() if usual else [f"level={level}"]))
