"""The models under attack."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


@runtime_checkable
class Victim(Protocol):
    """A classifier: texts in, one row of label probabilities for each text out."""

    labels: tuple[str, ...]

    def predict(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return probabilities of shape ``(len(texts), len(labels))``; each row sums to 1."""
        ...
