"""The models under attack."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from core.registry import Entry


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


def _toy() -> Victim:
    from core.victims import toy

    return toy.load()


VICTIMS: dict[str, Entry[Victim]] = {
    "toy": Entry(
        _toy,
        "Toy: a linear bag-of-words scorer with hand-set weights; not a trained model.",
        {"task": "sentiment", "data": "none", "labels": ("negative", "positive"), "accuracy": None},
    ),
}
