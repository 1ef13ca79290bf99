"""Each population search must really use its memory or its selection."""

from itertools import pairwise

import numpy as np
import pytest

from core import Attack, SearchSpace, State, Step, function_goal
from core.search import swarm
from core.search.genetic import Genetic
from core.search.swarm import ParticleSwarm


def rugged(words: int, seed: int) -> tuple[Step, ...]:
    """A swarm on a function where mixing two good sentences often gives a bad one."""
    rng = np.random.default_rng(seed)
    single = rng.uniform(0.0, 1.0, size=(words, 4))
    pair = rng.normal(0.0, 0.6, size=(words, 4, words, 4))

    def f(state: State) -> float:
        used = [(i, j) for i, j in enumerate(state) if j]
        total = sum(single[i, j] for i, j in used)
        return float(total + sum(pair[i, j, k, m] for i, j in used for k, m in used if i < k))

    space = SearchSpace.from_choices([f"{i}-{j}" for j in range(4)] for i in range(words))
    steps = Attack(space, function_goal(f), ParticleSwarm(), seed=seed).run().steps
    return tuple(step for step in steps if step.kind in ("init", "generation"))


def test_a_particle_returns_to_the_best_it_remembers(monkeypatch: pytest.MonkeyPatch) -> None:
    """First every particle takes half of the leader's words, then all of its own best's.

    Two changed words score nothing, so the mixed sentence is never the best a particle had.
    """
    values = {(1, 0): 0.9, (0, 1): 0.8}
    goal = function_goal(lambda state: values.get(state, 0.0))
    space = SearchSpace.from_choices([["a", "a1"], ["b", "b1"]])
    now = {"i": 0}
    monkeypatch.setattr(swarm, "inertia", lambda i, _: now.update(i=i) or 0.5)
    monkeypatch.setattr(swarm, "own_turn", lambda i, _: float(i == 1))
    monkeypatch.setattr(swarm, "lead_turn", lambda i, _: float(i == 0))
    monkeypatch.setattr(swarm, "turn_probability", lambda v: np.array([1.0, float(now["i"])]))
    monkeypatch.setattr(swarm, "mutation_probability", lambda state: 0.0)
    steps = Attack(space, goal, ParticleSwarm(population=12, iterations=2)).run().steps
    start, mixed, returned = ([p.state for p in step.frontier] for step in steps[1:4])
    assert set(start) == {(1, 0), (0, 1)}
    assert set(mixed) == {(1, 0), (1, 1)}
    assert returned == start


def test_the_swarm_stops_at_the_first_particle_that_succeeds() -> None:
    space = SearchSpace.from_choices([["a", "a1"], ["b", "b1"]])
    goal = function_goal(lambda state: float(sum(state)), success=lambda value: value >= 1)
    result = Attack(space, goal, ParticleSwarm(), max_changed=1.0).run()
    assert [step.kind for step in result.steps] == ["start", "init", "end"]
    assert (result.status, result.requests) == ("success", 1 + 2)


@pytest.mark.parametrize("seed", range(5))
def test_the_leader_is_the_best_particle_of_all_time(seed: int) -> None:
    best = -np.inf
    for step in rugged(10, seed):
        best = max(best, *(particle.score for particle in step.frontier))
        assert step.current.score == best


@pytest.mark.parametrize("seed", range(5))
def test_the_swarm_gathers_around_its_bests(seed: int) -> None:
    steps = rugged(10, seed)
    start = [particle.score for particle in steps[0].frontier]
    end = [particle.score for particle in steps[-1].frontier]
    assert np.mean(end) > max(start)


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
