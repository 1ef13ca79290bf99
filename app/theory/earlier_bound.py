"""Part 5: the paper's bounds for submodular f against the earlier one (its Figure 2)."""

from typing import Any

import streamlit as st

from app.shared import pickers
from app.theory import charts, work
from core import theory
from core.theory import Statement

PAPERS_BOUNDS = {"1/3 (Corollary 1)": (1 / 3, 3), "1/2 (Corollary 2)": (1 / 2, 2)}


def show() -> None:
    """Two contour plots with a marker, and the paper's statements checked."""
    left, right = st.columns([2, 3], vertical_alignment="center")
    left.latex(
        r"\tfrac{1}{\alpha}\bigl(1-e^{-\alpha/d}\bigr)-\tfrac13\\[4pt]"
        r"\tfrac{1}{\alpha}\bigl(1-e^{-\alpha/d}\bigr)-\tfrac12"
    )
    work.symbols(
        right,
        {
            r"\tfrac{1}{\alpha}(1-e^{-\alpha/d})": "the share of the optimum that the earlier "
            "bound guarantees for greedy search; 1/d as α goes to 0",
            r"\alpha": "how fast f may change, at least 0",
            "d": "how many words may change: all limits are $d_i=1$",
        },
    )
    cells = st.columns(2)
    alpha = pickers.slide(cells[0], "α", 1.0, "alpha", 0.0, 10.0, step=0.1)
    d = pickers.slide(cells[1], "d", 3.0, "d", 1.0, 10.0, step=0.5)
    for cell, (name, (papers, _)) in zip(st.columns(2), PAPERS_BOUNDS.items(), strict=True):
        with cell:
            figure = charts.contour(papers, 10.0, 10.0, alpha, d, f"the earlier bound − {name}")
            value = theory.difference(alpha, d, papers)
            better = "neither" if value == 0 else "the paper's" if value < 0 else "the earlier one"
            work.show_figure(figure, f"contour.{name[:3]}", f"{value:.3f} at α = {alpha}, d = {d}.")
            st.caption(f"At α = {alpha:g} and d = {d:g}: {value:+.4f}, so {better} is better.")
    st.subheader("The statements, checked")
    for name, (papers, least) in PAPERS_BOUNDS.items():
        st.markdown(statement_text(theory.check(papers, least), name))
    st.markdown(
        "Both corollaries ask for a submodular f. With f = 0 on infeasible sets, as the paper has "
        "it, an attack's f is not submodular (part 1 shows it on your sentence, part 2 what is "
        "left of the bound), so neither side of this comparison holds for an attack."
    )
    with st.expander("The differences as a table"):
        work.show_table(rows(), "bounds")


def statement_text(found: Statement, name: str) -> str:
    """A statement of the paper, and what the numbers say."""
    holds = "holds" if found.holds else "does not hold"
    corner = (
        ""
        if found.strict
        else f" It is never above 0, and exactly 0 only at α = {found.alpha:g}, d = {found.d}: "
        "there both bounds are equal, so “always negative” needs α > 0."
    )
    return (
        f"**{name}: “negative for d ≥ {found.least}”** {holds} on {found.checked:,} pairs of α and "
        f"d.{corner} For d = {found.least - 1} it reaches {found.below:+.3f}."
    )


def rows() -> list[dict[str, Any]]:
    """The differences on a coarse grid."""
    return [
        {
            "α": alpha,
            "d": d,
            "earlier bound": theory.greedy_bound(alpha, d),
            **{
                f"− {name[:3]}": theory.difference(alpha, d, papers)
                for name, (papers, _) in PAPERS_BOUNDS.items()
            },
        }
        for d in range(1, 11)
        for alpha in (0.0, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0)
    ]
