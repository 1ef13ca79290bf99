"""The paper's table: for each method the share of valid items and the mean perceptibility."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.narrate.words import count
from core.statistics import bootstrap
from core.study.agreement import Coefficient, coefficients
from core.study.comparison import MethodComparison, comparisons
from core.study.items import ORIGINAL
from core.study.judgements import Judged, rated
from core.study.wording import POINTS


@dataclass(frozen=True)
class Estimate:
    """A mean over items with its bootstrap interval; the interval needs two items."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class ResultRow:
    """A line of the table: one method, or the original inputs."""

    group: str
    items: int
    rated: int
    ratings: int
    ties: int  # items without a majority; they count as not valid
    valid: Estimate | None  # None while nothing is rated
    score: Estimate | None
    distribution: tuple[int, ...]  # how often each point was given
    agreement: tuple[Coefficient, ...]


@dataclass(frozen=True)
class StudyResults:
    """All that can be said about the judgements so far, and what cannot."""

    rows: tuple[ResultRow, ...]  # the original inputs last
    raters: int  # who have judged something and count
    victims: tuple[str, ...]  # as far as they are known
    comparisons: tuple[MethodComparison, ...]
    agreement: tuple[Coefficient, ...]
    notes: tuple[str, ...]


def results(items: Sequence[Judged], seed: int = 0) -> StudyResults:
    """Compute the table, the comparisons, the agreement and the notes."""
    groups = list(dict.fromkeys(judged.item.group for judged in items))
    groups.sort(key=lambda group: (group == ORIGINAL, group))
    rows = [row(group, [one for one in items if one.item.group == group], seed) for group in groups]
    return StudyResults(
        tuple(rows),
        len({judgement.rater for one in items for judgement in one.judgements}),
        tuple(sorted({one.item.victim for one in items if one.item.victim})),
        tuple(comparisons(items, groups)),
        tuple(coefficients(items)),
        tuple(notes(items, rows)),
    )


def row(group: str, items: Sequence[Judged], seed: int = 0) -> ResultRow:
    judged = rated(items)
    scores = [judgement.score for one in judged for judgement in one.judgements]
    return ResultRow(
        group,
        len(items),
        len(judged),
        len(scores),
        sum(one.tied for one in judged),
        estimate([float(one.valid) for one in judged], seed),
        estimate([float(one.mean_score) for one in judged], seed),
        tuple(scores.count(point) for point in range(POINTS)),
        tuple(coefficients(judged)),
    )


def estimate(values: Sequence[float], seed: int = 0) -> Estimate | None:
    """The mean, and the interval of means of items drawn again with replacement."""
    if not values:
        return None
    if len(values) < 2:
        return Estimate(values[0], None, None)
    found = bootstrap(values, seed=seed)
    return Estimate(found.value, found.low, found.high)


def notes(items: Sequence[Judged], rows: Sequence[ResultRow]) -> list[str]:
    """What a reader must know, and what the ratings are too few for."""
    judged = rated(items)
    notes = []
    if not judged:
        return ["Nothing is rated yet, so nothing can be computed."]
    if missing := len(items) - len(judged):
        notes.append(f"Left out: {missing} of {count(len(items), 'item')} without a rating yet.")
    single = sum(len(one.judgements) == 1 for one in judged)
    if single == len(judged):
        notes.append(
            "No item has two ratings: there is no majority to speak of, validity is the word of "
            "one rater, and agreement cannot be computed."
        )
    elif single:
        notes.append(
            f"One rating only is there for {single} of {count(len(judged), 'item')}: the label is "
            "the word of one rater, and agreement leaves it out."
        )
    if ties := sum(row.ties for row in rows):
        notes.append(f"Raters tie on {count(ties, 'item')}: no majority, counted as not valid.")
    notes += [
        f"{row.group}: one rated item is too few for an interval." for row in rows if row.rated == 1
    ]
    return notes


def by_disagreement(items: Sequence[Judged]) -> list[Judged]:
    """The items on which raters differ most come first."""
    several = [item for item in items if len(item.judgements) >= 2]
    return sorted(several, key=lambda item: item.disagreement, reverse=True)
