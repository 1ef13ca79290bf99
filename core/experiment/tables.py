"""Result tables in the paper's form: the best in bold, deviations where there are several runs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Final

import numpy as np

from core.experiment.metrics import METRICS, OF_QUALITY, ScenarioLine, Value
from core.statistics import CONFIDENCE

SHOWN: Final = {  # how a metric is written: its factor and its decimals
    **dict.fromkeys(("success", "modification", "area"), (100.0, 2)),
    **dict.fromkeys(
        ("queries", "requests", "queries_success", "requests_success", "queries_first"), (1.0, 1)
    ),
    "ipw": (1e4, 3),
    "perplexity": (1.0, 2),
    "similarity": (1.0, 3),
}
HEADS: Final = {
    "success": "Success (%)",
    "queries": "Queries",
    "requests": "Requests",
    "queries_success": "Queries of successes",
    "requests_success": "Requests of successes",
    "queries_first": "Queries to first success",
    "modification": "Modi. (%)",
    "area": "Area (%)",
    "ipw": "IPW (E-4)",
    "perplexity": "PPL",
    "similarity": "Similarity",
}
BOUNDED: Final = ("success", "queries", "requests", "modification", *OF_QUALITY)  # as reported
_WHO: Final = ("Victim", "Substitution", "Goal", "Search")
_LATEX: Final = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        **{"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}"},
        **{"|": "\\textbar{}", "±": "$\\pm$"},
    }
)


@dataclass(frozen=True)
class Part:
    """A number in a cell, and whether it is the best of its kind."""

    text: str
    best: bool = False


Cell = tuple[Part, ...]  # written one after the other, divided by a bar


@dataclass(frozen=True)
class ReportTable:
    """A table that can be written in several ways."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def text(self) -> str:
        """For a terminal; the best has a star."""
        grid = [
            list(self.head),
            *([_joined(cell, "|", "{}*") for cell in row] for row in self.rows),
        ]
        widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in grid]
        return "\n".join([self.title, lines[0], "-" * len(lines[0]), *lines[1:]])

    def markdown(self) -> str:
        """For a README; the best is bold."""
        rows = [[_joined(cell, " \\| ", "**{}**") for cell in row] for row in self.rows]
        grid = [list(self.head), ["---"] * len(self.head), *rows]
        return "\n".join([f"{self.title}", "", *(f"| {' | '.join(row)} |" for row in grid)])

    def latex(self) -> str:
        """For a paper, with booktabs; the best is bold."""
        rows = [
            " & ".join(_joined(cell, "\\textbar{}", "\\textbf{{{}}}", latex_text) for cell in row)
            for row in self.rows
        ]
        return "\n".join(
            [
                "\\begin{table}[tbp]",
                "\t\\centering",
                f"\t\\caption{{{latex_text(self.title)}}}",
                f"\t\\begin{{tabular}}{{{'l' + 'c' * (len(self.head) - 1)}}}",
                "\t\t\\toprule",
                "\t\t" + " & ".join(map(latex_text, self.head)) + " \\\\",
                "\t\t\\midrule",
                *(f"\t\t{row} \\\\" for row in rows),
                "\t\t\\bottomrule",
                "\t\\end{tabular}",
                "\\end{table}",
            ]
        )


def paper_tables(lines: Sequence[ScenarioLine], count: str = "requests") -> list[ReportTable]:
    """A table for each substitution and goal, as in the paper: success and query number."""
    tables = []
    for substitution, goal in dict.fromkeys((each.scenario[1], each.scenario[2]) for each in lines):
        chosen = [each for each in lines if each.scenario[1:] == (substitution, goal)]
        victims = list(dict.fromkeys(each.scenario.victim for each in chosen))
        cells = {(each.search, each.scenario.victim): each for each in chosen}
        rows = [
            (
                plain(search),
                *(
                    tuple(_part(name, cells[search, victim], chosen) for name in ("success", count))
                    for victim in victims
                ),
            )
            for search in dict.fromkeys(each.search for each in chosen)
        ]
        what = "requests, as the paper counts" if count == "requests" else "distinct queries"
        title = f"{substitution} substitution, {goal}: success (%) | mean {what}, over all attacked"
        tables.append(ReportTable(title, ("Search", *victims), tuple(rows)))
    return tables


def detail_table(lines: Sequence[ScenarioLine]) -> ReportTable:
    """Every metric of every search, a row each; the best of each scenario is marked."""
    names = measured(lines)
    rows = [
        (
            *map(plain, (*each.scenario, each.search, f"{each.attacked:,}", str(each.runs))),
            *((_part(name, each, lines),) for name in names),
        )
        for each in lines
    ]
    head = (*_WHO, "Attacked", "Runs", *(HEADS[name] for name in names))
    return ReportTable("All metrics", head, tuple(rows))


def interval_table(lines: Sequence[ScenarioLine]) -> ReportTable:
    """The means that a report gives, each with its interval, such as 89.17 [84.10, 93.40]."""
    names = [name for name in BOUNDED if name in measured(lines)]
    rows = [
        (
            *map(plain, (*each.scenario, each.search)),
            *(plain(bounded(name, each.value(name))) for name in names),
        )
        for each in lines
    ]
    title = f"Intervals ({100 * CONFIDENCE:g} %, percentile bootstrap over the inputs)"
    return ReportTable(title, (*_WHO, *(HEADS[name] for name in names)), tuple(rows))


def measured(lines: Sequence[ScenarioLine]) -> list[str]:
    """The metrics that the lines have."""
    return [name for name in METRICS if any(name in each.values for each in lines)]


def definitions(
    lines: Sequence[ScenarioLine], models: Mapping[str, str] | None = None
) -> list[str]:
    """What each metric of the tables is, its unit and which way is better, a line each."""
    found = []
    for name in measured(lines):
        metric, model = METRICS[name], (models or {}).get(name)
        line = f"{HEADS[name]}: {metric.definition}. Unit: {metric.unit or 'none'}. "
        line += f"{metric.better.capitalize()} is better."
        found.append(f"{line} Measured with {model}." if model else line)
    return found


def plain(text: str) -> Cell:
    return (Part(text),)


def shown(name: str, value: Value) -> str:
    """A value as the tables write it, such as 93.71±.17."""
    mean = _number(name, value.mean)
    if value.sd is None:
        return mean
    return f"{mean}±{_number(name, value.sd)}".replace("±0.", "±.")


def bounded(name: str, value: Value) -> str:
    """A mean with its interval, where there are enough inputs for one."""
    mean, interval = _number(name, value.mean), value.interval
    if interval is None:
        return mean
    return f"{mean} [{_number(name, interval.low)}, {_number(name, interval.high)}]"


def _number(name: str, value: float) -> str:
    factor, digits = SHOWN[name]
    return "-" if np.isnan(value) else f"{value * factor:.{digits}f}"


def noted(notes: Sequence[str], form: str) -> list[str]:
    """Lines to stand beside tables: a list in Markdown, comments in LaTeX."""
    mark = {"markdown": "- ", "latex": "% "}.get(form, "")
    return [f"{mark}{note}" if note else "" for note in notes]


def latex_text(text: str) -> str:
    """Text with the signs that LaTeX reads as commands escaped."""
    return text.translate(_LATEX)


def _part(name: str, line: ScenarioLine, lines: Sequence[ScenarioLine]) -> Part:
    value = line.value(name)
    rivals = [each.value(name).mean for each in lines if each.scenario == line.scenario]
    known = [rival for rival in rivals if not np.isnan(rival)]
    best = bool(known) and isclose(value.mean, _best(name, known))  # a mean over runs is rounded
    return Part(shown(name, value), best and len(rivals) > 1)


def _best(name: str, values: Sequence[float]) -> float:
    return max(values) if METRICS[name].better == "higher" else min(values)


def _joined(cell: Cell, bar: str, best: str, escape: Callable[[str], str] = str) -> str:
    texts = [(escape(part.text), part.best) for part in cell]
    return bar.join(best.format(text) if mark else text for text, mark in texts)
