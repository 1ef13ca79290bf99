"""A toy victim, labelled so everywhere, so that the engine runs without any model."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core import assets
from core.text import tokens


@dataclass(frozen=True)
class ToyVictim:
    """A linear bag-of-words scorer of sentiment; unknown words weigh nothing."""

    labels: tuple[str, ...]
    bias: float
    weights: dict[str, float]

    def predict(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The logistic of the summed weights is the probability of the second label."""
        sums = [sum(self.weights.get(token, 0.0) for token in tokens(text)) for text in texts]
        positive = 1.0 / (1.0 + np.exp(-(np.array(sums) + self.bias)))
        return np.stack([1.0 - positive, positive], axis=1)


def load() -> ToyVictim:
    """Read the hand-set weights."""
    data = assets.read_json("toy/victim.json")
    return ToyVictim(tuple(data["labels"]), data["bias"], data["weights"])
