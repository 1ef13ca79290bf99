"""Texts as a network gets them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from core.victims.words import PAD

Ids: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rows:
    """Padded ids and lengths of texts, and their encoded premise if the network takes one."""

    ids: Ids
    lengths: Ids
    memory: Any = None  # for one row

    def __len__(self) -> int:
        return len(self.ids)


def joined(parts: Sequence[Rows]) -> tuple[Ids, Ids, Any]:
    """The rows of several requests one below the other, each with its own encoded premise."""
    width = max(part.ids.shape[1] for part in parts)
    ids = np.full((sum(map(len, parts)), width), PAD, dtype=np.int64)
    start = 0
    for part in parts:
        ids[start : start + len(part), : part.ids.shape[1]] = part.ids
        start += len(part)
    lengths = np.concatenate([part.lengths for part in parts])
    return ids, lengths, _stacked([(part.memory, len(part)) for part in parts])


def memory_shape(memory: Any) -> Any:
    """Encoded premises of one shape can be stacked."""
    if isinstance(memory, tuple):
        return tuple(map(memory_shape, memory))
    return None if memory is None else memory.shape


def _stacked(memories: Sequence[tuple[Any, int]]) -> Any:
    first = memories[0][0]
    if isinstance(first, tuple):
        columns = range(len(first))
        return tuple(_stacked([(memory[k], count) for memory, count in memories]) for k in columns)
    if first is None:
        return None
    return torch.cat([memory.expand(count, *memory.shape[1:]) for memory, count in memories])
