"""The word lattice: the whole search space of a sentence, to be walked by hand."""

import pandas as pd
import streamlit as st

from app.lattice import beat, editing, opening, scanning, tour
from app.lattice.component import lattice
from app.lattice.play import lattice_data
from app.prove import panel
from app.shared import glossary, highlight, pickers, words
from app.shared.components import heard, whole_numbers
from app.shared.question import ask
from core import CoreError, trace
from core.endings import ending
from core.ladder import VERDICTS, loosest
from core.narrate.words import count

COLOURS = {"success": "green", "over_limit": "orange", "failed": "gray"}

tour.show()
st.markdown(
    "**One word that a reader would hardly notice, and the model changes its mind.** Below is "
    "every sentence that such an attack may write: click a word to swap it in."
)
attack, picture, own = st.container(), st.container(), st.container()
with own:
    st.markdown("#### Try your own sentence")
    try:
        question = ask()
        play = opening.play(question)
    except CoreError as error:
        st.error(pickers.plain(str(error)))
        st.stop()
space = question.space


def picked() -> None:
    """Take over the selection of the lattice."""
    match heard("lattice", "picked"):
        case {"turn": int(turn), "state": state}:
            st.session_state["play"].take(turn, whole_numbers(state))


try:
    with attack:
        opening.attack_if_wanted(play)
except CoreError as error:
    st.error(pickers.plain(str(error)))
pickers.address("s", opening.address(play))
left, right = attack.columns([3, 2], vertical_alignment="center")
prediction = play.probabilities[play.state]
spec = question.spec
said = question.task.shown(question.start, prediction, spec.reference, spec.context)
right.html(highlight.prediction(said))
left.html(highlight.attack(space, play.state, said, question.given))
changed = len(space.changed(play.state))
share = f"{changed / len(space.choices):.0%}, limit {100 * spec.max_changed:g}%"
words_changed = f"{changed} of {len(space.choices)} words changed ({share})"
if found := play.found_here:
    result = (
        f"Local search {ending(found.status, question.kind.reached)}: {words_changed}, "
        f"{count(found.queries, 'question')} to the model."
    )
    left.markdown(f":{COLOURS.get(found.status, 'gray')}[**{result}**]")
else:
    left.caption(f"{words_changed} · {count(play.queries, 'query')}")
    sentence = f"Your sentence {ending(play.status, question.kind.reached)}."
    if not question.kind.reached:  # nothing is to be reached: only the value counts
        sentence = f"Your choice has {question.kind.measure.told(play.current.score)}."
    left.markdown(f":{COLOURS.get(play.status, 'gray')}[**{sentence}**]")  # a line: nothing jumps
if play.status == "success" and not question.kind.measure.as_it_is:
    left.markdown(VERDICTS[loosest(space, play.state)])
left.caption(pickers.plain(highlight.swaps(space, play.state)))
with left:
    glossary.show("victim", "substitute", "level", "sememe", "query", "score", "limit")

with picture:
    tools = st.container(horizontal=True)
    unable = play.scanned or not play.has_room(space.elements)
    asks = count(space.elements, "query")
    scan = tools.button(f"Scan ({asks})", key="scan", disabled=unable)
    tools.button("Undo", key="undo", on_click=play.undo, disabled=play.cursor == 0)
    last = play.cursor == len(play.history) - 1
    tools.button("Redo", key="redo", on_click=play.redo, disabled=last)
    tools.button("Reset", key="reset", on_click=play.go, args=[space.origin], disabled=not changed)
    tools.button("Beat the search", key="compare", on_click=beat.begin, args=[question])
    for name, title in {"step": "Watch local search", "race": "Race the searches"}.items():
        icon = ":material/arrow_forward:"
        if tools.button(title, key=f"to.{name}", type="tertiary", icon=icon):
            pickers.go_to(name)
    try:
        scanning.show(play, scan)
        beat.judge(play)
    except CoreError as error:
        st.error(pickers.plain(str(error)))
    lattice(lattice_data(play), key="lattice", on_pick=picked, on_edit=editing.take)
    panel.offer(question)

with own:
    editing.show(question)
    with st.expander("More about this search space"):
        st.caption(
            f"{count(len(space.choices), 'position')}, |V| = "
            f"{count(space.elements, 'substitute')}, {words.product(space)} feasible "
            f"{'sentence' if space.size == 1 else 'sentences'}: at most one substitute for each "
            f"word (a partition matroid). S = {pickers.plain(words.chosen(space, play.state))} is "
            f"feasible. Substitutes from {question.source}."
        )
        st.dataframe(pd.DataFrame(space.rows()), hide_index=True, width="stretch", key="space")
    files = st.container(horizontal=True)
    for name, file, content in (
        ("Trace (JSON)", "trace.json", lambda: trace.dumps(play.trace())),
        ("Sentence (text)", "sentence.txt", lambda: space.text(play.state)),
    ):  # a run of the page would take away the file that the click has asked for
        files.download_button(name, content, file, key=file, on_click="ignore")
