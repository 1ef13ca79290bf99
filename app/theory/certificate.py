"""Part 3: the certificate of a local optimum, every neighbour with its gain."""

from collections.abc import Generator
from html import escape
from typing import Any

import numpy as np
import streamlit as st

from app.shared import exchanges, highlight, pickers
from app.shared.question import Question
from app.theory import charts, work
from core import Attack, Goal, theory, trace
from core.narrate.certificates import neighbourhood, none_better
from core.narrate.words import count
from core.search.local import LocalSearch
from core.space import NONE, Exchange, SearchSpace, State
from core.theory import Certificate, Progress


def show(question: Question) -> None:
    """Run local search, then ask for the whole neighbourhood of where it stops."""
    left, right = st.columns([3, 2], vertical_alignment="center")
    left.latex(
        r"S\text{ is a local optimum: }\;\begin{cases}f(S)\ge f(S\cup\{e\})\\"
        r"f(S)\ge f(S\setminus\{e\})\\ f(S)\ge f(S\setminus\{e\}\cup\{v\})\end{cases}"
    )
    work.symbols(
        right,
        {
            "S": "where local search ends",
            r"S\cup\{e\}": "one more word changed: insertion",
            r"S\setminus\{e\}": "one word changed back: deletion",
            r"S\setminus\{e\}\cup\{v\}": "one substitute for another: exchange",
        },
    )
    cells = st.columns(2, vertical_alignment="bottom")
    exchange = exchanges.choose(cells[0])
    early = pickers.switch(cells[1], "Stop at a success, as an attack does", "early")
    space = question.space
    st.markdown(
        rf"$\vert V\vert$ = **{count(space.elements, 'query')}** at most for each step of local "
        "search (more with exchanges of two words), then the whole neighbourhood of S once more."
    )
    if work.refused(space.elements):
        return
    found = work.computed(
        question,
        "certificate",
        (exchange, early),
        "Search and certify",
        lambda: steps(space, question.goal, exchange, early),
    )
    if found is not None:
        result(space, *found, exchange, early)


def steps(
    space: SearchSpace, goal: Goal, exchange: Exchange, early: bool
) -> Generator[Progress, None, tuple[State, Certificate]]:
    """Local search without its complement, then its certificate."""
    search = LocalSearch(exchange=exchange, complement=False)
    wanted = goal if early else theory.endless(goal)
    for step in Attack(space, wanted, search, budget=work.MOST).steps():
        state = step.current.state
        yield Progress(step.queries, 0)
    found = yield from theory.certify_steps(space, goal, state, exchange)
    return state, found


def result(
    space: SearchSpace, state: State, found: Certificate, exchange: Exchange, early: bool
) -> None:
    """The verdict, the neighbourhood that it is about, the sentence, and all gains."""
    st.markdown(f"**{verdict(found, early)}**{neighbourhood(space, state, exchange)}")
    st.html(highlight.changed_words(space, state))
    if len(found.tried):
        table = rows(space, state, found)
        kinds = [row["move"] for row in table]
        names = [escape(row["change"]) for row in table]
        description = f"{len(table)} neighbours; the best gain is {found.gains.max():.2e}."
        work.show_figure(charts.certificate(found.gains, kinds, names), "gains", description)
        with st.expander("All neighbours as a table"):
            work.show_table(sorted(table, key=lambda row: -row["gain"]), "neighbours")


def verdict(found: Certificate, early: bool) -> str:
    """Whether S is a local optimum."""
    number = len(found.tried)
    if found.better is None:
        gain = float(found.gains.max(initial=-np.inf))
        return f"S is a local optimum. {none_better(found.tried.scores, 'neighbour', gain)}"
    why = (
        "the attack stopped as soon as it succeeded, before its search was over."
        if early
        else "the search ran out of its limit of queries."
    )
    return (
        f"S is no local optimum: {len(found.better):,} of {count(number, 'neighbour')} are better; "
        f"{why}"
    )


def rows(space: SearchSpace, state: State, found: Certificate) -> list[dict[str, Any]]:
    """Each neighbour with its move and gain."""
    two = found.tried.moves.restored != NONE
    return [
        {
            "change": trace.describe(space, state, one.state),
            "move": "exchange of two words" if crossed else space.kind(state, one.state),
            "f": one.score,
            "gain": gain,
        }
        for one, gain, crossed in zip(found.tried, found.gains.tolist(), two, strict=True)
    ]
