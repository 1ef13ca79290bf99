"""The submodularity index (Definition 4) of a table: how far f is from being submodular.

φ(T, A) is the sum of what the elements of T gain on A one by one, less what they gain together;
λ_f(L, k) is its least value over A ⊆ L and up to k elements T outside A. It is never above 0.
"""

from collections.abc import Generator
from itertools import chain, combinations

import numpy as np

from core.objective import Floats
from core.space import State
from core.theory.asking import Progress, finish


def smi_pairs(table: Floats) -> float:
    """λ_f(V, 2), the submodularity index of pairs over every A ⊆ V (Definition 4).

    An infeasible A gives 0, so A runs over the table; x and y may clash with A or with each other,
    and each such case has its own closed form.
    """
    axes = range(table.ndim)
    clashes = _clashes(table)
    lowest = [0.0]
    if (twice := table[clashes >= 2]).size:  # x and y both clash with A
        lowest.append(-float(twice.max()))
    for i in axes:
        on_i = np.moveaxis(table, i, 0)
        one_clash = np.moveaxis(clashes, i, 0)[0] >= 1
        if len(on_i) > 1 and one_clash.any():  # y clashes with A, x is at the free word i
            lowest.append(float((on_i[1:] - on_i[0])[:, one_clash].min()))
        if len(on_i) > 2:  # x and y are both at the free word i
            least = np.partition(on_i[1:], 1, axis=0)[:2].sum(axis=0)
            lowest.append(float((least - on_i[0]).min()))
        for k in range(i):  # x and y are at two free words
            if table.shape[i] > 1 and table.shape[k] > 1:
                on_ik = np.moveaxis(table, (i, k), (0, 1))
                x, y, both = on_ik[1:, :1], on_ik[:1, 1:], on_ik[1:, 1:]
                lowest.append(float((x + y - both - on_ik[:1, :1]).min()))
    return min(lowest)


def smi(table: Floats, state: State, size: int) -> float:
    """λ_f(S, k) for a feasible S: A runs over subsets of S, T over up to k elements outside A."""
    return finish(smi_steps(table, state, size))


def smi_steps(table: Floats, state: State, size: int) -> Generator[Progress, None, float]:
    """λ_f(S, k), telling after each of the 2^|S| subsets how far it is."""
    if size < 2:
        return 0.0  # φ of a single element is 0
    changed = [index for index, choice in enumerate(state) if choice]
    kept = chain.from_iterable(combinations(changed, n) for n in range(len(changed) + 1))
    lowest = 0.0
    for done, words in enumerate(kept, 1):
        subset = tuple(choice if index in words else 0 for index, choice in enumerate(state))
        lowest = min(lowest, _feasible_phi(table, subset, size), _clashing_phi(table, subset, size))
        yield Progress(done, 2 ** len(changed), "subsets of S")
    return lowest


def _feasible_phi(table: Floats, subset: State, size: int) -> float:
    """The least φ(T, A) over T that can join A: marginals add up along the free axes."""
    values = table[tuple(choice or slice(None) for choice in subset)] - table[subset]
    sums, count = np.zeros(()), np.zeros((), dtype=int)
    for axis in range(values.ndim):
        marginal = values[tuple(slice(None) if a == axis else 0 for a in range(values.ndim))]
        sums = np.add.outer(sums, marginal)
        count = np.add.outer(count, np.arange(len(marginal)) > 0)
    allowed = (count >= 2) & (count <= size)
    return float((sums - values)[allowed].min(initial=0.0))


def _clashing_phi(table: Floats, subset: State, size: int) -> float:
    """The least φ(T, A) over T that cannot join A: f(A ∪ T) = 0, so take the lowest marginals."""
    here = float(table[subset])
    marginals: list[tuple[float, int, bool]] = []  # value, word, clashes with A
    for axis, taken in enumerate(subset):
        for choice in range(1, table.shape[axis]):
            if taken and choice != taken:
                marginals.append((-here, axis, True))
            elif not taken:
                index = (*subset[:axis], choice, *subset[axis + 1 :])
                marginals.append((float(table[index]) - here, axis, False))
    marginals.sort(key=lambda marginal: marginal[0])
    numbers = range(len(marginals))
    seeds: list[tuple[int, ...]] = [(a,) for a in numbers if marginals[a][2]]
    seeds += [
        (a, b)
        for a, b in combinations(numbers, 2)
        if marginals[a][1] == marginals[b][1] and not marginals[a][2]
    ]
    lowest = 0.0
    for seed in seeds:
        others = [marginals[a][0] for a in numbers if a not in seed and marginals[a][0] < 0]
        room = size - len(seed)
        taken_others = others[:room] if room > 0 else []
        if room >= 0 and len(seed) + len(taken_others) >= 2:  # φ of a single element is 0
            lowest = min(lowest, sum(marginals[a][0] for a in seed) + sum(taken_others) + here)
    return lowest


def _clashes(table: Floats) -> Floats:
    """For every feasible A, how many elements outside it clash with it."""
    total = np.zeros(table.shape)
    for axis, length in enumerate(table.shape):
        used = (np.arange(length) > 0) * (length - 2)
        total = total + used.reshape([-1 if a == axis else 1 for a in range(table.ndim)])
    return total
