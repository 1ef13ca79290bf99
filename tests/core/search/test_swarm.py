"""The swarm: its constants, its memory, and its words, with and without the climb after it."""

from collections import Counter

import numpy as np
import pytest

from core import SEARCHES, Attack, SearchSpace, State, Step, function_goal
from core.narrate.generations import own_bests
from core.search import swarm
from core.search.swarm import ParticleSwarm, counted
from core.story import narrate
from core.theory.searches import endless
from tests.toys.narrating import toy_trace
from tests.toys.spaces import SMALL, random_case, toy_case


def test_a_swarm_of_one_is_told_in_the_singular() -> None:
    space, goal = toy_case(SMALL)
    result = Attack(space, goal, ParticleSwarm(population=1)).run()
    story = narrate(space, result.steps, "pso", result.status)
    assert story[1].sentence.startswith("1 particle starts from the original, with one word")


@pytest.mark.parametrize("seed", range(3))
def test_a_swarm_is_counted_right(seed: int) -> None:
    space, result = toy_trace("pso", seed=seed)
    people = [step.frontier for step in result.steps]
    own = own_bests(result.steps)
    checked = 0
    for number, step in enumerate(result.steps):
        if step.kind != "generation":
            continue
        done = counted(step, people[number - 1], own[number - 1])
        best_before = [
            max(
                people[n][p].score
                for n in range(number)
                if result.steps[n].kind in ("init", "generation")
            )
            for p in range(len(step.frontier))
        ]
        beaten = [one.score > bar for one, bar in zip(step.frontier, best_before, strict=True)]
        assert done.improved == sum(beaten)
        kept = Counter(
            a.state == b.state for a, b in zip(step.frontier, people[number - 1], strict=True)
        )
        assert done.moved == kept[False]
        assert done.different == len(Counter(one.state for one in step.frontier))
        assert done.mean == pytest.approx(sum(one.score for one in step.frontier) / 60)
        assert done.mutated <= 60
        story = narrate(space, result.steps, "pso", result.status)[number].sentence
        assert story.startswith(f"{done.moved} of 60 particles moved, {done.mutated} mutated, ")
        checked += 1
    assert checked


@pytest.mark.parametrize("key", ["pso", "ga"])
def test_a_polished_search_is_told_as_what_it_polishes(key: str) -> None:
    space, goal = random_case(2)
    plain, polished = (
        narrate(space, Attack(space, endless(goal), SEARCHES[k]()).run().steps, k, "failed")
        for k in (key, f"{key}+ls")
    )
    same = len(plain) - 1  # all but the end
    assert [one.sentence for one in polished[:same]] == [one.sentence for one in plain[:same]]
    assert "A local optimum. All" in polished[-2].sentence


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
    values: dict[State, float] = {(1, 0): 0.9, (0, 1): 0.8}
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
