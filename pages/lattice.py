"""The word lattice: the whole search space of a sentence, to be walked by hand."""

import pandas as pd
import streamlit as st

from app.lattice import beat, editing, scanning, tour
from app.lattice.component import lattice
from app.lattice.play import Play, lattice_data, read, written
from app.shared import highlight, pickers, words
from app.shared.components import heard, whole_numbers
from app.shared.question import ask
from core import CoreError, trace
from core.endings import ending

COLOURS = {"success": "green", "over_limit": "orange", "failed": "gray"}

tour.show()
st.markdown(
    "**Every sentence an attack may write**, as columns of substitutes: click one to swap it in, "
    "and try to change what the victim predicts. Orange swaps push it your way, blue ones back."
)
try:
    question = ask()
    fresh = "play" not in st.session_state
    if fresh or st.session_state["play"].question.scoring_key != question.scoring_key:
        st.session_state["play"] = Play(question)
        if fresh:  # a link tells which words are swapped
            st.session_state["play"].go(read(question.space, st.query_params.get("s", "")))
    play: Play = st.session_state["play"]
    play.question = question  # its limits may be others now
except CoreError as error:
    st.error(pickers.plain(str(error)))
    st.stop()
space = question.space
pickers.address("s", written(play.state))


def picked() -> None:
    """Take over the selection of the lattice."""
    match heard("lattice", "picked"):
        case {"turn": int(turn), "state": state}:
            st.session_state["play"].take(turn, whole_numbers(state))


left, right = st.columns([2, 3], vertical_alignment="center")
prediction = play.probabilities[play.state]
said = question.task.shown(question.start, prediction, question.spec.reference)
left.html(highlight.prediction(said))
right.html(highlight.changed_words(space, play.state))
changed = len(space.changed(play.state))
right.caption(
    f"{changed} of {len(space.choices)} words changed ({changed / len(space.choices):.0%}, limit "
    f"{100 * question.spec.max_changed:g}%) · {play.queries:,} queries"
)
sentence = f"Your sentence {ending(play.status, question.kind.reached)}."
if not question.kind.reached:  # nothing is to be reached: only the value counts
    sentence = f"Your choice has {question.kind.measure.told(play.current.score)}."
right.markdown(f":{COLOURS[play.status]}-badge[{sentence}]")  # a line, so that nothing jumps

tools = st.container(horizontal=True)
unable = play.scanned or not play.has_room(space.elements)
scan = tools.button(f"Scan ({space.elements:,} queries)", key="scan", disabled=unable)
tools.button("Undo", key="undo", on_click=play.undo, disabled=play.cursor == 0)
tools.button("Redo", key="redo", on_click=play.redo, disabled=play.cursor == len(play.history) - 1)
tools.button("Reset", key="reset", on_click=play.go, args=[space.origin], disabled=not changed)
if tools.button("Beat the search", key="compare", type="primary"):
    st.session_state["beat"] = question.attack_key, play.state
for name, title in {"step": "Watch local search", "race": "Race the searches"}.items():
    if tools.button(title, key=f"to.{name}", type="tertiary", icon=":material/arrow_forward:"):
        pickers.go_to(name)
try:
    scanning.show(play, scan)
    if st.session_state.get("beat") == (
        question.attack_key,
        play.state,
    ):  # until the sentence changes
        beat.show(play)
except CoreError as error:
    st.error(pickers.plain(str(error)))
lattice(lattice_data(play), key="lattice", on_pick=picked, on_edit=editing.take)
st.caption(
    f"{len(space.choices)} positions, |V| = {space.elements:,} substitutes, "
    f"{words.product(space)} feasible sentences: at most one substitute for each word (a partition "
    f"matroid). S = {pickers.plain(words.chosen(space, play.state))} is feasible. "
    f"Substitutes from {question.source}."
)
editing.show(question)
files = st.container(horizontal=True)
for name, file, content in (
    ("Trace (JSON)", "trace.json", lambda: trace.dumps(play.trace())),
    ("Sentence (text)", "sentence.txt", lambda: space.text(play.state)),
):  # a run of the page would take away the file that the click has asked for
    files.download_button(name, content, file, key=file, on_click="ignore")
with st.expander("The lattice as a table"):
    st.dataframe(pd.DataFrame(space.rows()), hide_index=True, width="stretch", key="space")
