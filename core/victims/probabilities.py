"""Check what a model outside this project answers, before an attack believes it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError

TOLERANCE = 1e-3  # rounding a service may do; rows are scaled to sum to 1 exactly


def checked(answer: object, count: int, labels: Sequence[str], source: str) -> NDArray[np.float64]:
    """The answer as ``count`` rows of probabilities, or one sentence that says what is wrong."""
    wanted = (count, len(labels))
    try:
        rows = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            f"{source} must answer {count} rows of {len(labels)} numbers; it answered something "
            "else."
        ) from None
    if count == 0:
        return np.zeros(wanted)
    if rows.shape != wanted:
        raise InputError(
            f"{source} must answer {count} rows of {len(labels)} numbers, one for each of "
            f"{', '.join(labels)}; it answered numbers of shape {rows.shape}."
        )
    sums = rows.sum(axis=1)
    good = np.isfinite(rows).all(axis=1) & (rows >= 0).all(axis=1) & (abs(sums - 1) <= TOLERANCE)
    if not good.all():
        first = int(np.argmin(good))
        shown = ", ".join(f"{value:.4g}" for value in rows[first])
        raise InputError(
            f"{source} must answer probabilities that are at least 0 and sum to 1; for text "
            f"{first + 1} it answered {shown}. Apply a softmax first."
        )
    return np.asarray(rows / sums[:, None])


def checked_labels(labels: object, source: str) -> tuple[str, ...]:
    """At least two different label names, or one sentence that says what is wrong."""
    names = labels if isinstance(labels, list | tuple) else ()
    if len(names) < 2 or len(set(map(str, names))) != len(names):
        raise InputError(f"{source} needs a list of at least two different labels; got {labels!r}.")
    return tuple(map(str, names))
