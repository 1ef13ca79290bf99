"""The word lattice: the whole search space of a sentence, to be walked by hand."""

import pandas as pd
import streamlit as st

from app import charts, highlight, pickers, question
from app.lattice import lattice
from app.play import Play, lattice_data
from app.running import run
from core import CoreError
from core.attack import Attack
from core.search import LocalSearch

st.header("Word lattice")
st.caption("Every word with its substitutes: pick one to swap it, and change the prediction.")
try:
    asked = question.ask()
except CoreError as error:
    st.error(pickers.plain(str(error)))
    st.stop()

identity = (asked.space, st.session_state.victim, st.session_state.get("premise"), asked.wanted)
if st.session_state.get("play.of") != identity:
    st.session_state["play.of"] = identity
    st.session_state["play"] = Play(asked.space, asked.goal)
play: Play = st.session_state["play"]
space = asked.space


def picked() -> None:
    """Take over the selection of the lattice."""
    told = st.session_state["lattice"]["picked"]
    play.turn = told["turn"]
    play.go(told["state"])


bars, words = st.columns([2, 3], vertical_alignment="center")
before, after = play.probabilities[space.origin], play.probabilities[play.state]
figure = charts.label_bars(asked.victim.labels, before, after)
bars.plotly_chart(figure, width="stretch", key="labels", config={"displayModeBar": False})
words.html(highlight.changed_words(space, play.state))
changed = len(space.changed(play.state))
share = changed / len(space.choices)
words.caption(
    f"{changed} of {len(space.choices)} words changed ({share:.0%}, limit "
    f"{asked.max_changed:.0%}) · {play.objective.queries:,} queries"
)
if play.current.success and share <= asked.max_changed:
    words.success("You did it: the victim changes its mind.")
elif play.current.success:
    words.warning("The prediction has changed, but with more words than the limit allows.")

tools = st.container(horizontal=True)
scan = tools.button(f"Scan ({space.elements:,} queries)", key="scan", disabled=play.scanned)
tools.button("Undo", key="undo", on_click=play.undo, disabled=play.cursor == 0)
tools.button("Redo", key="redo", on_click=play.redo, disabled=play.cursor == len(play.history) - 1)
tools.button("Reset", key="reset", on_click=play.go, args=[space.origin], disabled=not changed)
compare = tools.button("Compare with local search", key="compare")
if scan:
    progress = st.progress(0.0, "Scanning every substitute …")
    st.button("Stop", key="stop")  # any click ends this run; what was scanned is kept
    for done in play.scan():
        progress.progress(done)
    st.rerun()
lattice(lattice_data(play, asked.victim.labels), key="lattice", on_pick=picked)
st.caption(
    f"{len(space.choices)} words, {space.elements:,} substitutes, {space.size:,} feasible "
    "sentences: at most one substitute for each word (a partition matroid). "
    f"Substitutes from {asked.source}."
)

if compare:
    attack = Attack(space, asked.goal, LocalSearch(), max_changed=asked.max_changed)
    result = run(attack, "Local search")
    mine = play.current
    rows = {
        "you": (mine.success, play.objective.queries, changed, mine.score),
        "local search": (
            result.steps[-1].current.success,
            result.queries,
            len(space.changed(result.state)),
            result.score,
        ),
    }
    names = ["flips the label", "queries", "words changed", "score"]
    st.dataframe(pd.DataFrame.from_dict(rows, orient="index", columns=names), width="stretch")
    st.html(highlight.changed_words(space, result.state))

with st.expander("The lattice as a table"):
    st.dataframe(pd.DataFrame(space.rows()), hide_index=True, width="stretch", key="space")
