"""Two methods on the same sources: paired differences with exact tests and their size."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import lcm
from statistics import fmean, stdev
from typing import Final

from core.statistics import holm, mcnemar
from core.study.judgements import Judged, rated

CORRECTED: Final = "P-values are corrected by Holm's method for all comparisons of the study."


@dataclass(frozen=True)
class MethodComparison:
    """What separates two methods on the sources that both have."""

    first: str
    second: str
    pairs: int
    only_first: int  # sources where only the first method is valid
    only_second: int
    valid_difference: float  # first minus second, share of pairs
    valid_p: float | None  # exact McNemar test, two-sided
    score_difference: float  # first minus second, mean over pairs
    score_p: float | None  # exact sign-flip test of the mean difference, two-sided
    score_effect: float | None  # Cohen's d of paired differences
    note: str  # why something is missing


def comparisons(items: Sequence[Judged], groups: Sequence[str]) -> list[MethodComparison]:
    """Every two groups, with p-values corrected for how many there are."""
    found = [compare(items, *pair) for pair in combinations(groups, 2)]
    each = [p for one in found for p in (one.valid_p, one.score_p) if p is not None]
    corrected = iter(holm(each))

    def after(p: float | None) -> float | None:
        return None if p is None else next(corrected)

    return [replace(one, valid_p=after(one.valid_p), score_p=after(one.score_p)) for one in found]


def compare(items: Sequence[Judged], first: str, second: str) -> MethodComparison:
    """Compare two groups source by source; a source that only one of them has says nothing."""
    ones, others = _by_source(items, first), _by_source(items, second)
    shared = [source for source in ones if source in others]
    pairs = [(ones[source], others[source]) for source in shared]
    if not pairs:
        note = "The two have no source in common that is rated, so there is nothing to pair."
        return MethodComparison(first, second, 0, 0, 0, 0.0, None, 0.0, None, None, note)
    valid = [one.valid for one, _ in pairs], [other.valid for _, other in pairs]
    only_first = sum(one > other for one, other in zip(*valid, strict=True))
    only_second = sum(one < other for one, other in zip(*valid, strict=True))
    differences = [one.mean_score - other.mean_score for one, other in pairs]
    notes = []
    if only_first + only_second == 0:
        notes.append("Validity does not differ on any source, so there is nothing to test.")
    if not any(differences):
        notes.append("Perceptibility does not differ on any source, so there is nothing to test.")
    plain = [float(difference) for difference in differences]
    spread = stdev(plain) if len(plain) > 1 else 0.0
    return MethodComparison(
        first,
        second,
        len(pairs),
        only_first,
        only_second,
        (only_first - only_second) / len(pairs),
        mcnemar(*valid) if only_first + only_second else None,
        fmean(plain),
        sign_flip(differences) if any(differences) else None,
        fmean(plain) / spread if spread else None,
        " ".join(notes),
    )


def _by_source(items: Sequence[Judged], group: str) -> dict[str, Judged]:
    found: dict[str, Judged] = {}
    for one in rated(items):
        if one.item.group == group:
            found.setdefault(one.item.source, one)  # the first, if a method attacked it twice
    return found


def sign_flip(differences: Sequence[Fraction]) -> float:
    """How likely so large a sum is if each difference could as well have the other sign.

    All 2^n patterns are counted at once: as whole numbers, the sums of a few differences are few.
    """
    unit = lcm(*(difference.denominator for difference in differences))
    steps = [abs(int(difference * unit)) for difference in differences]
    ways = {0: 1}
    for step in steps:
        flipped: dict[int, int] = {}
        for total, count in ways.items():
            for after in (total + step, total - step):
                flipped[after] = flipped.get(after, 0) + count
        ways = flipped
    reached = abs(sum(int(difference * unit) for difference in differences))
    extreme = sum(count for total, count in ways.items() if abs(total) >= reached)
    return float(Fraction(extreme, sum(ways.values())))
