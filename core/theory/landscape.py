"""The landscape of a table: where steepest ascent leads from every sentence."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.objective import Floats, Step
from core.space import Ints, State
from core.theory.table import state_at

Places = NDArray[np.intp]


@dataclass(frozen=True)
class Optimum:
    """A local optimum and the share of all sentences from which steepest ascent leads to it."""

    state: State
    value: float
    basin: float


@dataclass(frozen=True, eq=False)
class Landscape:
    """A table with its steepest one-word changes; places number the flattened table."""

    table: Floats
    uphill: Places  # the best one-word change of each sentence; itself at a local optimum
    summit: Places  # the local optimum that it leads to

    @cached_property
    def optima(self) -> tuple[Optimum, ...]:
        """The local optima, the highest first."""
        sizes = np.bincount(self.summit, minlength=self.table.size)
        places = np.flatnonzero(sizes)
        values = self.table.ravel()[places]
        order = places[np.argsort(-values, kind="stable")]
        return tuple(
            Optimum(
                state_at(int(place), self.table.shape),
                float(self.table.ravel()[place]),
                float(sizes[place] / self.table.size),
            )
            for place in order
        )

    @cached_property
    def changed(self) -> NDArray[np.intp]:
        """How many words each sentence changes, in the order of the flattened table."""
        total = np.zeros((), dtype=np.intp)
        for length in self.table.shape:
            total = np.add.outer(total, (np.arange(length) > 0).astype(np.intp))
        return np.asarray(total.ravel())

    def path(self, start: State) -> tuple[State, ...]:
        """The sentences that steepest ascent goes through; from the original it is local search."""
        place = int(np.ravel_multi_index(start, self.table.shape))
        places = [place]
        while self.uphill[place] != place:
            place = int(self.uphill[place])
            places.append(place)
        return tuple(state_at(place, self.table.shape) for place in places)


def landscape(table: Floats, epsilon: float = 1e-10) -> Landscape:
    """Find the steepest change of every sentence at once, then follow all of them to the top.

    The order of changes is that of a sweep of local search, and the first wins a tie.
    """
    places = np.arange(table.size).reshape(table.shape)
    best, uphill = table + epsilon, places
    for axis, length in enumerate(table.shape):
        swept = np.roll(table, -1, axis)  # the original comes last in a sweep
        choice = (swept.argmax(axis, keepdims=True) + 1) % length
        highest = np.take_along_axis(table, choice, axis)
        steeper = highest > best
        uphill = np.where(steeper, np.take_along_axis(places, choice, axis), uphill)
        best = np.where(steeper, highest, best)
    summit = next_place = uphill.ravel()
    while not np.array_equal(summit, farther := summit[summit]):  # twice as far each time
        summit = farther
    return Landscape(table, next_place, summit)


def visits(steps: tuple[Step, ...]) -> Ints:
    """Every state that a search asked about, each once, one in a row."""
    return np.unique(np.concatenate([step.tried.moves.matrix for step in steps]), axis=0)
