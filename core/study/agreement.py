"""How far raters agree beyond chance: Fleiss' kappa and Krippendorff's alpha, by NLTK."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.narrate.words import count
from core.study.judgements import Judged, Judgement

EQUAL = "cannot be computed, because all answers are equal"
FEW = "cannot be computed: no item has two ratings yet"
Distance = Callable[[Any, Any], float]


@dataclass(frozen=True)
class Coefficient:
    """An agreement coefficient, or why there is none."""

    name: str
    value: float | None
    note: str  # why there is no value, or what it was computed from


def coefficients(items: Sequence[Judged]) -> list[Coefficient]:
    """The five coefficients of a study: two for labels, two for scores, and kappa for scores."""

    def label(judgement: Judgement) -> Hashable:
        return judgement.label

    def score(judgement: Judgement) -> Hashable:
        return judgement.score

    labels, scores = _units(items, label), _units(items, score)
    return [
        fleiss_kappa("Fleiss' kappa of labels", labels),
        krippendorff_alpha("Krippendorff's alpha of labels (nominal)", labels, nominal),
        fleiss_kappa("Fleiss' kappa of scores", scores),
        krippendorff_alpha("Krippendorff's alpha of scores (ordinal)", scores, ordinal(scores)),
        krippendorff_alpha("Krippendorff's alpha of scores (interval)", scores, interval),
    ]


def _units(
    items: Sequence[Judged], answer: Callable[[Judgement], Hashable]
) -> list[list[Hashable]]:
    """The answers to each item that has at least two: agreement needs pairs."""
    units = [[answer(judgement) for judgement in item.judgements] for item in items]
    return [unit for unit in units if len(unit) >= 2]


def fleiss_kappa(name: str, units: Sequence[Sequence[Hashable]]) -> Coefficient:
    """Fleiss' kappa; it needs equally many ratings per item, so it takes the most common number."""
    if not units:
        return Coefficient(name, None, FEW)
    sizes = Counter(map(len, units))
    size = max(sizes, key=lambda number: (sizes[number], number))
    chosen = [unit for unit in units if len(unit) == size]
    note = f"{count(len(chosen), 'item')} with {size} ratings each"
    if len(chosen) < len(units):
        note += f"; {count(len(units) - len(chosen), 'item')} with another number left out"
    if _all_equal(chosen):
        return Coefficient(name, None, EQUAL)
    # Raters of one item are interchangeable for Fleiss: the first, the second and so on.
    return Coefficient(name, float(_task(chosen, nominal).pi()), note)


def krippendorff_alpha(
    name: str, units: Sequence[Sequence[Hashable]], distance: Distance
) -> Coefficient:
    """Krippendorff's alpha; items may have different numbers of ratings."""
    if not units:
        return Coefficient(name, None, FEW)
    if _all_equal(units):
        return Coefficient(name, None, EQUAL)
    note = f"{count(len(units), 'item')}, {count(sum(map(len, units)), 'rating')}"
    return Coefficient(name, float(_task(units, distance).alpha()), note)


def nominal(one: Hashable, other: Hashable) -> float:
    """Different is different."""
    return float(one != other)


def interval(one: float, other: float) -> float:
    """The squared distance."""
    return float((one - other) ** 2)


def ordinal(units: Sequence[Sequence[Any]]) -> Distance:
    """The squared number of answers that lie between two points, half of their own included."""
    counts: Mapping[Any, int] = Counter(value for unit in units for value in unit)

    def distance(one: Any, other: Any) -> float:
        low, high = min(one, other), max(one, other)
        between = sum(counts[value] for value in counts if low <= value <= high)
        return float((between - (counts[low] + counts[high]) / 2) ** 2)

    return distance


def _all_equal(units: Sequence[Sequence[Hashable]]) -> bool:
    return len({value for unit in units for value in unit}) == 1


def _task(units: Sequence[Sequence[Hashable]], distance: Distance) -> Any:
    from nltk.metrics.agreement import AnnotationTask  # takes a second to import

    rows = [
        (place, number, value)
        for number, unit in enumerate(units)
        for place, value in enumerate(unit)
    ]
    return AnnotationTask(rows, distance)
