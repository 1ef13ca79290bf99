"""The genetic algorithm (Alzantot et al., 2018) on the space it is given."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from core.errors import require
from core.objective import Objective, Step
from core.search.local import EPSILON, climb
from core.search.population import draw, perturb, score
from core.space import SearchSpace, State


@dataclass(frozen=True)
class Genetic:
    """GA: parents are drawn by score, children mix their words and get one word perturbed.

    Departs from the original:
    - the eight nearest neighbours and the language-model filter are part of the space, so that
      all searches race on the same one; here every substitute of the chosen word is tried;
    - the last population is tested for success too (the original forgets it);
    - scores are reused, never asked for again; the first wins a tie.
    With ``polish`` a population without success ends by local search from its best sentence.
    """

    population: int = 60
    generations: int = 20
    temperature: float = 0.3
    polish: bool = False

    def __post_init__(self) -> None:
        require(self.population >= 2, "The population must have at least 2 members.")
        require(self.generations >= 1, "There must be at least 1 generation.")
        require(self.temperature > 0, "The temperature must be positive.")

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        yield objective.step("start", objective.one(space.origin))
        weights = [float(count) for count in space.counts]
        if not any(weights):
            return

        people = [
            perturb(space, objective, space.origin, weights, rng) for _ in range(self.population)
        ]
        elite = max(people, key=score)
        yield objective.step("init", elite, people)
        for _ in range(self.generations):
            if elite.success:
                return
            chances = selection([one.score for one in people], self.temperature)
            children = []
            for _ in range(self.population - 1):
                mother, father = people[draw(chances, rng)], people[draw(chances, rng)]
                child = crossover(mother.state, father.state, rng)
                children.append(perturb(space, objective, child, weights, rng))
            people = [elite, *children]
            elite = max(people, key=score)
            yield objective.step("generation", elite, people)
        if self.polish:
            yield from climb(space, objective, elite, space.neighbours, EPSILON)


@dataclass(frozen=True)
class GeneticThenLocal(Genetic):
    """GA+LS: the genetic algorithm, and local search from its elite to a local optimum."""

    polish: bool = True


def selection(scores: Sequence[float], temperature: float) -> list[float]:
    """The chance of each individual to be a parent: softmax of score / temperature."""
    powers = np.array(scores) / temperature
    weights = np.exp(powers - powers.max())
    return list(weights / weights.sum())


def crossover(mother: State, father: State, rng: Random) -> State:
    """Each word from either parent with equal chance."""
    pairs = zip(mother, father, strict=True)
    return tuple(one if rng.random() < 0.5 else other for one, other in pairs)
