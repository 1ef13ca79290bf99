"""The paper's claims, and whether they hold in what was measured here."""

from html import escape

import streamlit as st

from app.results.views import table_html
from app.shared import highlight
from core.experiment.claims import Finding, figures_table, findings
from core.experiment.replication import measured

COMMAND = "python -m core paper --data DIR --results DIR"


def show() -> None:
    """Each claim with its verdict and numbers, and the scenarios behind them."""
    figures = measured()
    st.caption(
        "What the paper says of local search, in its own tables and in its scenarios as they were "
        f"run here: `{COMMAND}`. Victims, data and substitutes are not the paper's: a claim that "
        "holds here holds more widely, one that does not may hold there."
    )
    rows = [_row(each) for each in findings(figures)]
    st.html(highlight.table("The paper's claims", ("Claim", "Verdict", "Numbers"), rows))
    if figures:
        st.html(table_html(figures_table(figures)))


def _row(finding: Finding) -> tuple[str, str, str]:
    return (
        escape(finding.claim.text),
        f"<strong>{escape(finding.verdict)}</strong>",
        escape(finding.numbers),
    )
