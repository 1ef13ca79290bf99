"""The swarm in words, with and without the climb after it."""

from collections import Counter

import pytest

from core import SEARCHES, Attack
from core.narrate.generations import own_bests
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
