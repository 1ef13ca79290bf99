"""Success by level of plausibility: how many inputs fall to harmless words, and how many to others.

A level counts the stricter ones too: an input that falls to harmless words falls to close ones.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean

from core.experiment.metrics import attacked, is_success
from core.experiment.records import AttackRecord
from core.experiment.results import Results
from core.experiment.tables import ReportTable, plain
from core.ladder import NAMES, level_of

STANDS = max(NAMES) + 1  # looser than all levels: it does not fall
Who = tuple[str, str, str]  # victim, goal, search


@dataclass(frozen=True)
class LevelLine:
    """The share of inputs that fall up to each level: the mean over the runs of a search."""

    who: Who
    attacked: int
    shares: Mapping[int, float]


def levels_of(results: Results) -> dict[str, int]:
    """The level of each substitution of the plan; none if the plan has no ladder."""
    levels = {choice.name: level_of(choice) for choice in results.plan.substitutions}
    return levels if len(set(levels.values())) > 1 else {}


def level_lines(results: Results) -> list[LevelLine]:
    """Success by level for every search; only inputs that were attacked on all levels count."""
    levels = levels_of(results)
    groups: dict[Who, list[AttackRecord]] = {}
    for record in attacked(results.attacks if levels else ()):
        groups.setdefault((record.victim, record.goal, record.search), []).append(record)
    return [line for who, records in groups.items() if (line := _line(who, records, levels))]


def _line(who: Who, records: Iterable[AttackRecord], levels: Mapping[str, int]) -> LevelLine | None:
    runs: dict[tuple[int, int | None], dict[str, bool]] = {}
    for record in records:
        runs.setdefault((record.row, record.seed), {})[record.substitution] = is_success(record)
    whole = {run: found for run, found in runs.items() if found.keys() == levels.keys()}
    if not whole:
        return None
    strictest = [
        min((levels[name] for name, won in found.items() if won), default=STANDS)
        for found in whole.values()
    ]
    shares = {
        most: fmean(level <= most for level in strictest) for most in sorted(set(levels.values()))
    }
    return LevelLine(who, len({row for row, _ in whole}), shares)


def level_tables(results: Results) -> list[ReportTable]:
    """The table of success by level, if the plan has several levels."""
    lines = level_lines(results)
    if not lines:
        return []
    levels = sorted(lines[0].shares)
    rows = []
    for line in lines:
        shares = (f"{100 * line.shares[level]:.1f}" for level in levels)
        rows.append(tuple(map(plain, (*line.who, f"{line.attacked:,}", *shares))))
    title = "Success by level (%): inputs that fall to words of a level or of a stricter one"
    heads = ("Victim", "Goal", "Search", "Attacked", *(NAMES[level] for level in levels))
    return [ReportTable(title, heads, tuple(rows))]
