"""Is f submodular, is it monotone? Checked over single substitutes and pairs of them."""

from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.errors import require
from core.objective import Floats, Goal
from core.space import Moves, SearchSpace, State
from core.theory.asking import Progress, asking, finish

TOLERANCE = 1e-9  # sums of probabilities are not exact
PAIR_LIMIT = 1_000_000

Element = tuple[int, int]  # (position, choice)


@dataclass(frozen=True)
class Violation:
    """A witness against submodularity: e gains more on {y} than on the empty set."""

    e: Element
    y: Element
    f_empty: float
    f_e: float
    f_y: float
    f_both: float

    @property
    def gap(self) -> float:
        """How much more e gains next to y."""
        return (self.f_both - self.f_y) - (self.f_e - self.f_empty)


@dataclass(frozen=True)
class Drop:
    """A witness against monotonicity: adding e to a set of at most one element lowers f."""

    e: Element
    y: Element | None  # what was in the set before
    before: float
    after: float


@dataclass(frozen=True, eq=False)
class Submodularity:
    """f of the original, of singles and of pairs at two words; no violation is no proof."""

    elements: tuple[Element, ...]
    f_empty: float
    f_single: Floats
    first: NDArray[np.intp]  # y of each pair, as a number of an element
    second: NDArray[np.intp]  # e of each pair
    f_both: Floats
    tolerance: float = TOLERANCE

    @property
    def pairs(self) -> int:
        """How many pairs were compared."""
        return len(self.first)

    @cached_property
    def gaps(self) -> Floats:
        """How much more e gains next to y than alone, for each pair; above 0 is a violation."""
        alone = self.f_single[self.second] - self.f_empty
        return np.asarray(self.f_both - self.f_single[self.first] - alone)

    @cached_property
    def count(self) -> int:
        """How many pairs violate submodularity."""
        return int((self.gaps > self.tolerance).sum())

    @property
    def holds(self) -> bool:
        """Whether no violation was found among the sets looked at."""
        return not self.count

    def worst(self, number: int) -> tuple[Violation, ...]:
        """The violations with the largest gaps."""
        order = np.argsort(-self.gaps, kind="stable")[: min(number, self.count)]
        return tuple(self._violation(int(pair)) for pair in order)

    @property
    def violations(self) -> tuple[Violation, ...]:
        """All violations, the largest gap first."""
        return self.worst(self.count)

    @cached_property
    def falls(self) -> Floats:
        """How much f falls by one more element: each single, then each pair from y and from e."""
        fall = (self.f_single[self.first] - self.f_both, self.f_single[self.second] - self.f_both)
        return np.concatenate([self.f_empty - self.f_single, *fall])

    @cached_property
    def drops(self) -> int:
        """How many steps from a set to a larger one lower f: violations of monotonicity."""
        return int((self.falls > self.tolerance).sum())

    @property
    def worst_drop(self) -> Drop | None:
        """The step that lowers f most, if any does."""
        if not self.drops:
            return None
        place = int(np.argmax(self.falls))
        singles = len(self.elements)
        if place < singles:
            return Drop(self.elements[place], None, self.f_empty, float(self.f_single[place]))
        pair = (place - singles) % self.pairs
        ends = (int(self.first[pair]), int(self.second[pair]))
        kept, added = ends if place < singles + self.pairs else ends[::-1]
        before, after = float(self.f_single[kept]), float(self.f_both[pair])
        return Drop(self.elements[added], self.elements[kept], before, after)

    def _violation(self, pair: int) -> Violation:
        y, e = int(self.first[pair]), int(self.second[pair])
        return Violation(
            self.elements[e],
            self.elements[y],
            self.f_empty,
            float(self.f_single[e]),
            float(self.f_single[y]),
            float(self.f_both[pair]),
        )


def pairs_of(space: SearchSpace) -> int:
    """How many pairs of substitutes at two words there are."""
    counts = space.counts.astype(np.int64)
    return int(counts.sum() ** 2 - (counts**2).sum()) // 2


def submodularity(space: SearchSpace, goal: Goal, tolerance: float = TOLERANCE) -> Submodularity:
    """Compare f(e) - f(∅) with f({y, e}) - f(y) for all e, y at two words: 1 + |V| + pairs."""
    return finish(submodularity_steps(space, goal, tolerance))


def submodularity_steps(
    space: SearchSpace, goal: Goal, tolerance: float = TOLERANCE, limit: int = PAIR_LIMIT
) -> Generator[Progress, None, Submodularity]:
    """The check, telling how far it is; it costs ``1 + space.elements + pairs_of(space)``."""
    require(
        pairs_of(space) <= limit,
        f"The space has {pairs_of(space):,} pairs of substitutes and the limit is {limit:,}; "
        "take fewer substitutes or a shorter text.",
    )
    singles = space.insertions(space.origin)
    first, second = np.triu_indices(len(singles), k=1)
    apart = singles.position[first] != singles.position[second]
    first, second = first[apart], second[apart]
    alone = Moves.rows(np.concatenate([[space.origin], singles.matrix]).astype(np.int32))
    none = np.full(len(first), -1, dtype=np.int32)
    both = Moves(
        alone.bases,
        (first + 1).astype(np.int32),
        singles.position[second],
        singles.choice[second],
        none,
    )

    def part(start: int, end: int) -> Moves:
        return Moves.join(
            [alone[start:end], both[max(start - len(alone), 0) : max(end - len(alone), 0)]]
        )

    scores, _ = yield from asking(goal, len(alone) + len(both), part)
    elements = tuple(zip(singles.position.tolist(), singles.choice.tolist(), strict=True))
    f_empty, f_single, f_both = scores[0], scores[1 : len(alone)], scores[len(alone) :]
    return Submodularity(elements, float(f_empty), f_single, first, second, f_both, tolerance)


def state_of(space: SearchSpace, *elements: Element) -> State:
    """The state that takes the given substitutes."""
    chosen = dict(elements)
    return tuple(chosen.get(index, 0) for index in range(len(space.choices)))
