"""Beat the search: the visitor's own attack against local search, told and as a table."""

from typing import Any

import streamlit as st

from app.lattice.play import Play
from app.prove import panel
from app.shared import highlight
from app.shared.question import Question
from app.shared.running import find_trace
from core import AttackResult
from core.endings import ending
from core.prove import Proof
from core.search import name_of
from core.search.local import LocalSearch
from core.spec import UNLIMITED

_AGAINST, _GIVEN_UP = "beat", "beat.given_up"


def begin(question: Question) -> None:
    """A play in which nothing that a search knows is shown."""
    st.session_state["play"] = Play(question, blind=True)
    st.session_state[_AGAINST] = question.attack_key
    st.session_state.pop(_GIVEN_UP, None)


def judge(play: Play) -> None:
    """Compare, once the visitor's sentence succeeds or they give up; nothing without a contest."""
    if st.session_state.get(_AGAINST) != play.question.attack_key:
        return
    if play.status == "success" or _GIVEN_UP in st.session_state:
        show(play)
        return
    st.info(
        "Local search has a sentence of its own, which stays hidden. Your turn: swap words until "
        "the model changes its mind, with as few words and questions as you can."
    )
    give_up = st.session_state.__setitem__
    st.button("Give up and show it", key="give_up", on_click=give_up, args=[_GIVEN_UP, True])


def show(play: Play) -> None:
    """Run local search on the same question and compare."""
    found = find_trace("beat", play.question, name_of(LocalSearch), 0, UNLIMITED)
    if found is None:
        return
    result = found.result
    with st.container(border=True):
        st.markdown(f"**{verdict(play, result)}**")
        proof = panel.fewest(play.question)
        table = [*rows(play, result), *proved(proof)]
        st.dataframe(table, hide_index=True, width="stretch", key="beat")
        st.html(highlight.changed_words(play.space, result.state))
        st.caption("The sentence that local search found.")


def rows(play: Play, result: AttackResult) -> list[dict[str, Any]]:
    """Both attacks side by side."""
    mine, changed, reached = play.current, play.space.changed, play.question.kind.reached
    return [
        {
            "who": who,
            "outcome": ending(status, reached),
            "words changed": len(changed(state)),
            "queries": queries,
            "score": round(score, 4),
        }
        for who, status, state, queries, score in (
            ("you", play.status, mine.state, play.queries, mine.score),
            ("local search", result.status, result.state, result.queries, result.score),
        )
    ]


def proved(proof: Proof | None) -> list[dict[str, Any]]:
    """What nobody can do better, as a last row, once it is certain."""
    if proof is None or not (proof.minimal or proof.verdict == "proved"):
        return []
    who = "the fewest there is" if proof.minimal else "nobody can"
    return [
        {"who": f"proved: {who}", "reaches the goal": proof.minimal, "words changed": proof.changed}
    ]


def verdict(play: Play, result: AttackResult) -> str:
    """Who does better, in a sentence; an attack beyond the limit of words is no success."""
    reached = play.question.kind.reached
    yours, its = ending(play.status, reached), ending(result.status, reached)
    if play.status != "success":
        if result.success:
            return f"Local search {its}; your sentence {yours}. Go on swapping."
        return f"Nobody wins yet: your sentence {yours}; local search {its}."
    if not result.success:
        return f"You win: local search {its}."
    more = len(play.space.changed(play.state)) - len(play.space.changed(result.state))
    queries = play.queries - result.queries
    if more == queries == 0:
        return "A draw: as many words and as many queries."
    parts = [_compared(more, "word"), _compared(queries, "query")]
    who = "You win" if more <= 0 and queries <= 0 else "A split decision"
    who = "Local search wins" if more >= 0 and queries >= 0 else who
    return f"{who}: you need {' and '.join(parts)}."


def _compared(more: int, unit: str) -> str:
    names = {"word": ("word", "words"), "query": ("query", "queries")}[unit]
    if not more:
        return f"as many {names[1]}"
    name = names[abs(more) != 1]
    return f"{abs(more):,} {name} {'more' if more > 0 else 'fewer'}"
