"""Landscapes and trimmed spaces."""

from collections import Counter
from itertools import product
from random import Random

import numpy as np
import pytest

from core import Attack, SearchSpace, State, function_goal, theory
from core.search.local import LocalSearch
from tests.toys.cases import E7, E
from tests.toys.tables import table_of


def ascend(space: SearchSpace, table: np.ndarray, state: State) -> State:
    """Steepest ascent by hand: the first of the best neighbours, as long as it is better."""
    while True:
        best = max(space.neighbours(state), key=lambda other: table[other], default=state)
        if not table[best] > table[state] + 1e-10:
            return state
        state = best


@pytest.mark.parametrize("name", E)
def test_basins_equal_steepest_ascent_from_every_sentence(name: str) -> None:
    space, table = E[name].space, table_of(E[name])
    ends = Counter(ascend(space, table, state) for state in np.ndindex(*table.shape))
    land = theory.landscape(table)
    assert {o.state: round(o.basin * table.size) for o in land.optima} == ends
    assert [o.value for o in land.optima] == sorted((o.value for o in land.optima), reverse=True)
    assert sum(o.basin for o in land.optima) == pytest.approx(1.0)


def test_basins_with_ties_follow_the_order_of_a_sweep() -> None:
    rng = Random(3)
    for _ in range(60):
        counts = [rng.randint(0, 3) for _ in range(rng.randint(1, 4))]
        space = SearchSpace.from_choices(
            [f"{i}-{j}" for j in range(n + 1)] for i, n in enumerate(counts)
        )
        table = np.array([float(rng.randint(0, 3)) for _ in range(space.size)])
        table = table.reshape([n + 1 for n in counts])
        land = theory.landscape(table)
        for place, state in enumerate(np.ndindex(*table.shape)):
            end = np.unravel_index(land.summit[place], table.shape)
            assert tuple(map(int, end)) == ascend(space, table, state)
            assert land.changed[place] == sum(map(bool, state))


@pytest.mark.parametrize("name", E)
def test_the_path_from_the_original_is_local_search(name: str) -> None:
    space, table = E[name].space, table_of(E[name])
    steps = Attack(space, theory.table_goal(table), LocalSearch(complement=False)).run().steps
    kinds = ("start", "insert", "delete", "exchange")
    path = tuple(step.current.state for step in steps if step.kind in kinds)
    assert theory.landscape(table).path(space.origin) == path
    assert theory.local_optimum(space, table) == path[-1]


def test_a_plateau_counts_as_local_optima() -> None:
    top, *others = theory.landscape(table_of(E7)).optima
    assert (E7.words(top.state), top.value) == ("a2 b2 c2", 100)
    flat = {E7.state(f"a1 {b} {c}") for b, c in product(["", "b1", "b3"], ["", "c1", "c3"])}
    assert {o.state for o in others} == flat
    assert {o.value for o in others} == {35}


def test_a_trimmed_space_keeps_the_first_substitutes() -> None:
    space = SearchSpace.from_choices([["a", "a1", "a2", "a3"], ["b"], ["c", "c1"], ["d", "d1"]])
    small = theory.trimmed(space, 2)
    assert small.choices == (("a", "a1", "a2"), ("b",), ("c", "c1"), ("d", "d1"))
    assert small.gaps == space.gaps
    assert theory.trimmed(space, 3, words=2).size == 4 * 2
    assert theory.trimmed(space, 9) == space
    assert theory.trimmed(space, 0).size == 1


def test_what_matters_is_what_gains_most_alone() -> None:
    space = SearchSpace.from_choices(
        [["a", "a1", "a2"], ["b"], ["c", "c1", "c2", "c3"], ["d", "d1"]]
    )
    alone = {"a1": 1.0, "a2": 2.0, "c1": 5.0, "c2": 3.0, "c3": 9.0, "d1": 1.5}

    def f(state: State) -> float:
        return sum(alone[space.choices[at][choice]] for at, choice in enumerate(state) if choice)

    gains = theory.finish(theory.gains_alone(space, function_goal(f)))
    assert gains.tolist() == list(alone.values())
    small = theory.mattering(space, gains, 2, 2)
    assert small.choices == (("a", "a2", "a1"), ("b",), ("c", "c3", "c1"), ("d",))
    assert theory.mattering(space, gains, 1, 1).size == 2
