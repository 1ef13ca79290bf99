"""Put rows of ids together so that little padding is computed, and nothing depends on the batch.

A text must get the same numbers, bit for bit, whatever it is batched with, or an attack would take
other steps beside other attacks than alone. Matrix products round each row in the same way however
many rows there are, except when there are very few; so there are never fewer than ``FEWEST``.
"""

from collections.abc import Callable, Sequence
from typing import Final

import torch
from torch import Tensor

from core.victims.words import PAD

BATCH_IDS: Final = 16_384  # ids in one forward pass
FEWEST: Final = 8  # rows in a matrix product; other kernels were seen for 1 to 3 rows


def padded(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Rows of ids as one matrix, with their lengths."""
    lengths = torch.tensor([len(row) for row in rows], dtype=torch.long)
    ids = torch.full((len(rows), max(map(len, rows), default=0)), PAD)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = torch.tensor(row)
    return ids, lengths


def batches(lengths: Sequence[int], *, alike: bool = False) -> list[list[int]]:
    """Row numbers in batches of similar length, none with more than ``BATCH_IDS`` ids.

    Rows that are ``alike`` have the same length: then no network sees any padding.
    """
    result: list[list[int]] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        fits = result and lengths[row] * (len(result[-1]) + 1) <= BATCH_IDS
        if fits and not (alike and lengths[row] != lengths[result[-1][0]]):
            result[-1].append(row)
        else:
            result.append([row])
    return result


def filled(rows: Tensor, fewest: int = FEWEST) -> Tensor:
    """At least so many rows, the first one repeated if need be."""
    missing = fewest - len(rows)
    return torch.cat([rows, rows[:1].expand(missing, *rows.shape[1:])]) if missing > 0 else rows


def dense(layer: Callable[..., Tensor], *inputs: Tensor) -> Tensor:
    """A layer over rows that are enough for a matrix product."""
    return layer(*map(filled, inputs))[: len(inputs[0])]
