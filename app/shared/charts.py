"""Plain data to Plotly figures; knows nothing of Streamlit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import plotly.graph_objects as go

from core.endings import REACHED
from core.objective import Floats
from core.space import Ints

GREY: Final = "#868e96"


@dataclass(frozen=True, eq=False)
class Band:
    """A range at each count."""

    x: Ints
    low: Floats
    high: Floats


@dataclass(frozen=True, eq=False)
class StepCurve:
    """A quantity that changes in steps, for one search."""

    name: str
    colour: str
    dash: str
    x: Ints
    y: Floats
    band: Band | None = None
    flip: tuple[int, float] | None = None
    now: tuple[int, float] | None = None
    reached: str = REACHED


def race(
    lines: Sequence[StepCurve],
    *,
    title: str,
    end: int,
    requests: bool = False,
    cursor: int | None = None,
    level: tuple[float, str] | None = None,
    whole: bool = False,
) -> go.Figure:
    """Step curves of several searches over one axis of queries, or of requests, up to an end.

    The figure is made of plain parts at once: adding them one by one takes several times as long.
    """
    unit = "requests (repeated texts too)" if requests else "queries (distinct texts)"
    across = {"xref": "paper", "x0": 0, "x1": 1}
    upright = {"yref": "paper", "y0": 0, "y1": 1}
    layout: dict[str, Any] = {
        "height": 340,
        "margin": {"l": 10, "r": 10, "t": 10, "b": 10},
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "hovermode": "x unified",
        "xaxis": {"title": {"text": unit}, "range": [0, 1.03 * end]},
        "yaxis": {"title": {"text": title}, "rangemode": "tozero", "dtick": 1 if whole else None},
        "shapes": [],
    }
    layout["legend"]["traceorder"] = "normal"
    if level:
        shape = {"y0": level[0], "y1": level[0], "line": {"dash": "dot", "color": GREY}}
        layout["shapes"].append({"type": "line", **across, **shape})
        # Below its line at the end, where the curves are above it.
        place = {"xref": "paper", "x": 1, "xanchor": "right", "y": level[0], "yanchor": "top"}
        layout["annotations"] = [{"text": level[1], "showarrow": False, **place}]
    if cursor is not None and not requests:
        shape = {"x0": cursor, "x1": cursor, "line": {"width": 1.5, "color": GREY}}
        layout["shapes"].append({"type": "line", **upright, **shape})
    return go.Figure([part for line in lines for part in _parts(line)], layout)


def _parts(line: StepCurve) -> list[dict[str, Any]]:
    """A search's band, its line, where it reaches the goal, and where the cursor is."""
    quiet = {"type": "scatter", "showlegend": False}
    parts: list[dict[str, Any]] = []
    if line.band:
        edge = {**quiet, "mode": "lines", "line": {"shape": "hv", "width": 0}, "hoverinfo": "skip"}
        parts.append({**edge, "x": line.band.x, "y": line.band.low})
        fill = {"fill": "tonexty", "fillcolor": f"{line.colour}2e"}
        parts.append({**edge, "x": line.band.x, "y": line.band.high, **fill})
    pen = {"shape": "hv", "width": 3, "color": line.colour, "dash": line.dash}
    curve = {"type": "scatter", "mode": "lines", "line": pen, "name": line.name}
    parts.append({**curve, "x": line.x, "y": line.y, "hovertemplate": "%{y:.3~f}"})
    points = ((line.flip, "star", 16, line.reached), (line.now, "circle", 10, "is here"))
    for at, symbol, size, what in points:
        if at:
            ring = {"width": 2, "color": "white"}
            marker = {"symbol": symbol, "size": size, "color": line.colour, "line": ring}
            hover = f"{line.name} {what}<extra></extra>"
            point = {"x": [at[0]], "y": [at[1]], "mode": "markers", "hovertemplate": hover}
            parts.append({**quiet, **point, "marker": marker})
    return parts
