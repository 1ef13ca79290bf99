"""What is certain about the inputs of an experiment: a table, and a band beside the curves."""

from typing import Any, Final

import plotly.graph_objects as go
import streamlit as st

from app.results import views
from app.shared import pickers
from app.shared.charts import GREY
from core.experiment.metrics import Scenario
from core.experiment.proofs import gaps, proof_table, truths
from core.experiment.results import Results

COLUMNS: Final = (
    "Falls, proved safe, open: what is known for certain about the inputs. Found and missed: how "
    "many of those that fall a search brings down, a mean over its runs. Words above: how many "
    "words its successes change more than the fewest that can do it."
)


def show(results: Results) -> None:
    """A table of what was proved, if anything was."""
    found = gaps(results)
    if not found:
        return
    st.html(views.table_html(proof_table(found)))
    for truth in truths(results):
        victim, substitution, _ = truth.scenario
        st.markdown(pickers.plain(f"{victim}, {substitution}: {truth.sentence}"))
    st.caption(COLUMNS)


def with_band(figure: go.Figure, results: Results, scenario: Scenario) -> go.Figure:
    """The same curves with the best success there can be: a line, or a band if some are open."""
    for truth in truths(results):
        if truth.scenario == scenario and truth.inputs:
            low = len(truth.falls) / truth.inputs
            high = low + len(truth.open) / truth.inputs
            pen = {"color": GREY, "dash": "dot", "width": 1.5}
            across: dict[str, Any] = {"x0": 0, "x1": 1, "xref": "paper"}
            figure.add_shape(
                type="rect", **across, y0=low, y1=high, line=pen, fillcolor="#868e9633"
            )
            figure.add_annotation(
                **{"text": "no attack can do better", "showarrow": False, "xref": "paper", "x": 0},
                **{"xanchor": "left", "y": high, "yanchor": "bottom"},
            )
    return figure
