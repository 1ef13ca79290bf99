"""The box is cleared for the next visitor: by a button, or two minutes after the last sentence."""

from time import monotonic
from typing import Final

import streamlit as st

LEFT: Final = 120.0  # seconds after which the visitor is thought to have gone
LOOK: Final = 5.0  # seconds between two looks
_CLEAR, _SENT = "booth.clear", "booth.sent"


def sent() -> None:
    """Somebody is here."""
    st.session_state[_SENT] = monotonic()


def clear() -> None:
    """The box is to be empty when it is drawn again."""
    st.session_state[_CLEAR] = True


def start() -> None:
    """Before the box is drawn: empty it if it is to be."""
    if st.session_state.pop(_CLEAR, False):
        st.session_state["booth"] = ""


@st.fragment(run_every=LOOK)
def clear_when_left() -> None:
    """Nothing to see: it looks whether the visitor has gone."""
    if st.session_state.get("booth") and monotonic() - st.session_state.get(_SENT, 0.0) > LEFT:
        clear()
        st.rerun()
