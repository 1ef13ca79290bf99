"""Constants and formulas of the population and ranked searches, as published."""

import numpy as np
import pytest

from core import SearchSpace
from core.search import genetic, ranked, swarm


@pytest.mark.parametrize(
    ("i", "omega", "p1", "p2"),
    [(0, 0.8, 0.8, 0.2), (1, 0.77, 0.77, 0.23), (10, 0.5, 0.5, 0.5), (19, 0.23, 0.23, 0.77)],
)
def test_pso_schedules(i: int, omega: float, p1: float, p2: float) -> None:
    assert swarm.inertia(i, 20) == pytest.approx(omega)
    assert swarm.own_turn(i, 20) == pytest.approx(p1)
    assert swarm.lead_turn(i, 20) == pytest.approx(p2)


@pytest.mark.parametrize(
    ("as_own", "as_lead", "velocity", "chance"),
    [
        (True, True, -0.24, 0.440286),
        (True, False, 0.96, 0.723122),
        (False, False, 2.16, 0.896600),
    ],
)
def test_pso_turn_probability(as_own: bool, as_lead: bool, velocity: float, chance: float) -> None:
    moved = swarm.drift(np.array([1.2]), 0.8, np.array([as_own]), np.array([as_lead]), 3.0)
    assert moved == pytest.approx([velocity])
    assert swarm.turn_probability(moved) == pytest.approx([chance], abs=1e-6)


@pytest.mark.parametrize(("changed", "chance"), [(0, 1.0), (2, 0.6), (5, 0.0), (6, 0.0)])
def test_pso_mutation_probability(changed: int, chance: float) -> None:
    state = (1,) * changed + (0,) * (10 - changed)
    assert swarm.mutation_probability(state) == pytest.approx(chance)


def test_pso_word_weights_are_capped_at_ten() -> None:
    counts = (3, 0, 25, 10)
    space = SearchSpace.from_choices(
        [f"{index}-{choice}" for choice in range(count + 1)] for index, count in enumerate(counts)
    )
    assert swarm.word_weights(space) == [3, 0, 10, 10]


def test_pso_defaults_are_the_original_ones() -> None:
    assert swarm.ParticleSwarm() == swarm.ParticleSwarm(population=60, iterations=20, v_max=3.0)


@pytest.mark.parametrize(
    ("temperature", "chances"),
    [(0.3, (0.133121, 0.361861, 0.505018)), (1.0, (0.260303, 0.351372, 0.388326))],
)
def test_ga_selection(temperature: float, chances: tuple[float, ...]) -> None:
    assert genetic.selection([0.1, 0.4, 0.5], temperature) == pytest.approx(chances, abs=1e-6)


def test_sbgs_saliency_and_priority() -> None:
    weights = ranked.softmax(np.array([0.05, 0.20, 0.03]))
    assert weights == pytest.approx([0.318265, 0.369772, 0.311963], abs=1e-6)
    priority = weights * np.array([0.12, 0.10, 0.06])
    assert priority == pytest.approx([0.038192, 0.036977, 0.018718], abs=1e-6)
