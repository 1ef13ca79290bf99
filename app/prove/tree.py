"""The tree of a proof as a figure: which sentences were looked at, and where it could stop."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

import plotly.graph_objects as go

from app.shared.charts import GREY
from core.prove import Look
from core.space import SearchSpace, State
from core.trace import describe

LABELLED: Final = 24  # sentences, up to which each has its swap written beside it
KINDS: Final[Mapping[str, tuple[str, str]]] = {  # title and colour
    "parted": ("looked at one swap further", GREY),
    "safe": ("no swap below it can do it: left out", "#2f9e44"),
    "flips": ("reaches the goal", "#c92a2a"),
}


@dataclass(frozen=True)
class Dot:
    """A sentence of the tree, and where it is drawn."""

    state: State
    before: State | None
    kind: str
    about: str
    x: float = 0.0

    @property
    def words(self) -> int:
        """How many words it changes."""
        return sum(choice > 0 for choice in self.state)


def dots(space: SearchSpace, looks: Sequence[Look]) -> list[Dot]:
    """The sentences that were looked at, each below the one that led to it."""
    found: dict[State, Dot] = {}
    for look in looks:
        if look.state is None or look.bound is None:
            continue
        before = look.before if look.before in found else None
        safe = look.bound > 0 and look.flips is None
        about = f"{_swap(space, before, look.state)}<br>margin at worst {look.bound:.2f}"
        found[look.state] = Dot(look.state, before, "safe" if safe else "parted", about)
        if look.flips is not None:
            about = _swap(space, look.state, look.flips)
            found[look.flips] = Dot(look.flips, look.state, "flips", about)
    return list(_placed(list(found.values())))


def _placed(found: Sequence[Dot]) -> Iterator[Dot]:
    """Leaves side by side, every other sentence above the middle of what it led to."""
    below: dict[State | None, list[Dot]] = {}
    for dot in found:
        below.setdefault(dot.before, []).append(dot)
    places: dict[State, float] = {}

    def place(dot: Dot) -> float:
        at = [place(child) for child in below.get(dot.state, ())]
        places[dot.state] = sum(at) / len(at) if at else float(len(leaves))
        if not at:
            leaves.append(dot)
        return places[dot.state]

    leaves: list[Dot] = []
    for root in below.get(None, ()):
        place(root)
    for dot in found:
        yield Dot(dot.state, dot.before, dot.kind, dot.about, places[dot.state])


def _swap(space: SearchSpace, before: State | None, state: State) -> str:
    """What a sentence changes, as HTML."""
    said = describe(space, before or space.origin, state)
    return escape(said) or "the sentence as it is"


def figure(found: Sequence[Dot]) -> go.Figure:
    """The tree, the sentence itself on top, with one level for each changed word."""
    at = {dot.state: dot for dot in found}
    lines: dict[str, list[float | None]] = {"x": [], "y": []}
    for dot in found:
        if dot.before is not None:
            lines["x"] += [at[dot.before].x, dot.x, None]
            lines["y"] += [at[dot.before].words, dot.words, None]
    pen = {"color": GREY, "width": 1}
    quiet = {"mode": "lines", "line": pen, "hoverinfo": "skip", "showlegend": False}
    parts: list[dict[str, Any]] = [{"type": "scatter", **lines, **quiet}]
    written = len(found) <= LABELLED
    for kind, (title, colour) in KINDS.items():
        own = [dot for dot in found if dot.kind == kind]
        if own:
            parts.append(
                {
                    **{"type": "scatter", "name": title, "x": [dot.x for dot in own]},
                    **{"y": [dot.words for dot in own], "customdata": [dot.about for dot in own]},
                    "mode": "markers+text" if written else "markers",
                    "text": [dot.about.partition("<br>")[0] for dot in own],
                    **{"textposition": "bottom center", "textfont": {"size": 11}},
                    "marker": {"size": 10, "color": colour},
                    "hovertemplate": "%{customdata}<extra></extra>",
                }
            )
    deepest = max((dot.words for dot in found), default=0)
    upright = {"range": [deepest + 0.5, -0.4], "dtick": 1, "title": {"text": "words changed"}}
    layout = {
        "height": 150 + 70 * (deepest + 1),
        "margin": {"l": 10, "r": 10, "t": 10, "b": 10},
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "xaxis": {"visible": False},
        "yaxis": {**upright, "zeroline": False},
    }
    return go.Figure(parts, layout)
