"""Ratings to Plotly figures; knows nothing of Streamlit."""

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go

from core.study.results import ResultRow

COLOURS = ("#c92a2a", "#ff8787", "#adb5bd", "#74a9f7", "#1864ab")


def distribution(rows: Sequence[ResultRow], scale: Sequence[str]) -> go.Figure:
    """How often each point was given, as shares of one bar a method."""
    shown = [row for row in rows if row.ratings]
    figure = go.Figure()
    for point, (name, colour) in enumerate(zip(scale, COLOURS, strict=True)):
        shares = [row.distribution[point] / row.ratings for row in shown]
        figure.add_bar(
            y=[escape(row.group, quote=False) for row in shown],
            x=shares,
            name=f"{point} {escape(name, quote=False)}",
            orientation="h",
            marker={"color": colour},
            customdata=[row.distribution[point] for row in shown],
            hovertemplate="%{y}: %{customdata} ratings, %{x:.0%}<extra>" + str(point) + "</extra>",
        )
    figure.update_layout(
        barmode="stack",
        height=170 + 50 * len(shown),
        margin={"l": 10, "r": 30, "t": 10, "b": 10},
        xaxis={"range": [0, 1], "tickformat": ".0%"},
        yaxis={"autorange": "reversed", "type": "category"},
        legend={"orientation": "h", "y": 1.05, "yanchor": "bottom", "traceorder": "normal"},
        bargap=0.35,
    )
    return figure
