"""The genetic algorithm (Alzantot et al., 2018) on the space it is given."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar

import numpy as np

from core.errors import require
from core.narrate import Moment, generations, sentences
from core.narrate.generations import Generation, Members
from core.narrate.words import count
from core.objective import Objective, Step
from core.search.card import Card, Population, pseudocode
from core.search.local import LocalSearch, climbing_after, then_climb
from core.search.population import draw, drawn_column, perturbed, score
from core.search.protocol import Search
from core.space import SearchSpace, State


@dataclass(frozen=True)
class Genetic(Search):
    """The genetic algorithm (Alzantot et al., 2018).

    Departs from the original:
    - the eight nearest neighbours and the language-model filter are part of the space, so that
      all searches race on the same one; here every substitute of the chosen word is tried;
    - the last population is tested for success too (the original forgets it);
    - scores are reused, never asked for again; the first wins a tie.
    With ``polish`` a population without success ends by local search from its best sentence.
    """

    card: ClassVar[Card] = Card(
        title="GA",
        story="parents are drawn by score, children mix their words and get one word perturbed.",
        colour="#00805c",
        dash="dot",
        randomised=True,
        must_beat="current",
        no_guess="A generation breeds many children at once: there is no single next move to "
        "predict.",
        population=Population(
            shades="The darker a word, the more members have it. Orange ring: the elite.",
        ),
        pseudocode=pseudocode(
            """
score the original                                      # start
each member ← the original, one word at its best substitute  # init
elite ← the best member                                 # init
for each generation
  stop if the elite reaches the goal
  draw parents, higher scores more often                # generation
  child ← each word from either parent                  # generation
  put one word of the child at its best substitute      # generation
  population ← the elite and the children               # generation
  elite ← the best member                               # generation
return the elite                                        # end
"""
        ),
    )

    population: int = 60
    generations: int = 20
    temperature: float = 0.3
    polish: bool = False

    def __post_init__(self) -> None:
        require(self.population >= 2, "The population must have at least 2 members.")
        require(self.generations >= 1, "There must be at least 1 generation.")
        require(self.temperature > 0, "The temperature must be positive.")

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        steps = self._generations(space, objective, rng)
        return then_climb(steps, space, objective) if self.polish else steps

    @classmethod
    def describe(cls, moment: Moment) -> str:
        """The population in numbers, and the climb after it as local search has it."""
        match moment.step.kind:
            case "init":
                return generations.first(moment, "member")
            case "generation":
                done = counted(moment.step, moment.last.frontier)
                children = count(len(moment.step.frontier) - 1, "child", "children")
                return generations.later(
                    moment,
                    f"{children} bred, {done.mutated} of them mutated; "
                    f"{done.improved or 'none'} beat the elite.",
                    "elite",
                )
            case "insert" | "delete" | "exchange":
                return LocalSearch.describe(moment)
        return sentences.of(moment)

    def _generations(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        yield objective.step("start", objective.one(space.origin))
        weights = [float(count) for count in space.counts]
        if not any(weights):
            return

        columns = [drawn_column(space, space.origin, weights, rng) for _ in range(self.population)]
        population = list(perturbed(objective, columns))
        elite = max(population, key=score)
        yield objective.step("init", elite, population)
        for _ in range(self.generations):
            if elite.success:
                return
            temperature = self.temperature * objective.goal.measure.largest
            chances = selection([one.score for one in population], temperature)
            columns = []
            for _ in range(self.population - 1):
                mother, father = population[draw(chances, rng)], population[draw(chances, rng)]
                child = crossover(mother.state, father.state, rng)
                columns.append(drawn_column(space, child, weights, rng))
            population = [elite, *perturbed(objective, columns)]
            elite = max(population, key=score)
            yield objective.step("generation", elite, population)


@dataclass(frozen=True)
class GeneticThenLocal(Genetic):
    """The genetic algorithm with ``polish``."""

    card: ClassVar[Card] = replace(
        Genetic.card,
        title="GA+LS",
        story="the genetic algorithm, and local search from its elite to a local optimum.",
        colour="#099268",
        dash="dash",
        pseudocode=climbing_after(Genetic.card.pseudocode),
    )

    polish: bool = True


def counted(step: Step, last: Members) -> Generation:
    """A generation in numbers: its first member is the elite before, the others its children."""
    elite, *children = step.frontier
    bred, bars = generations.whole_sentences(step), [elite.score] * len(children)
    return generations.measure(step.frontier, last, tuple(children), bred, bars)


def selection(scores: Sequence[float], temperature: float) -> list[float]:
    """The chance of each individual to be a parent: softmax of score / temperature."""
    powers = np.array(scores) / temperature
    weights = np.exp(powers - powers.max())
    return list(weights / weights.sum())


def crossover(mother: State, father: State, rng: Random) -> State:
    """Each word from either parent with equal chance."""
    pairs = zip(mother, father, strict=True)
    return tuple(one if rng.random() < 0.5 else other for one, other in pairs)
