"""The paper's theory, literally, on instances small enough to enumerate.

As in the paper, f is 0 on infeasible sets (two substitutes of one word). In a table every axis is a
word and index 0 its original, so that it holds f of every feasible set.
"""

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from core.errors import require
from core.objective import Candidate, Candidates, Floats, Goal
from core.space import Exchange, Moves, SearchSpace, State

LIMIT = 1_000_000
BATCH = 4_096
TOLERANCE = 1e-9  # sums of probabilities are not exact


def tabulate(space: SearchSpace, goal: Goal, limit: int = LIMIT) -> Floats:
    """f of every feasible set, an array with one axis a word."""
    require(
        space.size <= limit,
        f"The space has {space.size:,} sentences and the limit is {limit:,}; "
        "take fewer substitutes or a shorter text.",
    )
    require(len(space.choices) <= 64, "A table holds at most 64 words; take a shorter text.")
    shape = tuple(len(column) for column in space.choices)
    values = np.empty(space.size)
    for start in range(0, space.size, BATCH):
        flat = np.arange(start, min(start + BATCH, space.size))
        states = np.stack(np.unravel_index(flat, shape), axis=1)
        values[flat] = goal(Moves.of(states.tolist(), len(shape))).scores
    return values.reshape(shape)


def optimum(table: Floats) -> tuple[State, float]:
    """The best feasible set (the first in order, on a tie) and its value."""
    best = np.unravel_index(int(np.argmax(table)), table.shape)
    return tuple(int(choice) for choice in best), float(table.max())


@dataclass(frozen=True)
class Violation:
    """A witness against submodularity: e gains more on {y} than on the empty set."""

    e: tuple[int, int]  # (position, choice)
    y: tuple[int, int]
    f_empty: float
    f_e: float
    f_y: float
    f_both: float

    @property
    def gap(self) -> float:
        """How much more e gains next to y."""
        return (self.f_both - self.f_y) - (self.f_e - self.f_empty)


@dataclass(frozen=True)
class Submodularity:
    """The outcome of the check over single substitutes and pairs; no violation is no proof."""

    pairs: int
    violations: tuple[Violation, ...]  # the largest gap first

    @property
    def holds(self) -> bool:
        """Whether no violation was found among the sets looked at."""
        return not self.violations


def submodularity(space: SearchSpace, goal: Goal, tolerance: float = TOLERANCE) -> Submodularity:
    """Compare f(e) - f(∅) with f({y, e}) - f(y) for all e, y at two words: 1 + |V| + pairs."""
    singles = space.insertions(space.origin)
    elements = list(zip(singles.position.tolist(), singles.choice.tolist(), strict=True))
    (empty,) = goal([space.origin]).scores.tolist()
    single = dict(zip(elements, goal(singles).scores.tolist(), strict=True))
    pairs = [(y, e) for y, e in combinations(elements, 2) if y[0] != e[0]]
    violations = []
    for start in range(0, len(pairs), BATCH):
        part = pairs[start : start + BATCH]
        states = [_state(space, pair) for pair in part]
        for (y, e), both in zip(part, goal(states).scores.tolist(), strict=True):
            found = Violation(e, y, empty, single[e], single[y], both)
            if found.gap > tolerance:
                violations.append(found)
    return Submodularity(len(pairs), tuple(sorted(violations, key=lambda v: -v.gap)))


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
    changed = [index for index, choice in enumerate(state) if choice]
    lowest = 0.0
    for kept in range(len(changed) + 1):
        for words in combinations(changed, kept):
            subset = tuple(choice if index in words else 0 for index, choice in enumerate(state))
            lowest = min(
                lowest, _feasible_phi(table, subset, size), _clashing_phi(table, subset, size)
            )
    return lowest


def _feasible_phi(table: Floats, subset: State, size: int) -> float:
    """The least φ(T, A) over T that can join A: marginals add up along the free axes."""
    free = [axis for axis, choice in enumerate(subset) if not choice]
    values = table[tuple(choice or slice(None) for choice in subset)] - table[subset]
    sums, count = np.zeros(values.shape), np.zeros(values.shape, dtype=int)
    for axis in range(len(free)):
        marginal = values[tuple(slice(None) if a == axis else 0 for a in range(len(free)))]
        shape = [-1 if a == axis else 1 for a in range(len(free))]
        sums = sums + marginal.reshape(shape)
        count = count + (np.arange(len(marginal)) > 0).reshape(shape)
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


@dataclass(frozen=True)
class Bound:
    """Theorem 1 on one instance, with everything that goes into it."""

    local: State  # S
    optimum: State  # C
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


def corollary_one(bound: Bound) -> bool:
    """Whether Corollary 1 applies, so that S or its complement reaches a third of the optimum."""
    return bound.submodular


def corollary_two(bound: Bound, space: SearchSpace) -> bool:
    """Whether Corollary 2 applies: f submodular and some |B_i| > 2, so that S reaches half."""
    return bound.submodular and bool((space.counts > 2).any())


def theorem_one(space: SearchSpace, table: Floats, local: State) -> Bound:
    """The literal bound for a local optimum; of several optima the one with the best bound."""
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
            indices[outside] = smi(table, local, outside)
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
    s, c = set(_elements(local)), set(_elements(best))
    s_only, c_only = len(s - c), len(c - s)
    rest = space.elements - len(s | c)
    xi = comb(s_only, 2) + comb(c_only, 2) + rest * len(s) + c_only * len(s & c)
    return xi, xi - comb(c_only, 2) + c_only


@dataclass(frozen=True)
class Certificate:
    """The whole neighbourhood of a state, scored anew, move by move."""

    center: Candidate
    tried: Candidates
    epsilon: float

    @property
    def gains(self) -> Floats:
        """What each move would gain."""
        return self.tried.scores - self.center.score

    @property
    def better(self) -> Candidates | None:
        """The moves that gain more than epsilon, or None: then the state is a local optimum."""
        found = np.flatnonzero(self.gains > self.epsilon)
        if not len(found):
            return None
        scores, successes, fresh = self.tried.scores, self.tried.successes, self.tried.fresh
        return Candidates(self.tried.moves[found], scores[found], successes[found], fresh[found])

    @property
    def holds(self) -> bool:
        """Whether no move is better."""
        return self.better is None


def certify(
    space: SearchSpace,
    goal: Goal,
    state: State,
    exchange: Exchange = "same",
    epsilon: float = 1e-10,
) -> Certificate:
    """Check Definition 3 by asking for every neighbour of a state again."""
    return Certificate(goal([state])[0], goal(space.neighbours(state, exchange)), epsilon)


def _clashes(table: Floats) -> Floats:
    """For every feasible A, how many elements outside it clash with it."""
    total = np.zeros(table.shape)
    for axis, length in enumerate(table.shape):
        used = (np.arange(length) > 0) * (length - 2)
        total = total + used.reshape([-1 if a == axis else 1 for a in range(table.ndim)])
    return total


def _elements(state: State) -> list[tuple[int, int]]:
    return [(index, choice) for index, choice in enumerate(state) if choice]


def _state(space: SearchSpace, elements: tuple[tuple[int, int], ...]) -> State:
    chosen = dict(elements)
    return tuple(chosen.get(index, 0) for index in range(len(space.choices)))
