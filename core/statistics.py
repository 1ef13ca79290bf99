"""Statistics for comparing searches on the same inputs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Pairs: TypeAlias = Sequence[float] | Floats

LEVEL: Final = 0.05  # a difference is one if its corrected p-value is below this
_RESAMPLES: Final = 10_000
_AT_ONCE: Final = 2_000_000  # numbers drawn in one step of the bootstrap


@dataclass(frozen=True)
class Interval:
    """A value with the interval that holds it with the given confidence."""

    value: float
    low: float
    high: float


def bootstrap(
    values: Pairs, confidence: float = 0.95, seed: int = 0, resamples: int = _RESAMPLES
) -> Interval:
    """The mean with its percentile interval over resamples of the inputs."""
    data = np.asarray(values, dtype=np.float64)
    if not data.size:
        return Interval(np.nan, np.nan, np.nan)
    rng = np.random.default_rng(seed)
    step = max(1, _AT_ONCE // data.size)
    means = np.concatenate(
        [
            data[rng.integers(0, data.size, (min(step, resamples - start), data.size))].mean(axis=1)
            for start in range(0, resamples, step)
        ]
    )
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(data.mean()), float(low), float(high))


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
