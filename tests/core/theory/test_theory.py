"""The theory against brute force over all subsets, on the teaching instances and random ones."""

from itertools import chain, combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import (
    Attack,
    InputError,
    SearchSpace,
    State,
    function_goal,
    theory,
)
from core.search.local import LocalSearch
from tests.toys.cases import E1, E2, E3, E7, Case, E
from tests.toys.topics import TWO

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


def table_of(case: Case) -> np.ndarray:
    return theory.tabulate(case.space, function_goal(case.f))


def local_optimum(case: Case) -> State:
    search = LocalSearch(complement=False)
    return Attack(case.space, function_goal(case.f), search).run().state


@pytest.mark.parametrize(
    ("name", "pairs", "local", "xi", "delta", "bound"),
    [
        ("E1", -49, 0, 9, 9, -196),
        ("E2", -21, 0, 2, 2, -11),
        ("E3", -50, -50, 2, 3, -50),
        ("E4", -30, 0, 4, 4, -55),
        ("E5", -43, 0, 16, 16, -322.5),
        ("E6", -34, 0, 9, 9, -146),
        ("E7", -100, -40, 8, 8, -350),
    ],
)
def test_theorem_one_on_the_teaching_instances(
    name: str, pairs: float, local: float, xi: int, delta: int, bound: float
) -> None:
    case = E[name]
    found = theory.theorem_one(case.space, table_of(case), local_optimum(case))
    assert (found.lambda_pairs, found.lambda_local) == (pairs, local)
    assert (found.xi, found.delta, found.value) == (xi, delta, bound)
    assert found.vacuous
    assert found.left >= found.right


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


def test_corollaries_need_a_submodular_function() -> None:
    space = SearchSpace.from_choices([["a", "a1"], ["b", "b1"]])
    additive = np.array([[0.0, 1.0], [2.0, 3.0]])
    bound = theory.theorem_one(space, additive, (1, 1))
    assert theory.corollary_one(bound)
    assert not theory.corollary_two(bound, space)
    assert not theory.corollary_one(theory.theorem_one(E1.space, table_of(E1), (2, 1, 1)))
    wide = SearchSpace.from_choices([["a", "a1", "a2", "a3"]])
    flat = theory.theorem_one(wide, np.zeros(4), (0,))
    assert theory.corollary_two(flat, wide)


def test_of_several_optima_the_best_bound_is_reported() -> None:
    space = SearchSpace.from_choices([["a", "a1"], ["b", "b1"], ["c", "c1"]])
    table = np.zeros((2, 2, 2))
    table[1, 0, 0] = table[0, 1, 1] = 1.0
    assert theory.xi_delta(space, (0, 1, 1), (0, 1, 1)) == (2, 2)
    assert theory.xi_delta(space, (0, 1, 1), (1, 0, 0)) == (1, 2)
    bound = theory.theorem_one(space, table, (0, 1, 1))  # the better optimum is the second one
    assert (bound.optimum, bound.xi) == ((1, 0, 0), 1)


def test_the_papers_example_violates_submodularity() -> None:
    space = SearchSpace.from_choices([["movie", "cinema"], ["have", "get"]])
    values: dict[State, float]
    values = {(0, 0): 2.432e-5, (0, 1): 2.724e-5, (1, 0): 2.664e-5, (1, 1): 3.141e-5}
    found = theory.submodularity(space, function_goal(values.__getitem__), tolerance=0.0)
    assert (found.pairs, found.holds) == (1, False)
    (witness,) = found.violations
    assert (witness.y, witness.e) == ((0, 1), (1, 1))
    assert witness.f_e - witness.f_empty == pytest.approx(2.92e-6)
    assert witness.f_both - witness.f_y == pytest.approx(4.77e-6)
    assert witness.gap == pytest.approx(1.85e-6)


def test_violations_are_the_pairs_that_gain_from_each_other() -> None:
    found = theory.submodularity(E1.space, function_goal(E1.f))
    assert found.pairs == 11
    assert [(v.y, v.e, v.gap) for v in found.violations] == [((0, 2), (1, 1), 15)]
    assert theory.submodularity(E7.space, function_goal(E7.f)).holds


def test_enumeration_refuses_a_large_space() -> None:
    with pytest.raises(InputError, match="64 sentences and the limit is 63"):
        theory.tabulate(E7.space, function_goal(E7.f), limit=63)


def test_a_certificate_holds_at_a_local_optimum() -> None:
    certificate = theory.certify(E1.space, function_goal(E1.f), (2, 1, 1))
    assert certificate.holds
    assert len(certificate.tried) == 6
    assert certificate.gains.max() < 0


def test_a_certificate_names_what_is_better() -> None:
    goal = function_goal(E2.f)
    certificate = theory.certify(E2.space, goal, E2.state("a b"))
    assert not certificate.holds
    assert certificate.better is not None
    assert [E2.words(candidate.state) for candidate in certificate.better] == ["a b c"]
    full = theory.certify(E2.space, goal, E2.state("a b"), exchange="any")
    assert full.better is not None
    assert [E2.words(candidate.state) for candidate in full.better] == ["a b c", "b c"]


def test_the_complement_is_part_of_the_bound() -> None:
    bound = theory.theorem_one(E3.space, table_of(E3), E3.state("a1 b1"))
    assert (bound.f_complement, bound.left, bound.right) == (50, 110, -50)


def test_a_certificate_allows_gains_up_to_epsilon() -> None:
    f: dict[State, float] = {(0, 0): 1.0, (1, 0): 1.05}
    goal = function_goal(lambda state: f.get(state, 0.0))
    assert not theory.certify(TWO, goal, (0, 0)).holds
    assert theory.certify(TWO, goal, (0, 0), epsilon=0.1).holds
    lonely = SearchSpace.from_choices([["a"]])
    assert theory.certify(lonely, function_goal(lambda state: 0.0), (0,)).holds


def test_corollary_two_needs_three_substitutes_for_one_word() -> None:
    pair = SearchSpace.from_choices([["a", "a1", "a2"]])
    assert not theory.corollary_two(theory.theorem_one(pair, np.zeros(3), (0,)), pair)


def test_submodularity_is_judged_with_a_tolerance() -> None:
    space = SearchSpace.from_choices([["a", "a1"], ["b", "b1"], ["c", "c1"]])
    weights = (0.1, 0.2, 0.3)
    goal = function_goal(lambda state: sum(w for w, j in zip(weights, state, strict=True) if j))
    bound = theory.theorem_one(space, theory.tabulate(space, goal), (1, 1, 1))
    assert bound.submodular
    assert theory.submodularity(space, goal).holds


def test_a_table_has_at_most_64_words() -> None:
    space = SearchSpace.from_choices([[f"{i}"] for i in range(65)])
    with pytest.raises(InputError, match="64 words"):
        theory.tabulate(space, function_goal(lambda state: 0.0))
