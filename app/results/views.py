"""The results of an experiment as HTML tables, figures and data frames; draws nothing itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Final

import pandas as pd
import plotly.graph_objects as go

from app.shared import choices, highlight
from core.experiment.levels import LevelLine
from core.experiment.metrics import Scenario, attacked, by_input, grouped, success_curve
from core.experiment.records import AttackRecord
from core.experiment.results import Results, why
from core.experiment.tables import Cell, ReportTable
from core.experiment.work import spec_of_record
from core.ladder import NAMES
from core.search import SEARCHES

_LAYOUT: Final[Mapping[str, Any]] = {
    "height": 380,
    "margin": {"l": 10, "r": 10, "t": 10, "b": 10},
    "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
}


@dataclass(frozen=True)
class Filter:
    """Which inputs are looked at."""

    shortest: int
    longest: int
    labels: tuple[str, ...]


def chosen(results: Results, wanted: Filter) -> Results:
    """The results on some of the inputs."""
    inputs = {
        row: each
        for row, each in results.inputs.items()
        if wanted.shortest <= each.words <= wanted.longest and each.reference_text in wanted.labels
    }
    attacks = tuple(attack for attack in results.attacks if attack.row in inputs)
    proofs = tuple(proof for proof in results.proofs if proof.row in inputs)
    return replace(results, inputs=inputs, attacks=attacks, proofs=proofs)


def table_html(table: ReportTable) -> str:
    """A table with the best in bold and every piece of text escaped."""
    cells = [[_parts(cell) for cell in row] for row in table.rows]
    return f"<p>{escape(table.title)}</p>" + highlight.table(table.title, table.head, cells)


def _parts(cell: Cell) -> str:
    texts = (
        f"<strong>{escape(part.text)}</strong>" if part.best else escape(part.text) for part in cell
    )
    return " | ".join(texts)


def scenarios(results: Results) -> list[Scenario]:
    """What the searches of a figure have in common."""
    return list(dict.fromkeys(scenario for scenario, _ in grouped(results)))


def _searches(
    results: Results, scenario: Scenario
) -> list[tuple[str, tuple[str, str], list[AttackRecord]]]:
    """Each search of a scenario that has attacked something: its name, its look, its attacks."""
    methods = {choice.name: choice.method for choice in results.plan.searches}
    found = []
    for (where, search), records in grouped(results).items():
        if where == scenario and attacked(records):
            method = methods[search]
            title = choices.title(method) if search == method else search
            card = choices.card(method)
            found.append((title, (card.colour, card.dash), records))
    return found


def success_curves(results: Results, scenario: Scenario) -> go.Figure:
    """The share of successes within so many queries, a step curve for each search."""
    groups = _searches(results, scenario)
    reached = max((r.queries for _, _, records in groups for r in records), default=1)
    end = min(results.plan.limits.budget or reached, reached)
    curves = []
    for title, (colour, dash), records in groups:
        x, y = success_curve(records, end)
        pen = {"shape": "hv", "width": 3, "color": colour, "dash": dash}
        hover = {"name": title, "hovertemplate": "%{y:.1%} within %{x} queries"}
        curves.append({"type": "scatter", "mode": "lines", "x": x, "y": y, "line": pen, **hover})
    axes = {
        "xaxis": {"title": {"text": "queries (distinct texts)"}, "range": [0, end]},
        "yaxis": {"title": {"text": "attacks that succeed"}, "tickformat": ".0%"},
    }
    return go.Figure(curves, {**_LAYOUT, **axes, "hovermode": "x"})


def level_curves(lines: Sequence[LevelLine]) -> go.Figure:
    """The share of inputs that fall up to each level, a line for each victim, goal and search."""
    curves = []
    for line in lines:
        victim, goal, search = line.who
        method = search.partition(" ")[0]
        colour = choices.card(method).colour if method in SEARCHES else None
        curves.append(
            {
                **{
                    "type": "scatter",
                    "mode": "lines+markers",
                    "name": f"{victim}, {search}, {goal}",
                },
                **{"x": [NAMES[level] for level in line.shares], "y": list(line.shares.values())},
                **{"line": {"color": colour, "width": 3}, "hovertemplate": "%{y:.1%}: %{x}"},
            }
        )
    axes = {
        "xaxis": {"title": {"text": "words, from harmless to any"}, "type": "category"},
        "yaxis": {
            "title": {"text": "inputs that fall"},
            "tickformat": ".0%",
            "rangemode": "tozero",
        },
    }
    return go.Figure(curves, {**_LAYOUT, **axes})


def by_length(results: Results, scenario: Scenario) -> go.Figure:
    """The queries each search needs for texts of each length, a mean over its runs for a dot."""
    dots = []
    for title, (colour, _), records in _searches(results, scenario):
        costs = by_input(records, lambda record: float(record.queries))
        x = [results.inputs[row].words for row in costs]
        marker = {"color": colour, "size": 6, "opacity": 0.6}
        dots.append(
            {"type": "scatter", "mode": "markers", "x": x, "y": list(costs.values()), "name": title}
            | {"marker": marker, "hovertemplate": "%{x} words, %{y:.0f} queries"}
        )
    axes = {
        "xaxis": {"title": {"text": "words of the text"}},
        "yaxis": {"title": {"text": "queries"}, "type": "log"},
    }
    return go.Figure(dots, {**_LAYOUT, **axes})


def every_attack(
    results: Results, scenario: Scenario
) -> tuple[go.Figure, list[list[AttackRecord]]]:
    """Queries against words changed, and which attack each dot of each search is."""
    dots, behind = [], []
    for title, (colour, _), records in _searches(results, scenario):
        shown = attacked(records)
        symbols = ["circle" if each.status == "success" else "x" for each in shown]
        marker = {"color": colour, "size": 9, "opacity": 0.65, "symbol": symbols}
        dots.append(
            {
                **{"type": "scatter", "mode": "markers", "name": title, "marker": marker},
                "x": [each.queries for each in shown],
                "y": [len(each.swaps) for each in shown],
                "hovertemplate": "%{x} queries, %{y} words changed",
            }
        )
        behind.append(shown)
    axes = {
        "xaxis": {"title": {"text": "queries (distinct texts)"}, "type": "log"},
        "yaxis": {"title": {"text": "words changed"}, "rangemode": "tozero"},
    }
    return go.Figure(dots, {**_LAYOUT, **axes, "clickmode": "event+select"}), behind


def picked(
    event: Mapping[str, Any], behind: Sequence[Sequence[AttackRecord]]
) -> AttackRecord | None:
    """The attack whose dot was clicked."""
    points = event.get("selection", {}).get("points", [])
    if not points:
        return None
    curve, point = points[0]["curve_number"], points[0]["point_index"]
    fits = curve < len(behind) and point < len(behind[curve])
    return behind[curve][point] if fits else None


def attack_rows(results: Results, scenario: Scenario) -> pd.DataFrame:
    """Each attack of a scenario in a row, with the address that shows it step by step."""
    return pd.DataFrame(
        [
            {
                "search": each.search,
                "seed": each.seed,
                "status": each.status,
                "queries": each.queries,
                "changed": len(each.swaps),
                "label": results.inputs[each.row].reference_text,
                "text": results.text(each),
                "why": why(each),
                "open": f"step?{spec_of_record(results, each).address()}",
            }
            for each in results.attacks
            if (each.victim, each.substitution, each.goal) == scenario and each.status != "error"
        ]
    )


def failures(results: Results, scenario: Scenario) -> pd.DataFrame:
    """How often each reason ended an attack without success, a column for each search."""
    counts: dict[str, dict[str, int]] = {}
    for title, _, records in _searches(results, scenario):
        for each in records:
            if reason := why(each):
                row = counts.setdefault(reason, {})
                row[title] = row.get(title, 0) + 1
    return pd.DataFrame.from_dict(counts, orient="index").fillna(0).astype(int)
