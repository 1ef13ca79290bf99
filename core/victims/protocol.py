"""What a victim is."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from core.text import check_length


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


@runtime_checkable
class PairVictim(Victim, Protocol):
    """A victim over pairs of sentences; it attacks the second while the premise stays fixed."""

    @property
    def needs_premise(self) -> bool:
        """Whether it must be given a premise before it is asked."""
        ...

    def with_premise(self, premise: str) -> Victim:
        """The same victim over the hypotheses of one premise."""
        ...


def with_premise(victim: Victim, premise: str) -> Victim:
    """Fix the premise of a victim that needs one; any other victim stays as it is."""
    if isinstance(victim, PairVictim) and victim.needs_premise:
        check_length(premise)
        return victim.with_premise(premise)
    return victim
