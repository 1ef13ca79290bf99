"""The paper's claims about local search, one line each, and whether they hold in what was measured.

What was measured is kept as figures: numbers for each input and no texts, so that they may be
shared where the data may not.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.experiment import paper
from core.experiment.metrics import by_input, grouped, is_success
from core.experiment.results import Results
from core.experiment.tables import ReportTable
from core.experiment.tables import plain as cell
from core.search import DEFAULT, search_named
from core.statistics import Interval, bootstrap

Floats: TypeAlias = NDArray[np.float64]
Verdict: TypeAlias = Literal["holds here", "does not hold here", "cannot be told here"]
MEASURES: Final = ("success", "requests", "queries")
FEWEST: Final = 10  # inputs, below which nothing is said


@dataclass(frozen=True)
class Figures:
    """One of the paper's scenarios as it was measured: for each search a number for each input.

    Only inputs that every search has attacked count; a number is the mean over a search's runs.
    """

    plan: str
    victim: str
    inputs: int
    runs: Mapping[str, int]  # of each search
    values: Mapping[str, Mapping[str, Sequence[float]]]  # by search and measure

    def of(self, search: str, measure: str) -> Floats:
        return np.array(self.values[search][measure], dtype=np.float64)


@dataclass(frozen=True)
class Claim:
    """Something the paper found wherever local search stands beside another search."""

    other: str
    measure: str
    words: str  # what stands between both names
    gain: Callable[[Floats, Floats], Floats]  # above 0 where it holds, from theirs and ours

    @property
    def text(self) -> str:
        names = (search_named(key).card.title for key in (DEFAULT, self.other))
        return f"{next(names)} {self.words} {next(names)}"


@dataclass(frozen=True)
class Finding:
    """What became of a claim: in the paper's tables, and here."""

    claim: Claim
    in_paper: tuple[int, int]  # scenarios in which it holds, of so many
    here: tuple[int, int]
    inputs: int
    ours: float  # the means of local search and of the other one, over the inputs
    theirs: float
    gain: Interval | None

    @property
    def verdict(self) -> Verdict:
        if self.gain is None or self.inputs < FEWEST or self.gain.low <= 0 <= self.gain.high:
            return "cannot be told here"
        return "holds here" if self.gain.low > 0 else "does not hold here"

    @property
    def numbers(self) -> str:
        """In how many scenarios it holds, in the paper and here, and by how much."""
        there = f"in the paper in {self.in_paper[0]} of {self.in_paper[1]} scenarios"
        if self.gain is None:
            return f"{there}, not measured here"
        digits = "{:.1%}" if self.claim.measure == "success" else "{:.1f}"
        ours, theirs, low, high = (
            digits.format(value)
            for value in (self.ours, self.theirs, self.gain.low, self.gain.high)
        )
        return (
            f"{there}, here in {self.here[0]} of {self.here[1]}: {ours} against {theirs} over "
            f"{self.inputs:,} inputs (95 % interval of the gain: {low} to {high})"
        )

    @property
    def sentence(self) -> str:
        """The claim, the verdict and the numbers."""
        return f"{self.claim.text}: {self.verdict}; {self.numbers}."


_GAINS: Final[Mapping[str, Callable[[Floats, Floats], Floats]]] = {  # above 0 where a claim holds
    "more": lambda ours, theirs: ours - theirs,
    "fewer": lambda ours, theirs: theirs - ours,
    "below twice": lambda ours, theirs: 2 * theirs - ours,
}


@cache
def all_claims() -> tuple[Claim, ...]:
    """What the paper claims, in the order of its tables."""
    return tuple(
        Claim(row["other"], row["measure"], row["words"], _GAINS[row["gain"]])
        for row in paper.rows("claims")
    )


def figures_of(results: Results) -> Figures:
    """The figures of a run of one of the paper's plans."""
    groups = {search: records for (_, search), records in grouped(results).items()}
    numbers = {
        "success": lambda record: float(is_success(record)),
        "requests": lambda record: float(record.requests),
        "queries": lambda record: float(record.queries),
    }
    values = {
        search: {name: by_input(records, numbers[name]) for name in MEASURES}
        for search, records in groups.items()
    }
    rows = sorted(set.intersection(*(set(each["success"]) for each in values.values())))
    return Figures(
        results.plan.name,
        results.plan.victims[0],
        len(rows),
        {search: len({record.seed for record in records}) for search, records in groups.items()},
        {
            search: {name: [each[name][row] for row in rows] for name in MEASURES}
            for search, each in values.items()
        },
    )


def findings(measured: Sequence[Figures]) -> list[Finding]:
    """Every claim, in the paper and in what was measured."""
    return [_finding(claim, measured) for claim in all_claims()]


def _finding(claim: Claim, measured: Sequence[Figures]) -> Finding:
    pairs = [
        (each.of(DEFAULT, claim.measure), each.of(claim.other, claim.measure))
        for each in measured
        if each.inputs and {DEFAULT, claim.other} <= each.values.keys()
    ]
    gains = [claim.gain(ours, theirs) for ours, theirs in pairs]
    ours, theirs = (
        np.concatenate([pair[at] for pair in pairs]) if pairs else np.zeros(0) for at in (0, 1)
    )
    return Finding(
        claim,
        _in_paper(claim),
        (sum(float(gain.mean()) > 0 for gain in gains), len(gains)),
        len(ours),
        float(ours.mean()) if pairs else np.nan,
        float(theirs.mean()) if pairs else np.nan,
        bootstrap(np.concatenate(gains)) if pairs else None,
    )


def _in_paper(claim: Claim) -> tuple[int, int]:
    """In how many of the paper's scenarios it holds, of how many."""
    found = {
        (row["data"], row["victim"], row["substitution"], row["search"]): row[claim.measure]
        for row in paper.rows("success")
    }
    others = [key for key in found if key[-1] == claim.other]
    gains = [
        claim.gain(np.array([found[*key[:-1], DEFAULT]]), np.array([found[key]])) for key in others
    ]
    return sum(bool(gain[0] > 0) for gain in gains), len(gains)


def figures_table(measured: Sequence[Figures]) -> ReportTable:
    """Each search of each scenario, with the paper's row behind it."""
    scenarios = {row["plan"]: row for row in paper.rows("scenarios")}
    printed = {
        (row["data"], row["victim"], row["substitution"], row["search"]): row
        for row in paper.rows("success")
    }
    rows = []
    for each in measured:
        what = scenarios[each.plan]
        key = tuple(what[name] for name in ("data", "victim", "substitution"))
        for search in each.values:
            there = printed.get((*key, search), {})
            cells = [f"{each.inputs:,}", str(each.runs[search])]
            cells += [_mean(each, search, "success", 100), str(there.get("success", "-"))]
            cells += [_mean(each, search, "requests"), str(there.get("requests", "-"))]
            cells += [_mean(each, search, "queries")]
            rows.append(tuple(map(cell, (each.plan, each.victim, search, *cells))))
    head = (
        *("Plan", "Victim", "Search", "Inputs", "Runs", "Success (%)", "in the paper"),
        *("Requests", "in the paper", "Queries"),
    )
    return ReportTable("The paper's scenarios", head, tuple(rows))


def _mean(figures: Figures, search: str, measure: str, factor: float = 1) -> str:
    numbers = figures.of(search, measure)
    return f"{factor * numbers.mean():.1f}" if numbers.size else "-"
