"""Theorem 1 and its corollaries: the bound of a local optimum."""

import numpy as np
import pytest

from core import SearchSpace, theory
from tests.toys.cases import E1, E3, E7, E
from tests.toys.tables import local_optimum, table_of


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


def test_the_complement_is_part_of_the_bound() -> None:
    bound = theory.theorem_one(E3.space, table_of(E3), E3.state("a1 b1"))
    assert (bound.f_complement, bound.left, bound.right) == (50, 110, -50)


def test_corollary_two_needs_three_substitutes_for_one_word() -> None:
    pair = SearchSpace.from_choices([["a", "a1", "a2"]])
    assert not theory.corollary_two(theory.theorem_one(pair, np.zeros(3), (0,)), pair)


def test_the_bound_tells_how_far_it_is() -> None:
    space, table = E7.space, table_of(E7)
    told = list(theory.outcomes_steps(space, table, range(2)))
    assert told == [(number, 6, "searches") for number in range(1, 7)]
    told = list(theory.theorem_one_steps(space, table, E7.state("a1 b1")))
    assert told == [(number, 4, "subsets of S") for number in range(1, 5)]
