"""A network's forward pass, in which a text gets the same numbers whatever it is batched with."""

from threading import Lock
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from core.victims.networks.batching import FEWEST, batches, filled
from core.victims.networks.kinds import NetworkKind
from core.victims.networks.rows import Ids


class Forward:
    """Class scores of rows of ids, one pass at a time."""

    def __init__(self, network: nn.Module, kind: NetworkKind) -> None:
        self.network, self.kind = network, kind
        self.passes = 0
        with torch.inference_mode():
            self._shared = kind.shared_scores(network) if kind.shared_scores else None
        self._lock = Lock()

    def __call__(self, ids: Ids, lengths: Ids, memory: Any) -> NDArray[np.float32]:
        """One row of class scores for each row of ids; ``memory`` is the encoded premise."""
        found: list[NDArray[np.float32]] = []
        parts = batches(lengths.tolist(), alike=self.kind.one_length)
        with self._lock, torch.inference_mode():
            for part in parts:
                self.passes += 1
                width = int(lengths[part].max())
                rows = ids[part, :width], lengths[part], _chosen(memory, torch.tensor(part))
                found.append((self._shared or self._plain)(*rows).numpy())
        back = np.argsort([row for part in parts for row in part])
        return np.concatenate(found)[back]

    def premise(self, ids: Tensor, lengths: Tensor) -> Any:
        """An encoded premise; None for networks that take none."""
        encode: Any = getattr(self._shared, "premise", getattr(self.network, "premise", None))
        with torch.inference_mode():
            return encode(ids, lengths) if encode else None

    def _plain(self, ids: Ids, lengths: Ids, memory: Any) -> Tensor:
        # Where every word is a row of its own, a short batch is already enough.
        fewest = -(-FEWEST // ids.shape[1]) if self.kind.rows_of_words else FEWEST
        rows = filled(torch.from_numpy(ids), fewest), filled(torch.from_numpy(lengths), fewest)
        result: Tensor = self.network(*rows)
        return result[: len(ids)]


def _chosen(memory: Any, rows: Tensor) -> Any:
    if isinstance(memory, tuple):
        return tuple(part.index_select(0, rows) for part in memory)
    return None if memory is None else memory.index_select(0, rows)
