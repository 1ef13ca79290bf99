"""The submodularity index against brute force over all subsets."""

from itertools import chain, combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import State, theory
from tests.toys.cases import E
from tests.toys.tables import local_optimum, table_of

Element = tuple[int, int]


def f_of_set(values: dict[State, float], width: int, chosen: frozenset[Element]) -> float:
    """f of any subset of V, 0 where two elements share a word."""
    state = [0] * width
    for index, choice in chosen:
        if state[index]:
            return 0.0
        state[index] = choice
    return values[tuple(state)]


def brute_smi(values: dict[State, float], within: list[Element], size: int) -> float:
    """The submodularity index by its definition, over every A and S."""
    counts = np.array(list(values)).max(axis=0)
    everything = [(i, j) for i, count in enumerate(counts) for j in range(1, count + 1)]
    lowest = 0.0
    for a in chain.from_iterable(combinations(within, k) for k in range(len(within) + 1)):
        base = frozenset(a)
        here = f_of_set(values, len(counts), base)
        rest = [element for element in everything if element not in base]
        for s in chain.from_iterable(combinations(rest, k) for k in range(size + 1)):
            marginals = sum(f_of_set(values, len(counts), base | {x}) - here for x in s)
            joint = f_of_set(values, len(counts), base | set(s)) - here
            lowest = min(lowest, marginals - joint)
    return lowest


def elements(state: State) -> list[Element]:
    return [(index, choice) for index, choice in enumerate(state) if choice]


@pytest.mark.parametrize("name", E)
def test_indices_equal_brute_force(name: str) -> None:
    case = E[name]
    table, local = table_of(case), local_optimum(case)
    best, _ = theory.optimum(table)
    everything = [(i, j) for i, block in enumerate(case.blocks) for j in range(1, len(block) + 1)]
    size = len(set(elements(best)) - set(elements(local)))
    assert theory.smi_pairs(table) == brute_smi(case.values, everything, 2)
    assert theory.smi(table, local, size) == brute_smi(case.values, elements(local), size)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_indices_equal_brute_force_on_random_functions(data: st.DataObject) -> None:
    counts = data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    states = list(product(*(range(count + 1) for count in counts)))
    numbers = st.lists(st.integers(0, 9), min_size=len(states), max_size=len(states))
    values = dict(zip(states, map(float, data.draw(numbers)), strict=True))
    table = np.array(list(values.values())).reshape([count + 1 for count in counts])
    everything = [(i, j) for i, count in enumerate(counts) for j in range(1, count + 1)]
    state = data.draw(st.sampled_from(states))
    size = data.draw(st.integers(0, 3))
    assert theory.smi_pairs(table) == brute_smi(values, everything, 2)
    assert theory.smi(table, state, size) == brute_smi(values, elements(state), size)
