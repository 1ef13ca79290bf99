"""Partition matroids with any limits: local search and the theory against brute force."""

from collections.abc import Iterator
from itertools import chain, combinations
from math import comb
from random import Random

import numpy as np
import pytest

from core import Attack, theory
from core.goals import task_goal
from core.search.local import LocalSearch
from core.tasks.set_function import LARGEST
from core.theory import sets
from core.theory.instances import INSTANCES
from core.theory.matroid import Chosen, PartitionMatroid, SetStep, local_search

ONE_EACH = [key for key, one in INSTANCES.items() if set(one.matroid.limits) == {1}]


class Brute:
    """The definitions of the paper over all subsets of V, with nothing done cleverly."""

    def __init__(self, matroid: PartitionMatroid, values: dict[Chosen, float]) -> None:
        self.matroid, self.values = matroid, values
        self.everything = [e for block in matroid.blocks for e in block]

    def f(self, chosen: Chosen) -> float:
        """0 where some block gives more than its limit."""
        pairs = zip(self.matroid.blocks, self.matroid.limits, strict=True)
        if any(sum(e in chosen for e in block) > limit for block, limit in pairs):
            return 0.0
        return self.values[chosen]

    def subsets(self, of: list[str], most: int) -> Iterator[Chosen]:
        sizes = range(min(most, len(of)) + 1)
        return map(frozenset, chain.from_iterable(combinations(of, size) for size in sizes))

    def index(self, within: Chosen, size: int) -> float:
        lowest = 0.0
        for a in self.subsets(sorted(within), len(within)):
            rest = [e for e in self.everything if e not in a]
            for t in self.subsets(rest, size):
                alone = sum(self.f(a | {x}) - self.f(a) for x in t)
                lowest = min(lowest, alone - (self.f(a | t) - self.f(a)))
        return lowest

    def is_local_optimum(self, s: Chosen) -> bool:
        """Definition 3, where f of an infeasible set is 0."""
        outside = [e for e in self.everything if e not in s]
        around = [s | {e} for e in outside] + [s - {e} for e in s]
        around += [s - {e} | {v} for e in s for v in outside]
        return all(self.f(s) >= self.f(other) for other in around)

    def bound(self, s: Chosen) -> float:
        """Theorem 1 for f(S), with the best of all optima."""
        v = frozenset(self.everything)
        top = max(self.f(c) for c in self.subsets(self.everything, len(v)))
        found = []
        for c in self.subsets(self.everything, len(v)):
            if self.f(c) != top or (top == 0 and c not in self.values):
                continue
            s_only, c_only = len(s - c), len(c - s)
            xi = comb(s_only, 2) + comb(c_only, 2) + len(v - s - c) * len(s) + c_only * len(s & c)
            delta = xi - comb(c_only, 2) + c_only
            pairs = self.index(v, 2)
            right = top + max(xi * pairs, delta * pairs + self.index(s, c_only))
            found.append((right - self.f(v - s)) / 2)
        return max(found)


def random_instance(rng: Random, most: int) -> tuple[PartitionMatroid, dict[Chosen, float]]:
    """Blocks of up to three elements, six in all, with limits of up to ``most``."""
    lengths = [rng.randint(1, 3) for _ in range(rng.randint(1, 3))]
    while sum(lengths) > 6:
        lengths.pop()
    blocks = tuple(
        tuple(f"{'abc'[i]}{j}" for j in range(1, length + 1)) for i, length in enumerate(lengths)
    )
    matroid = PartitionMatroid(blocks, tuple(rng.randint(1, min(most, n)) for n in lengths))
    return matroid, {chosen: float(rng.randint(0, 20)) for chosen in matroid.sets()}


def stop(steps: list[SetStep]) -> SetStep:
    """The step at the local optimum."""
    (found,) = [step for step in steps if step.kind == "stop"]
    return found


@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("most", [1, 2])
def test_the_theory_equals_brute_force_on_random_instances(part: int, most: int) -> None:
    for seed in range(25):
        matroid, values = random_instance(Random(f"{most} {part} {seed}"), most)
        brute = Brute(matroid, values)
        local = stop(list(local_search(matroid, values.__getitem__))).chosen
        assert brute.is_local_optimum(local)
        bound = sets.set_bound(matroid, values.__getitem__, local)
        assert bound.lambda_pairs == brute.index(frozenset(matroid.elements), 2)
        outside = len(bound.optimum - local)
        assert bound.lambda_local == brute.index(local, outside)
        assert bound.value == brute.bound(local)
        assert bound.left >= bound.right  # Theorem 1 itself
        if most == 1:
            check_as_a_sentence(matroid, values, bound.value, local)


def check_as_a_sentence(
    matroid: PartitionMatroid, values: dict[Chosen, float], bound: float, local: Chosen
) -> None:
    """The theory of sentences says the same where every limit is 1."""
    space = matroid.space()
    shape = [len(column) for column in space.choices]
    table = np.array([values[matroid.chosen(state)] for state in np.ndindex(*shape)])
    table = table.reshape(shape)
    state = next(state for state in np.ndindex(*shape) if matroid.chosen(state) == local)
    assert theory.theorem_one(space, table, state).value == bound
    assert theory.optimum(table)[1] == max(values.values())


@pytest.mark.parametrize("key", INSTANCES)
def test_the_theory_equals_brute_force_on_the_teaching_instances(key: str) -> None:
    one = INSTANCES[key]
    brute = Brute(one.matroid, dict(one.values))
    local = stop(list(local_search(one.matroid, one.f))).chosen
    bound = sets.set_bound(one.matroid, one.f, local)
    assert bound.lambda_pairs == brute.index(frozenset(one.matroid.elements), 2)
    assert bound.value == brute.bound(local)


@pytest.mark.parametrize("key", ONE_EACH)
def test_local_search_on_sets_is_local_search_on_the_sentence(key: str) -> None:
    one = INSTANCES[key]
    goal = task_goal(one.victim, one.space, LARGEST, ())
    table = theory.tabulate(one.space, goal)  # never a success, so that both run to the end
    search = LocalSearch(exchange="any")
    result = Attack(one.space, theory.table_goal(table), search).run()
    mine = [(step.kind, step.chosen, step.value) for step in local_search(one.matroid, one.f)]
    theirs = [
        (step.kind, one.matroid.chosen(step.current.state), step.current.score)
        for step in result.steps[:-1]
    ]
    assert theirs == mine


def test_limits_of_two_are_used_and_kept() -> None:
    one = INSTANCES["two"]
    steps = list(local_search(one.matroid, one.f))
    assert [(step.kind, one.matroid.name(step.chosen), step.value) for step in steps] == [
        ("start", "{}", 5),
        ("insert", "{a1}", 25),
        ("insert", "{a1, a3}", 37),
        ("insert", "{a1, a3, b2}", 56),
        ("exchange", "{a2, a3, b2}", 71),
        ("insert", "{a2, a3, b1, b2}", 89),
        ("stop", "{a2, a3, b1, b2}", 89),
        ("complement", "{a2, a3, b1, b2}", 89),
    ]
    for step in steps:
        assert all(one.matroid.feasible(chosen) for _, chosen, _ in step.tried)


def test_epsilon_asks_for_more_than_a_small_gain() -> None:
    one = INSTANCES["exchange"]
    assert stop(list(local_search(one.matroid, one.f, epsilon=6))).value == 43


def test_the_complement_is_returned_where_it_is_better() -> None:
    one = INSTANCES["complement"]
    *_, last = local_search(one.matroid, one.f)
    assert (last.kind, one.matroid.name(last.chosen), last.value) == ("complement", "{a2, b2}", 50)


def test_sets_are_counted_and_made() -> None:
    matroid = PartitionMatroid((("a1", "a2", "a3"), ("b1", "b2")), (2, 1))
    found = list(matroid.sets())
    assert found[0] == frozenset()
    assert len(set(found)) == len(found) == matroid.size == (1 + 3 + 3) * 3
    assert all(map(matroid.feasible, found))
    assert not matroid.feasible(frozenset({"b1", "b2"}))
    assert matroid.name(frozenset({"b1", "a3"})) == "{a3, b1}"
