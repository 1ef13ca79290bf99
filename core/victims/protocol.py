"""What a victim is."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


@runtime_checkable
class Victim(Protocol):
    """A classifier: texts in, one row of label probabilities for each text out."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the labels, in the order of the probabilities."""
        ...

    def predict(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return probabilities of shape ``(len(texts), len(labels))``; each row sums to 1."""
        ...
