"""Plain numbers to the figures of the Theory page; knows nothing of Streamlit."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from app.shared.charts import GREY
from core.bundle import meaning_colour
from core.objective import Floats
from core.theory import Outcome, difference

BLUE, ORANGE, GREEN, RED = "#4c8dff", "#f76707", "#2f9e44", "#e03131"
PINK = "#f06595"
KINDS = {kind: meaning_colour(kind) for kind in ("insert", "delete", "exchange")}
KINDS["exchange of two words"] = meaning_colour("several")
BASINS = ("#4c8dff", "#f76707", "#2f9e44", "#ae3ec9", "#e8b100", "#0c8599", "#e64980", "#82c91e")
Places = NDArray[np.intp]


def _layout(figure: go.Figure, height: int, x: str, y: str) -> go.Figure:
    figure.update_layout(
        height=height,
        margin={"l": 10, "r": 10, "t": 30, "b": 10},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        xaxis_title=x,
        yaxis_title=y,
    )
    return figure


def gaps(values: Floats, tolerance: float) -> go.Figure:
    """How much more e gains next to y: a histogram, with the violations in orange."""
    widest = float(np.abs(values).max(initial=tolerance)) or 1.0
    edges = np.linspace(-widest, widest, 42)
    figure = go.Figure()
    above = values > tolerance
    for name, part, colour in (
        ("no violation", values[~above], BLUE),
        ("violation", values[above], ORANGE),
    ):
        counts, _ = np.histogram(part, edges)
        figure.add_bar(
            x=(edges[1:] + edges[:-1]) / 2,
            y=counts,
            name=name,
            marker={"color": colour},
            hovertemplate="gap about %{x:.2e}<br>%{y} pairs<extra></extra>",
        )
    figure.update_layout(barmode="stack", bargap=0.05)
    figure.update_xaxes(exponentformat="power")
    figure.update_yaxes(type="log", dtick=1)
    return _layout(figure, 320, "gap: (f(Y∪{e}) − f(Y)) − (f(X∪{e}) − f(X))", "pairs")


def outcomes(
    found: Sequence[Outcome], names: Mapping[str, str], lines: Mapping[str, tuple[float, str]]
) -> go.Figure:
    """What each search found, a dot a run, with the optimum, the bounds and the original."""
    figure = go.Figure()
    for search, name in names.items():
        runs = [one for one in found if one.search == search]
        figure.add_scatter(
            x=[one.value for one in runs],
            y=[name] * len(runs),
            mode="markers",
            marker={"size": 12, "color": BLUE, "opacity": 0.6},
            text=["" if one.seed is None else f"seed {one.seed}" for one in runs],
            hovertemplate="%{y} %{text}<br>f = %{x:.5~g}<extra></extra>",
            showlegend=False,
        )
    for name, (value, colour) in lines.items():
        figure.add_scatter(
            x=[value] * len(names),
            y=list(names.values()),
            mode="lines",
            line={"color": colour, "width": 2, "dash": "dot"},
            name=name,
            hovertemplate=f"{name}: %{{x:.5~g}}<extra></extra>",
        )
    figure.update_yaxes(autorange="reversed")
    _layout(figure, 380, "f", "")
    figure.update_layout(legend={"orientation": "h", "y": -0.25, "yanchor": "top"})
    return figure


def certificate(gains: Floats, kinds: Sequence[str], names: Sequence[str]) -> go.Figure:
    """What every neighbour would gain, sorted; a local optimum has nothing above 0."""
    order = np.argsort(-gains, kind="stable")
    figure = go.Figure()
    for kind, colour in KINDS.items():
        here = [rank for rank, place in enumerate(order, 1) if kinds[place] == kind]
        figure.add_scattergl(
            x=here,
            y=gains[order][[rank - 1 for rank in here]],
            mode="markers",
            name=kind,
            marker={"color": colour, "size": 6},
            text=[names[int(order[rank - 1])] for rank in here],
            hovertemplate="%{text}<br>gain %{y:.2e}<extra></extra>",
        )
    figure.add_hline(y=0, line={"color": GREY, "width": 1})
    return _layout(figure, 360, "neighbours, the best first", "gain f(neighbour) − f(S)")


def landscape(
    layers: Places,
    values: Floats,
    basins: Places,
    names: Sequence[str],
    marks: Mapping[str, tuple[Places, str, str]],
    uphill: Places | None = None,
) -> go.Figure:
    """Sentences by how many words they change and by f; ``marks`` puts some of them on top.

    ``basins`` numbers the local optimum each sentence leads to; ``marks`` maps a name to places,
    a Plotly mode and a colour; ``uphill`` is where the steepest change of each sentence leads.
    """
    spread = (np.arange(len(layers)) * 0.6180339887) % 1 - 0.5  # even, and the same every time
    across = layers + 0.7 * spread * (np.bincount(layers)[layers] > 1)
    figure = go.Figure()
    if uphill is not None:
        gap = np.full(len(layers), np.nan)  # between two lines of one trace
        figure.add_scattergl(
            x=np.stack([across, across[uphill], gap], axis=1).ravel(),
            y=np.stack([values, values[uphill], gap], axis=1).ravel(),
            mode="lines",
            name="steepest change",
            line={"color": GREY, "width": 0.5},
            opacity=0.5,
            hoverinfo="skip",
        )
    for number in np.unique(np.minimum(basins, len(BASINS))):
        here = np.minimum(basins, len(BASINS)) == number
        last = number == len(BASINS)
        figure.add_scattergl(
            x=across[here],
            y=values[here],
            mode="markers",
            name="other basins" if last else f"basin {number + 1}",
            marker={"size": 5, "color": GREY if last else BASINS[number], "opacity": 0.55},
            text=[names[place] for place in np.flatnonzero(here).tolist()],
            hovertemplate="%{text}<br>f = %{y:.5~g}<extra></extra>",
        )
    for name, (places, mode, colour) in marks.items():
        figure.add_scatter(
            x=across[places],
            y=values[places],
            mode=mode,
            name=name,
            line={"color": colour, "width": 3},
            marker={
                "size": 14 if name == "local optima" else 7,
                "color": colour,
                "symbol": "star" if name == "local optima" else "circle-open",
                "line": {"color": "#212529", "width": 1} if name == "local optima" else {},
            },
            text=[names[place] for place in places.tolist()],
            hovertemplate="%{text}<br>f = %{y:.5~g}<extra>" + name + "</extra>",
        )
    figure.update_xaxes(dtick=1, zeroline=False)
    return _layout(figure, 460, "words changed", "f")


def sets(sizes: Places, values: Floats, names: Sequence[str], path: Places) -> go.Figure:
    """Every feasible set by its size and value, with the way of local search."""
    figure = go.Figure()
    parts = (
        ("feasible sets", np.arange(len(sizes)), "markers", GREY, 8),
        ("local search", path, "lines+markers", RED, 11),
    )
    for name, places, mode, colour, size in parts:
        figure.add_scatter(
            x=sizes[places],
            y=values[places],
            mode=mode,
            name=name,
            line={"color": colour, "width": 3},
            marker={"color": colour, "size": size},
            text=[names[place] for place in places.tolist()],
            hovertemplate="%{text}<br>f = %{y:g}<extra></extra>",
        )
    figure.update_xaxes(dtick=1, zeroline=False)
    return _layout(figure, 360, "elements taken, |S|", "f")


def contour(
    papers: float, most_alpha: float, most_d: float, alpha: float, d: float, title: str
) -> go.Figure:
    """The earlier bound less the paper's over α and d; blue where the paper's is better."""
    alphas, ds = np.linspace(0, most_alpha, 81), np.linspace(1, most_d, 81)
    values = [[difference(a, b, papers) for a in alphas] for b in ds]
    widest = float(np.abs(values).max())
    figure = go.Figure(
        go.Contour(
            x=alphas,
            y=ds,
            z=values,
            zmin=-widest,
            zmax=widest,
            colorscale=[(0, "#74a9cf"), (0.5, "#f7f7f7"), (1, "#ef8a62")],  # labels stay readable
            contours={"showlabels": True, "labelfont": {"size": 11, "color": "#111"}},
            colorbar={"thickness": 12},
            hovertemplate="α = %{x:.2f}, d = %{y:.2f}<br>difference %{z:.4f}<extra></extra>",
        )
    )
    figure.add_contour(
        x=alphas,
        y=ds,
        z=values,
        contours={"start": 0, "end": 0, "size": 1, "coloring": "none"},
        line={"color": "#111", "width": 3},
        showscale=False,
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=[alpha],
        y=[d],
        mode="markers",
        marker={"size": 14, "color": "#ffd43b", "line": {"color": "#111", "width": 2}},
        hovertemplate="your α and d<extra></extra>",
    )
    figure.update_layout(title={"text": title, "font": {"size": 14}}, showlegend=False)
    return _layout(figure, 400, "α", "d")
