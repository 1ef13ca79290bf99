"""The genetic algorithm: its constants, its selection, its children, and its words."""

from itertools import pairwise
from random import Random

import numpy as np
import pytest

from core import (
    Attack,
    SearchSpace,
    function_goal,
)
from core.search import genetic
from core.search.genetic import Genetic, crossover
from core.story import narrate
from tests.toys.narrating import toy_trace


def test_a_genetic_algorithm_is_counted_right() -> None:
    space, result = toy_trace("ga", seed=1)
    story = narrate(space, result.steps, "ga", result.status)
    for number, step in enumerate(result.steps):
        if step.kind != "generation":
            continue
        old = max(one.score for one in result.steps[number - 1].frontier)
        better = sum(one.score > old for one in step.frontier)
        words = story[number].sentence
        assert words.startswith("59 children bred, ")
        assert f"; {better or 'none'} beat the elite." in words
        assert f"with {len({one.state for one in step.frontier})} different sentences" in words
    assert story[1].sentence.startswith("60 members start from the original, each with one word")


@pytest.mark.parametrize("seed", range(5))
def test_good_parents_have_more_children(seed: int) -> None:
    # Only one word matters and perturbing finds it once in twenty; selection must spread it.
    space = SearchSpace.from_choices([f"{i}-{j}" for j in range(2)] for i in range(20))
    goal = function_goal(lambda state: 0.5 * state[0])
    steps = Attack(space, goal, Genetic(generations=5), seed=seed).run().steps
    shares = [
        np.mean([person.state[0] for person in step.frontier])
        for step in steps
        if step.kind in ("init", "generation")
    ]
    assert shares[0] < 0.2
    assert shares[-1] > 0.6


def test_the_elite_survives_unchanged() -> None:
    space = SearchSpace.from_choices([f"{i}-{j}" for j in range(4)] for i in range(12))
    weights = np.random.default_rng(0).normal(size=(12, 4))
    goal = function_goal(lambda state: float(sum(weights[i, j] for i, j in enumerate(state) if j)))
    steps = Attack(space, goal, Genetic(population=10), seed=1).run().steps
    generations = [step for step in steps if step.kind in ("init", "generation")]
    for before, after in pairwise(generations):
        assert after.frontier[0] == before.current


@pytest.mark.parametrize(
    ("temperature", "chances"),
    [(0.3, (0.133121, 0.361861, 0.505018)), (1.0, (0.260303, 0.351372, 0.388326))],
)
def test_ga_selection(temperature: float, chances: tuple[float, ...]) -> None:
    assert genetic.selection([0.1, 0.4, 0.5], temperature) == pytest.approx(chances, abs=1e-6)


def test_crossover_takes_half_of_each_parent() -> None:
    child = crossover((1,) * 4_000, (0,) * 4_000, Random(0))
    assert 0.45 < np.mean(child) < 0.55


def test_ga_perturbs_words_by_their_number_of_substitutes() -> None:
    space = SearchSpace.from_choices([["a", *(f"a{j}" for j in range(30))], ["b", "b1"], ["c"]])
    goal = function_goal(lambda state: float(state[1] > 0) + 0.1 * (state[0] > 0))
    steps = Attack(space, goal, Genetic(population=200, generations=1), seed=4).run().steps
    changed_b = np.mean([person.state[1] > 0 for person in steps[1].frontier])
    assert changed_b < 0.1  # 1 of 31 draws


def test_ga_children_are_perturbed() -> None:
    space = SearchSpace.from_choices([f"{i}", f"{i}'"] for i in range(12))
    goal = function_goal(lambda state: float(sum(state)))
    steps = Attack(space, goal, Genetic(population=10, generations=4)).run().steps
    most = [max(sum(person.state) for person in step.frontier) for step in steps[1:-1]]
    assert most == sorted(most)
    assert most[-1] >= 4
