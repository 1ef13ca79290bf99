"""Put rows of ids together so that little padding is computed."""

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor

from core.victims.words import PAD

BATCH_IDS: Final = 16_384  # ids in one forward pass


def padded(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Rows of ids as one matrix, with their lengths."""
    lengths = torch.tensor([len(row) for row in rows])
    ids = torch.full((len(rows), int(lengths.max())), PAD)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = torch.tensor(row)
    return ids, lengths


def batches(lengths: Sequence[int]) -> list[list[int]]:
    """Row numbers in batches of similar length, none with more than ``BATCH_IDS`` ids."""
    result: list[list[int]] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        if result and lengths[row] * (len(result[-1]) + 1) <= BATCH_IDS:
            result[-1].append(row)
        else:
            result.append([row])
    return result
