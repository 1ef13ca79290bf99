"""Particle swarm optimisation (Zang et al., 2020), as its code runs it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar

import numpy as np

from core.errors import require
from core.narrate import Moment, generations, sentences
from core.narrate.generations import Generation, Members
from core.narrate.words import count
from core.objective import Bools, Candidate, Floats, Objective, Step
from core.search.card import Card, Population, pseudocode
from core.search.local import LocalSearch, climbing_after, then_climb
from core.search.population import drawn_column, perturbed, score
from core.search.protocol import Search
from core.space import SearchSpace, State


@dataclass(frozen=True)
class ParticleSwarm(Search):
    """Particle swarm optimisation (Zang et al., 2020).

    ``v_max`` is 3 as in the original code; the LS paper prints 1. The original breaks ties by an
    unstable sort; here the first wins. Random draws come from one seeded generator. With
    ``polish`` a swarm without success ends by local search from its best sentence.
    """

    card: ClassVar[Card] = Card(
        title="PSO",
        story="particles drift word by word towards their own best and the swarm's best sentence.",
        colour="#c04f00",
        dash="dash",
        randomised=True,
        must_beat="current",
        no_guess="A swarm moves all its particles at once: there is no single next move to "
        "predict.",
        population=Population(
            shades="The darker a word, the more particles have it. Orange ring: the swarm's best "
            "sentence. Blue ring: in some particle's own best.",
            remembers=True,
        ),
        beside_paper="PSO: the paper prints v_max 1; its code, and the default here, has 3",
        pseudocode=pseudocode(
            """
score the original                                      # start
each particle ← the original, one word at its best substitute  # init
own best ← the particle; lead ← the best of all         # init
for each generation
  speed of a word: up where it differs from the bests   # generation
  with chance P₁ take words from the own best           # generation
  with chance P₂ take words from the lead               # generation
  stop if a particle reaches the goal
  with some chance put one word at its best substitute  # generation
  update the own bests and the lead                     # generation
return the lead                                         # end
"""
        ),
    )

    population: int = 60
    iterations: int = 20
    v_max: float = 3.0
    polish: bool = False

    def __post_init__(self) -> None:
        require(self.population >= 1, "The swarm must have at least 1 particle.")
        require(self.iterations >= 1, "There must be at least 1 iteration.")
        require(0 < self.v_max < 100, f"v_max is {self.v_max}; it must lie between 0 and 100.")

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        steps = self._swarm(space, objective, rng)
        return then_climb(steps, space, objective) if self.polish else steps

    @classmethod
    def describe(cls, moment: Moment) -> str:
        """The swarm in numbers, and the climb after it as local search has it."""
        match moment.step.kind:
            case "init":
                return generations.first(moment, "particle")
            case "generation":
                done = counted(moment.step, moment.last.frontier, moment.own)
                return generations.later(
                    moment,
                    f"{done.moved} of {count(len(moment.step.frontier), 'particle')} moved, "
                    f"{done.mutated} mutated, {done.improved} beat their own best.",
                    "lead",
                )
            case "insert" | "delete" | "exchange":
                return LocalSearch.describe(moment)
        return sentences.of(moment)

    def _swarm(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        yield objective.step("start", objective.one(space.origin))
        weights = word_weights(space)
        if not any(weights):
            return

        swarm: list[Candidate] = []
        columns = [drawn_column(space, space.origin, weights, rng) for _ in range(self.population)]
        for particle in perturbed(objective, columns):
            swarm.append(particle)
            if particle.success:
                yield objective.step("init", swarm[-1], swarm)
                return
        own = list(swarm)  # personal bests
        lead = max(own, key=score)  # global best
        yield objective.step("init", lead, swarm)

        spread = [rng.uniform(-self.v_max, self.v_max) for _ in swarm]
        velocity = np.repeat(np.array(spread)[:, None], len(space.choices), axis=1)
        for i in range(self.iterations):
            position = np.array([particle.state for particle in swarm])
            velocity = drift(
                velocity,
                inertia(i, self.iterations),
                position == np.array([best.state for best in own]),
                position == np.array(lead.state),
                self.v_max,
            )
            turned = [
                self._turn(particle.state, best.state, lead.state, turn_probability(v), i, rng)
                for particle, best, v in zip(swarm, own, velocity, strict=True)
            ]
            scored = objective(turned)
            swarm = list(scored)
            winner = scored.first_success()
            if not winner:
                mutants = {
                    p: drawn_column(space, particle.state, weights, rng)
                    for p, particle in enumerate(swarm)
                    if rng.random() < mutation_probability(particle.state)
                }
                for p, mutant in zip(
                    mutants, perturbed(objective, list(mutants.values())), strict=False
                ):
                    swarm[p] = mutant
                    if mutant.success:
                        winner = mutant
                        break
            own = [max(best, now, key=score) for best, now in zip(own, swarm, strict=True)]
            lead = max([lead, *own], key=score)
            yield objective.step("generation", winner or lead, swarm)
            if winner:
                return

    def _turn(
        self, state: State, own: State, lead: State, chance: Floats, i: int, rng: Random
    ) -> State:
        """With P1 take words of the particle's own best, then with P2 of the swarm's best."""
        for best, probability in (
            (own, own_turn(i, self.iterations)),
            (lead, lead_turn(i, self.iterations)),
        ):
            if rng.random() < probability:
                state = tuple(
                    theirs if rng.random() < c else mine
                    for mine, theirs, c in zip(state, best, chance, strict=True)
                )
        return state


@dataclass(frozen=True)
class SwarmThenLocal(ParticleSwarm):
    """The swarm with ``polish``."""

    card: ClassVar[Card] = replace(
        ParticleSwarm.card,
        title="PSO+LS",
        story="the swarm, and local search from its best sentence to a local optimum.",
        colour="#e8590c",
        dash="longdashdot",
        pseudocode=climbing_after(ParticleSwarm.card.pseudocode),
    )

    polish: bool = True


def counted(step: Step, last: Members, own: Members) -> Generation:
    """A generation of the swarm in numbers: ``own`` are the bests its particles had before."""
    swarm = step.frontier
    turned = generations.whole_sentences(step)[: len(swarm)]
    return generations.measure(swarm, last, swarm, turned, [best.score for best in own])


def word_weights(space: SearchSpace) -> list[float]:
    """Chance of a word to be perturbed: ``min(|B_i|, 10)``, up to a common factor."""
    return [float(min(count, 10)) for count in space.counts]


def inertia(i: int, iterations: int) -> float:
    """The weight of the old velocity, 0.8 falling towards 0.2."""
    return 0.6 * (iterations - i) / iterations + 0.2


def own_turn(i: int, iterations: int) -> float:
    """P1, the chance to turn to the particle's own best, 0.8 falling towards 0.2."""
    return 0.8 - 0.6 * i / iterations


def lead_turn(i: int, iterations: int) -> float:
    """P2, the chance to turn to the swarm's best, 0.2 rising towards 0.8."""
    return 0.2 + 0.6 * i / iterations


def drift(velocity: Floats, omega: float, as_own: Bools, as_lead: Bools, v_max: float) -> Floats:
    """The new velocity: words that differ from a best push up, equal ones push down."""
    pull = np.where(as_own, -v_max, v_max) + np.where(as_lead, -v_max, v_max)
    return np.asarray(omega * velocity + (1 - omega) * pull, dtype=np.float64)


def turn_probability(velocity: Floats) -> Floats:
    """The chance of each word to be taken from a best."""
    return np.asarray(1.0 / (1.0 + np.exp(-velocity)), dtype=np.float64)


def mutation_probability(state: State) -> float:
    """The chance of a particle to be perturbed: the more words are changed, the lower."""
    return max(0.0, 1.0 - 2.0 * sum(map(bool, state)) / len(state))
