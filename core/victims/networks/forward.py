"""A network's forward pass, in which a text gets the same numbers whatever it is batched with."""

from threading import Lock
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from core.victims.networks.batching import FEWEST, batches, filled
from core.victims.networks.minilm import MiniLmClassifier
from core.victims.networks.pair_networks import EsimPair
from core.victims.networks.rows import Ids
from core.victims.networks.shared_steps import shared_scores


class Forward:
    """Class scores of rows of ids, one pass at a time."""

    def __init__(self, network: nn.Module) -> None:
        self.network = network
        self.passes = 0
        with torch.inference_mode():
            self._shared = shared_scores(network)
        # Other networks would round behind the end of a text in another way than inside it.
        self._alike = self._shared is None or isinstance(network, EsimPair)
        self._lock = Lock()

    def __call__(self, ids: Ids, lengths: Ids, memory: Any) -> NDArray[np.float32]:
        """One row of class scores for each row of ids; ``memory`` is the encoded premise."""
        found: list[NDArray[np.float32]] = []
        parts = batches(lengths.tolist(), alike=self._alike)
        with self._lock, torch.inference_mode():
            for part in parts:
                self.passes += 1
                width = int(lengths[part].max())
                rows = ids[part, :width], lengths[part], _chosen(memory, torch.tensor(part))
                found.append((self._shared or self._plain)(*rows).numpy())
        back = np.argsort([row for part in parts for row in part])
        return np.concatenate(found)[back]

    def premise(self, ids: Tensor, lengths: Tensor) -> Any:
        """An encoded premise, for networks that take one."""
        with torch.inference_mode():
            encode: Any = getattr(self._shared, "premise", self.network.premise)
            return encode(ids, lengths)

    def _plain(self, ids: Ids, lengths: Ids, memory: Any) -> Tensor:
        # Every word of MiniLM is a row of its own, so that a short batch is already enough for it.
        words = isinstance(self.network, MiniLmClassifier)
        fewest = -(-FEWEST // ids.shape[1]) if words else FEWEST
        rows = filled(torch.from_numpy(ids), fewest), filled(torch.from_numpy(lengths), fewest)
        result: Tensor = self.network(*rows)
        return result[: len(ids)]


def _chosen(memory: Any, rows: Tensor) -> Any:
    if isinstance(memory, tuple):
        return tuple(part.index_select(0, rows) for part in memory)
    return None if memory is None else memory.index_select(0, rows)
