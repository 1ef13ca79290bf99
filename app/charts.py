"""Plain data to Plotly figures; knows nothing of Streamlit."""

from collections.abc import Sequence

import plotly.graph_objects as go

from core.objective import Floats
from core.trace import Curve


def query_curve(curve: Curve, threshold: float | None, *, requests: bool = False) -> go.Figure:
    """The best score so far against queries, or against requests as the paper counts."""
    count = curve.requests if requests else curve.queries
    unit = "requests (repeated texts too)" if requests else "queries (distinct texts)"
    figure = go.Figure(
        go.Scatter(
            x=count,
            y=curve.best,
            mode="lines",
            line={"shape": "hv", "width": 3},
            name="best score so far",
            hovertemplate="%{x} asked<br>best score %{y:.4f}<extra></extra>",
        )
    )
    if threshold is not None:
        figure.add_hline(
            y=threshold,
            line={"dash": "dot", "color": "#868e96"},
            annotation_text="decision threshold",
            annotation_position="top left",
        )
    figure.update_layout(
        height=320,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        showlegend=False,
        xaxis={"title": unit, "range": [0, 1.03 * count[-1]]},
        yaxis={"title": "best score so far", "range": [0, 1]},
    )
    return figure


def label_bars(labels: Sequence[str], before: Floats, after: Floats) -> go.Figure:
    """The probability of each label, for the original and for the current sentence."""
    figure = go.Figure()
    for name, values, colour in (("original", before, "#adb5bd"), ("now", after, "#4263eb")):
        figure.add_bar(
            y=list(labels),
            x=values,
            name=name,
            orientation="h",
            marker={"color": colour},
            text=[f"{value:.0%}" for value in values],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y}: %{x:.4f}<extra>" + name + "</extra>",
        )
    figure.update_layout(
        height=70 + 50 * len(labels),
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        xaxis={"range": [0, 1.1], "tickformat": ".0%", "tickvals": [0, 0.5, 1]},
        yaxis={"autorange": "reversed"},
        legend={"orientation": "h", "y": 1.15, "traceorder": "normal"},
        bargap=0.3,
    )
    return figure
