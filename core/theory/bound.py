"""Theorem 1 of the paper, literally, and its corollaries."""

from collections.abc import Generator, Set
from dataclasses import dataclass
from math import comb
from typing import Any, Generic, TypeVar

import numpy as np

from core.objective import Floats
from core.space import SearchSpace, State
from core.theory.asking import Progress, finish
from core.theory.index import smi_pairs, smi_steps
from core.theory.submodular import TOLERANCE, Element

S = TypeVar("S")


@dataclass(frozen=True)
class Bound(Generic[S]):
    """Theorem 1 on one instance, with everything that goes into it; S and C as states or sets."""

    local: S
    optimum: S  # C
    f_local: float
    f_optimum: float
    f_complement: float  # f(V \\ S), 0 where infeasible
    lambda_pairs: float  # λ_f(V, 2)
    lambda_local: float  # λ_f(S, |C \\ S|)
    xi: int
    delta: int

    @property
    def left(self) -> float:
        """2 f(S) + f(V \\ S)."""
        return 2 * self.f_local + self.f_complement

    @property
    def right(self) -> float:
        """f(C) + max{ξ λ_f(V,2), δ λ_f(V,2) + λ_f(S,|C \\ S|)}."""
        first = self.xi * self.lambda_pairs
        second = self.delta * self.lambda_pairs + self.lambda_local
        return self.f_optimum + max(first, second)

    @property
    def value(self) -> float:
        """What the theorem guarantees for f(S)."""
        return (self.right - self.f_complement) / 2

    @property
    def vacuous(self) -> bool:
        """Whether the guarantee says no more than f >= 0."""
        return self.value <= 0

    @property
    def submodular(self) -> bool:
        """Whether f, 0 on infeasible sets, is submodular: both corollaries ask for it."""
        return self.lambda_pairs >= -TOLERANCE


def corollary_one(bound: Bound[Any]) -> bool:
    """Whether Corollary 1 applies, so that S or its complement reaches a third of the optimum."""
    return bound.submodular


def corollary_two(bound: Bound[State], space: SearchSpace) -> bool:
    """Whether Corollary 2 applies: f submodular and some |B_i| > 2, so that S reaches half."""
    return bound.submodular and bool((space.counts > 2).any())


def theorem_one(space: SearchSpace, table: Floats, local: State) -> Bound[State]:
    """The literal bound for a local optimum; of several optima the one with the best bound."""
    return finish(theorem_one_steps(space, table, local))


def theorem_one_steps(
    space: SearchSpace, table: Floats, local: State
) -> Generator[Progress, None, Bound[State]]:
    """The bound, telling how far its longest part is, λ_f(S, |C \\ S|)."""
    top = float(table.max())
    pairs = smi_pairs(table)
    other = space.complement(local)
    f_complement = 0.0 if other is None else float(table[other])
    indices: dict[int, float] = {}
    bounds = []
    for row in np.argwhere(table == top):
        best = tuple(int(choice) for choice in row)
        outside = sum(1 for a, b in zip(best, local, strict=True) if a and a != b)  # |C \ S|
        if outside not in indices:
            indices[outside] = yield from smi_steps(table, local, outside)
        xi, delta = xi_delta(space, local, best)
        bounds.append(
            Bound(
                local,
                best,
                float(table[local]),
                top,
                f_complement,
                pairs,
                indices[outside],
                xi,
                delta,
            )
        )
    return max(bounds, key=lambda bound: bound.value)


def xi_delta(space: SearchSpace, local: State, best: State) -> tuple[int, int]:
    """ξ and δ of Theorem 1 for a local optimum S and an optimum C."""
    return counts_of(_elements(local), _elements(best), space.elements)


def counts_of(local: Set[Any], best: Set[Any], elements: int) -> tuple[int, int]:
    """ξ and δ for S and C as sets out of so many elements."""
    s_only, c_only = len(local - best), len(best - local)
    rest = elements - len(local | best)
    xi = comb(s_only, 2) + comb(c_only, 2) + rest * len(local) + c_only * len(local & best)
    return xi, xi - comb(c_only, 2) + c_only


def _elements(state: State) -> frozenset[Element]:
    return frozenset((index, choice) for index, choice in enumerate(state) if choice)
