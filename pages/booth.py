"""Booth: a visitor types one sentence, and sees what becomes of it."""

import streamlit as st

from app.booth import attacking, wall
from app.booth.attacking import BoothFind
from app.booth.clearing import clear, clear_when_left, sent, start
from app.shared import choices, door, highlight, pickers
from core import CoreError
from core.ladder import NAMES
from core.narrate.words import count as counted

LONGEST = wall.LONGEST
BOX = """<style>
.st-key-booth textarea { font-size: 1.6rem; line-height: 1.4; }
</style>"""


def show(found: BoothFind) -> None:
    """The sentence before and after, and at which level it fell."""
    space, state = found.question.space, found.state
    st.html(highlight.attack(space, state, found.shown(), {}))
    st.markdown(f"#### {found.fall.verdict}")
    changed, count = len(space.changed(state)), len(space.choices)
    asked = counted(found.fall.queries, "question")
    swaps = pickers.plain(highlight.swaps(space, state))
    st.caption(f"{changed} of {count} words changed, {asked} to the model. {swaps}")


def offer(found: BoothFind) -> None:
    """Hang a find on the wall, if its visitor wants that."""
    changed = len(found.question.space.changed(found.state))
    counts = found.fall.level or 0, changed, found.fall.queries
    entry = wall.WallEntry(*counts, found.question.spec.text, found.text)
    if entry in wall.entries():
        st.caption("It hangs on today's wall.")
    elif st.button("Show it on today's wall", key="booth.hang"):
        if wall.add(entry):
            st.rerun()
        st.info("This one cannot be shown: another sentence may.")


def show_wall() -> None:
    """The day's best finds; who runs the server may take one down."""
    if kept := wall.entries():
        st.markdown("#### Today's best finds")
    for place, entry in enumerate(kept):
        with st.container(border=True):
            st.html(wall.html(entry))
            st.caption(
                f"{NAMES[entry.level]} · {counted(entry.changed, 'word')} · "
                f"{counted(entry.queries, 'question')} to the model"
            )
            if door.allowed():
                key = f"booth.remove.{place}"
                st.button("Take down", key, type="tertiary", on_click=wall.remove, args=[entry])


st.html(BOX)
st.markdown(
    "**Can you write a sentence that the model gets right whatever we do?** Say clearly that "
    "something is good or bad. We swap words that a reader would hardly notice."
)
start()
victim = attacking.strongest()
text = st.text_area(
    *("Your sentence", ""),
    key="booth",
    height=120,
    max_chars=LONGEST,
    placeholder="The concert was wonderful, and I would go again tomorrow.",
    on_change=sent,
)
buttons = st.container(horizontal=True)
buttons.button("Attack", key="booth.attack", type="primary", on_click=sent)
buttons.button("Again", key="booth.again", on_click=clear, disabled=not text)
st.caption(f"The model: {choices.victim_name(victim)}.")
if text.strip():
    try:
        found = attacking.attack(text, victim)
        if found is not None:
            show(found)
            if found.fall.level:
                offer(found)
    except CoreError as error:
        st.error(pickers.plain(str(error)))
show_wall()
clear_when_left()
