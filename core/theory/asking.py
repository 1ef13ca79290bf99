"""Asking about many states at once, so that a caller can show how far it is, or stop."""

from collections.abc import Callable, Generator
from time import perf_counter
from typing import NamedTuple, TypeVar

import numpy as np

from core.objective import Bools, Floats, Goal
from core.space import Moves

T = TypeVar("T")

SMALLEST, LARGEST = 64, 4_096  # states in a batch
QUICK = 0.25  # seconds


class Progress(NamedTuple):
    done: int
    total: int  # 0 where nobody knows it
    unit: str = "queries"


def asking(
    goal: Goal, total: int, part: Callable[[int, int], Moves]
) -> Generator[Progress, None, tuple[Floats, Bools]]:
    """Scores and successes of states 0 to ``total``; a caller that stops iterating has cancelled.

    Batches grow while they are quick: a fast victim is asked in large ones, and a slow one still
    lets its caller in between two of them.
    """
    scores, successes = np.empty(total), np.empty(total, dtype=bool)
    done, size = 0, SMALLEST
    while done < total:
        end = min(done + size, total)
        began = perf_counter()
        found = goal(part(done, end))
        scores[done:end], successes[done:end] = found.scores, found.successes
        if perf_counter() - began < QUICK:
            size = min(2 * size, LARGEST)
        done = end
        yield Progress(done, total)
    return scores, successes


def finish(steps: Generator[Progress, None, T]) -> T:
    """Run to the end and return the result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
