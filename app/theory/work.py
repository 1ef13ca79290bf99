"""What the parts share: a smaller space, long work that can be stopped, tables to take away."""

import csv
import io
from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app import pickers, words
from app.question import Question
from core import theory
from core.objective import Floats
from core.space import SearchSpace
from core.theory import Progress

T = TypeVar("T")

MOST = 200_000  # queries for one click

# Formulas never scroll in a box of their own, and the accent colour is readable as text on dark.
STYLE = """<style>
.katex-display { overflow: visible !important; font-size: clamp(.8rem, 3.4vw, 1.1rem); }
[data-testid="stSliderThumbValue"] p, button[data-selected="true"] p {
  color: light-dark(#2b44ad, #b9c6ff);
}
</style>"""


def trim(asked: Question) -> SearchSpace:
    """Two sliders that make the space small enough to look at all of it."""
    widest = max(1, int(asked.space.counts.max(initial=0)))
    changeable = max(1, int((asked.space.counts > 0).sum()))
    cells = st.columns(2)
    with cells[0]:
        most = _slider("Substitutes for each word", 2, min(widest, 10), "most")
    with cells[1]:
        count = _slider("Words that may change", 7, min(changeable, 20), "first")
    st.caption("The first substitutes of the first words that have any; the rest stays as it is.")
    return theory.trimmed(asked.space, most, count)


def _slider(label: str, default: int, most: int, key: str) -> int:
    """A slider from 1 on; where there is nothing to choose it says so."""
    if most == 1:
        st.caption(f"{label}: 1")
        return 1
    known = st.session_state.get(key, st.session_state.get(f"kept.{key}"))
    if known is not None or key not in st.query_params:
        st.session_state[key] = min(known or default, most)
    return pickers.keep(key, st.slider(label, 1, most, key=key, bind="query-params"))


def table_of(asked: Question, space: SearchSpace) -> Floats | None:
    """f of every sentence of a small space, asked for once by a button; None before that."""
    size = words.product(space)
    st.markdown(rf"$N=\prod_i(1+\vert B_i\vert)$: **{size}** sentences, and as many queries.")
    return computed(
        "table",
        (asked.identity, space.choices),
        f"Enumerate {space.size:,} sentences",
        space.size,
        lambda: theory.tabulate_steps(space, asked.goal, MOST),
    )


def computed(
    name: str,
    of: Hashable,
    label: str,
    queries: int,
    steps: Callable[[], Generator[Progress, None, T]],
) -> T | None:
    """The result of a long computation, kept for this visitor; a button starts it."""
    key = f"theory.{name}"
    if st.session_state.get(f"{key}.of") == of:
        found: T = st.session_state[key]
        return found
    if queries > MOST:
        st.error(
            f"This would ask the victim {queries:,} times; the limit is {MOST:,}. "
            "Take fewer substitutes or fewer words."
        )
        return None
    place = st.empty()
    if place.button(label, key=f"{key}.go", type="primary"):
        place.empty()
        result = run(steps(), label, key)
        st.session_state[key], st.session_state[f"{key}.of"] = result, of
        return result
    if st.session_state.pop(f"{key}.stopped", False):
        st.info("Stopped; nothing was kept.")
    return None


def run(steps: Generator[Progress, None, T], label: str, key: str) -> T:
    """Work inside the page: it shows how far it is, and any click stops it."""
    place = st.empty()
    with place.container():
        bar = st.progress(0.0, f"{label} …")
        st.button("Stop", key=f"{key}.stop", on_click=_stopped, args=[key])
    while True:
        try:
            done, total = next(steps)
        except StopIteration as end:
            place.empty()
            result: T = end.value
            return result
        bar.progress(done / total, f"{done:,} of {total:,} queries")


def _stopped(key: str) -> None:
    st.session_state[f"{key}.stopped"] = True


def symbols(place: DeltaGenerator, rows: Mapping[str, str]) -> None:
    """Every symbol of a formula with what it is on screen; the meanings are Markdown."""
    body = "\n".join(f"| ${symbol}$ | {meaning} |" for symbol, meaning in rows.items())
    place.markdown(f"| symbol | here |\n|---|---|\n{body}")


def cell(text: str) -> str:
    """A visitor's words inside a Markdown table."""
    return pickers.plain(text).replace("|", "\\|").replace("\n", " ")


def shown(rows: Sequence[Mapping[str, Any]], name: str) -> None:
    """Rows as a table, and as a file to take away."""
    st.dataframe(list(rows), hide_index=True, width="stretch", key=f"{name}.table")
    st.download_button(
        "Table (CSV)",
        partial(comma, rows),
        f"{name}.csv",
        "text/csv",
        key=f"{name}.csv",
        on_click="ignore",
    )


def comma(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as a CSV file; a row may leave columns out."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    file = io.StringIO()
    writer = csv.DictWriter(file, columns)
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def drawn(figure: go.Figure, name: str, alt: str) -> None:
    """A figure, described in words for those who do not see it."""
    st.plotly_chart(figure, width="stretch", key=name, config={"displaylogo": False}, alt=alt)
