"""What every search is."""

from collections.abc import Iterator
from random import Random
from typing import Protocol

from core.objective import Objective, Step
from core.space import SearchSpace


class Search(Protocol):
    """Hyper-parameters that can be called: yields a step for each move, and ends by its own rule.

    The first step is ``start``, with the original scored; ``current`` of the last step is the
    search's answer. Budget and cancel reach it as an exception it need not know of. One that must
    not see scores has an attribute ``label_only``.
    """

    def __call__(
        self, space: SearchSpace, objective: Objective, rng: Random
    ) -> Iterator[Step]:  # pragma: no cover
        """Search the space."""
        ...
