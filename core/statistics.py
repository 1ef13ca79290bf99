"""Statistics for comparing searches on the same inputs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Pairs: TypeAlias = Sequence[float] | Floats

LEVEL: Final = 0.05  # a difference is one if its corrected p-value is below this
CONFIDENCE: Final = 0.95  # of an interval, unless another is asked for
RESAMPLES: Final = 10_000
_AT_ONCE: Final = 2_000_000  # numbers drawn in one step of the bootstrap


@dataclass(frozen=True)
class Interval:
    """A value with the interval that holds it with the given confidence."""

    value: float
    low: float
    high: float


def bootstrap(
    values: Pairs, confidence: float = CONFIDENCE, seed: int = 0, resamples: int = RESAMPLES
) -> Interval:
    """The mean with its percentile interval over resamples of the inputs."""
    data = np.asarray(values, dtype=np.float64).reshape(1, -1, 1)
    return bootstrap_rates(data, np.ones_like(data), confidence, seed, resamples)[0]


def bootstrap_rates(
    over: Floats,
    under: Floats,
    confidence: float = CONFIDENCE,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> list[Interval]:
    """Rates with their percentile intervals over resamples of the inputs, the same for each rate.

    The axes are rates, inputs and runs: the rate of a run is one sum over its inputs by the other,
    and the mean is over the runs in which there is something to divide by.
    """
    terms, inputs = np.stack([over, under]), over.shape[1]
    rng = np.random.default_rng(seed)
    step = max(1, _AT_ONCE // max(1, inputs))
    sizes = [min(step, resamples - start) for start in range(0, resamples, step)] if inputs else []
    drawn = [
        _mean_rates(np.tensordot(_counts(rng.integers(0, inputs, (size, inputs))), terms, (1, 2)))
        for size in sizes
    ]
    (values,) = _mean_rates(terms.sum(axis=2)[None])
    means = np.concatenate([*drawn, np.empty((0, len(values)))])
    ends = [(1 - confidence) / 2, (1 + confidence) / 2]
    found = []
    for value, column in zip(values, means.T, strict=True):
        known = column[~np.isnan(column)]
        low, high = np.quantile(known, ends) if known.size else (np.nan, np.nan)
        found.append(Interval(float(value), float(low), float(high)))
    return found


def _counts(drawn: NDArray[np.int64]) -> Floats:
    """How often each input is in each resample: a product with it is a sum over the resample."""
    rows, inputs = drawn.shape
    places = drawn + inputs * np.arange(rows)[:, None]
    return np.bincount(places.ravel(), minlength=drawn.size).reshape(drawn.shape).astype(float)


def _mean_rates(sums: Floats) -> Floats:
    """The mean over runs of each rate; not a number where no run has one."""
    over, under = sums[:, 0], sums[:, 1]
    with np.errstate(invalid="ignore"):
        rates = np.where(under > 0, over / under, 0.0)
        means: Floats = rates.sum(axis=-1) / (under > 0).sum(axis=-1)
    return means


def mean_sd(values: Pairs) -> tuple[float, float | None]:
    """Mean and standard deviation over runs; one run has no deviation."""
    data = np.asarray(values, dtype=np.float64)
    return float(data.mean()), float(data.std(ddof=1)) if data.size > 1 else None


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> float:
    """Exact two-sided p-value that two searches succeed equally often on the same inputs."""
    from scipy.stats import binomtest

    only_first = sum(a and not b for a, b in zip(first, second, strict=True))
    only_second = sum(b and not a for a, b in zip(first, second, strict=True))
    apart = only_first + only_second
    return float(binomtest(only_first, apart).pvalue) if apart else 1.0


def wilcoxon(first: Pairs, second: Pairs) -> float:
    """Two-sided p-value of the signed-rank test; pairs without a difference count for neither."""
    from scipy import stats

    differences = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    if not differences.any():
        return 1.0
    return float(stats.wilcoxon(differences).pvalue)


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for how many they are, in their own order."""
    count = len(p_values)
    corrected = [0.0] * count
    largest = 0.0
    for rank, index in enumerate(sorted(range(count), key=lambda index: p_values[index])):
        largest = max(largest, min(1.0, (count - rank) * p_values[index]))
        corrected[index] = largest
    return corrected
