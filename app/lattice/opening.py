"""What the page opens with: an attack, where one comes with the app, a link or a search has it."""

from typing import Final

import streamlit as st

from app.lattice.play import Play, read, written
from app.shared import pickers
from app.shared.question import Question, attack_wanted
from app.shared.running import find_trace
from core.search import DEFAULT
from core.spec import UNLIMITED

_ORIGINAL: Final = "original"  # in an address: no word is swapped


def play(question: Question) -> Play:
    """The visitor's play of this question; another question begins another one."""
    held: Play | None = st.session_state.get("play")
    came_back = pickers.came_back()
    if held is None or came_back or held.question.scoring_key != question.scoring_key:
        is_link = held is None or came_back
        made = Play(question)
        linked = st.query_params.get("s", "") if is_link else ""
        if linked:  # a link tells which words are swapped
            made.go(read(question.space, linked))
        elif question.recorded:
            made.show(question.recorded.trace.result)
        st.session_state["play"] = held = made
    held.question = question  # its limits may be others now
    return held


def address(play: Play) -> str:
    """Which words are swapped, for a link; nothing if the page opens with them."""
    known = play.question.recorded
    opens_with = known.trace.result.state if known else play.space.origin
    if play.state == opens_with:
        return ""
    return written(play.state) or _ORIGINAL


def attack_if_wanted(play: Play) -> None:
    """Run local search on a sentence that was just typed, and show what it finds."""
    if attack_wanted():
        st.session_state["attack.of"] = play.question.attack_key
    if st.session_state.get("attack.of") != play.question.attack_key:
        return
    found = find_trace("attack", play.question, DEFAULT, 0, UNLIMITED)
    if found is not None:
        del st.session_state["attack.of"]
        play.show(found.result)
