"""The same theory for partition matroids with any limits, where V is small.

f is kept for every subset of V, as an array with one axis of length 2 an element: 1 takes it.
"""

from itertools import chain, combinations

import numpy as np

from core.errors import require
from core.objective import Floats
from core.theory.bound import Bound, counts_of
from core.theory.matroid import Chosen, PartitionMatroid, SetFunction

MOST_ELEMENTS = 14


def cube(matroid: PartitionMatroid, f: SetFunction) -> Floats:
    """f of every subset of V, 0 where it is infeasible."""
    count = len(matroid.elements)
    require(
        count <= MOST_ELEMENTS,
        f"V has {count} elements and the limit is {MOST_ELEMENTS}; take fewer.",
    )
    values = np.zeros((2,) * count)
    for chosen in matroid.sets():
        values[place(matroid, chosen)] = f(chosen)
    return values


def place(matroid: PartitionMatroid, chosen: Chosen) -> tuple[int, ...]:
    """Where a subset of V is in its cube."""
    return tuple(int(element in chosen) for element in matroid.elements)


def cube_pairs(values: Floats) -> float:
    """λ_f(V, 2): A is any subset of V without x and y."""
    lowest = 0.0
    for x, y in combinations(range(values.ndim), 2):
        face = np.moveaxis(values, (x, y), (0, 1))
        lowest = min(lowest, float((face[1, 0] + face[0, 1] - face[1, 1] - face[0, 0]).min()))
    return lowest


def cube_index(values: Floats, local: tuple[int, ...], size: int) -> float:
    """λ_f(S, k): A runs over subsets of S, T over up to k elements outside A."""
    taken = [axis for axis, inside in enumerate(local) if inside]
    subsets = chain.from_iterable(combinations(taken, kept) for kept in range(len(taken) + 1))
    lowest = 0.0
    for subset in subsets:
        gains = values[tuple(1 if axis in subset else slice(None) for axis in range(values.ndim))]
        gains = gains - gains[(0,) * gains.ndim]
        sums, count = np.zeros(()), np.zeros((), dtype=int)
        for axis in range(gains.ndim):
            alone = gains[tuple(int(other == axis) for other in range(gains.ndim))]
            sums = np.add.outer(sums, [0.0, alone])
            count = np.add.outer(count, [0, 1])
        lowest = min(lowest, float((sums - gains)[count <= size].min()))
    return lowest


def set_bound(matroid: PartitionMatroid, f: SetFunction, local: Chosen) -> Bound[Chosen]:
    """Theorem 1 for a local optimum; of several optima the one with the best bound."""
    values = cube(matroid, f)
    pairs = cube_pairs(values)
    here = place(matroid, local)
    top = max(map(f, matroid.sets()))
    indices: dict[int, float] = {}
    bounds = []
    for best in matroid.sets():
        if f(best) == top:
            outside = len(best - local)
            if outside not in indices:
                indices[outside] = cube_index(values, here, outside)
            index = indices[outside]
            xi, delta = counts_of(local, best, len(matroid.elements))
            f_complement = float(values[place(matroid, matroid.complement(local))])
            f_local = float(values[here])
            bounds.append(Bound(local, best, f_local, top, f_complement, pairs, index, xi, delta))
    return max(bounds, key=lambda bound: bound.value)


def submodular(values: Floats) -> bool:
    """Whether f, 0 on infeasible sets, is submodular: no pair gains from being together."""
    return cube_pairs(values) >= -1e-9


def monotone(values: Floats) -> bool:
    """Whether no element ever lowers f, going to an infeasible set included."""
    return all(bool((np.diff(values, axis=axis) >= -1e-9).all()) for axis in range(values.ndim))
