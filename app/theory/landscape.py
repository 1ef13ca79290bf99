"""Part 4: every feasible sentence, and where steepest ascent leads from each of them."""

from functools import partial
from html import escape
from typing import Any

import numpy as np
import streamlit as st

from app.shared import choices, pickers, words
from app.shared.question import Question
from app.theory import charts, work
from core import theory
from core.narrate.words import count
from core.objective import Floats
from core.search import registered
from core.space import SearchSpace
from core.theory import Landscape

POINTS, NAMED, JOINED = 20_000, 3_000, 500  # sentences to draw, to name, to join by lines


def show(question: Question) -> None:
    """Enumerate a small space and draw it."""
    left, right = st.columns([3, 2], vertical_alignment="center")
    left.latex(
        r"S_{t+1}=\arg\max\{f(S'):S'\text{ changes one word of }S_t\}"
        r"\\[2pt]\text{as long as } f(S_{t+1})>f(S_t)"
    )
    work.symbols(
        right,
        {
            r"S_0": "any sentence; local search starts from the original",
            r"S_t": "the sentence after t steps; the last is a local optimum",
            r"\text{basin}": "all sentences that lead to the same local optimum",
        },
    )
    space = work.trim(question)
    if space is None:
        return
    cells = st.columns(2, vertical_alignment="bottom")
    seed = None
    if registered((choices.LANDSCAPE,)):
        name, key = choices.title(choices.LANDSCAPE), choices.LANDSCAPE
        drawn = pickers.switch(cells[0], f"Show the sentences that {name} visits", "swarm")
        number = pickers.number(cells[1], f"Seed of {name}", 0, key, 0, 9_999)
        seed = number if drawn else None
    table = work.table_of(question, space)
    if table is not None:
        result(space, table, seed)


def result(space: SearchSpace, table: Floats, seed: int | None) -> None:
    """The landscape, its local optima and their basins."""
    land = theory.landscape(table)
    first = land.optima[0]
    path = land.path(space.origin)
    reached = next(o for o in land.optima if o.state == path[-1])
    st.markdown(
        f"**{count(len(land.optima), 'local optimum', 'local optima')} among "
        f"{count(table.size, 'sentence')}.** The highest has f = {first.value:.5g} and is reached "
        f"from {first.basin:.1%} of all sentences. Local search from the original takes "
        f"{count(len(path) - 1, 'step', 'steps')} and ends at f = {reached.value:.5g}"
        f"{', the optimum' if reached.value == first.value else ', not the optimum'}."
    )
    visited = None
    if seed is not None:
        run = theory.outcome(space, table, choices.LANDSCAPE, seed)
        visited = _places(theory.visits(run.steps), table)
        name = choices.title(choices.LANDSCAPE)
        st.caption(f"{name} asks for {len(visited):,} sentences and finds f = {run.value:.5g}.")
    draw(space, land, visited)
    with st.expander("The local optima as a table", expanded=True):
        share = st.column_config.NumberColumn(format="percent")
        work.show_table(rows(space, land), "optima", {"share of starting points": share})
        work.file("All sentences (CSV)", "sentences", partial(sentences, space, land))


def draw(space: SearchSpace, land: Landscape, visited: charts.Places | None) -> None:
    """The figure, with a part of the sentences where there are too many."""
    size = land.table.size
    path = _places(np.array(land.path(space.origin)), land.table)
    tops = _places(np.array([o.state for o in land.optima[:200]]), land.table)
    shown = np.arange(size)
    if size > POINTS:
        even = np.linspace(0, size - 1, POINTS).astype(np.intp)
        shown = np.unique(np.concatenate([even, path, tops]))
        st.caption(f"{len(shown):,} of {size:,} sentences are drawn, evenly spaced.")
    order = {int(place): number for number, place in enumerate(tops)}
    basins = np.array([order.get(int(top), len(charts.BASINS)) for top in land.summit[shown]])
    marked = set(path.tolist()) | set(tops.tolist())
    names = [
        escape(words.chosen(space, state)) if len(shown) <= NAMED or place in marked else "sentence"
        for place, state in zip(shown.tolist(), map(tuple, _states(shown, land.table)), strict=True)
    ]
    marks = {"local optima": (tops, "markers", "#fab005")}
    if visited is not None:
        seen = visited[np.isin(visited, shown)]
        marks = {
            f"visited by {choices.title(choices.LANDSCAPE)}": (seen, "markers", charts.PINK),
            **marks,
        }
    marks["local search"] = (path, "lines+markers", charts.RED)
    within = {name: (np.searchsorted(shown, p), mode, c) for name, (p, mode, c) in marks.items()}
    figure = charts.landscape(
        land.changed[shown],
        land.table.ravel()[shown],
        basins,
        names,
        within,
        land.uphill if size <= JOINED else None,
    )
    description = f"{len(land.optima)} local optima among {size} sentences, by words changed and f."
    work.show_figure(figure, "landscape", description)


def rows(space: SearchSpace, land: Landscape, most: int = 500) -> list[dict[str, Any]]:
    """The local optima, the highest first."""
    return [
        {
            "f": one.value,
            "share of starting points": one.basin,
            "words changed": len(space.changed(one.state)),
            "S": words.chosen(space, one.state),
            "text": space.text(one.state),
        }
        for one in land.optima[:most]
    ]


def sentences(space: SearchSpace, land: Landscape) -> list[dict[str, Any]]:
    """Every feasible sentence, with the local optimum that it leads to."""
    states = map(tuple, _states(np.arange(land.table.size), land.table))
    values, tops = land.table.ravel(), land.summit.tolist()
    return [
        {"number": number, "words changed": changed, "f": value, "leads to": top, "text": text}
        for number, changed, value, top, text in zip(
            range(land.table.size),
            land.changed.tolist(),
            values.tolist(),
            tops,
            map(space.text, states),
            strict=True,
        )
    ]


def _places(states: Any, table: Floats) -> charts.Places:
    return np.asarray(np.ravel_multi_index(tuple(np.asarray(states).T), table.shape), np.intp)


def _states(places: charts.Places, table: Floats) -> list[list[int]]:
    found: list[list[int]] = np.stack(np.unravel_index(places, table.shape), axis=1).tolist()
    return found
