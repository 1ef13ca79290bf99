"""Batches of rows that are about equally long, which saves padding."""

import random
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

POOL: Final = 50  # batches among which rows of similar length share one

Row = TypeVar("Row")


def slices(rows: Sequence[Row], size: int) -> list[list[Row]]:
    """One batch after the other."""
    return [list(rows[at : at + size]) for at in range(0, len(rows), size)]


def drawn(
    rows: Sequence[Row], size: int, rng: random.Random, length: Callable[[Row], Any]
) -> list[list[Row]]:
    """Every row once, in batches in random order."""
    result = []
    for pool in slices(rng.sample(rows, len(rows)), size * POOL):
        result += slices(sorted(pool, key=length), size)
    rng.shuffle(result)
    return result
