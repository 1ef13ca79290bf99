"""Two searches to measure the others by: chance, and every sentence there is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from random import Random
from typing import ClassVar

from core.errors import require
from core.narrate import Moment, certificates, generations, sentences
from core.objective import Objective, Status, Step
from core.search.card import Card, pseudocode
from core.search.population import score
from core.search.protocol import Search
from core.space import SearchSpace


@dataclass(frozen=True)
class RandomSearch(Search):
    """What chance finds; one batch per step."""

    card: ClassVar[Card] = Card(
        title="Random",
        story="sentences drawn uniformly from the whole space, a batch per step.",
        colour="#6b7280",
        dash="dot",
        randomised=True,
        must_beat="current",
        no_guess="Draws are random: there is nothing to predict.",
        pseudocode=pseudocode(
            """
score the original                                      # start
until the goal is reached or all draws are used
  draw sentences, each with the same chance             # generation
  keep the best one seen                                # generation
return the best one                                     # end
"""
        ),
    )

    draws: int = 1_000
    batch: int = 20

    def __post_init__(self) -> None:
        require(self.draws >= 1 and self.batch >= 1, "draws and batch must be at least 1.")

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        current = objective.one(space.origin)
        yield objective.step("start", current)
        left = self.draws
        while left > 0 and not current.success:
            tried = objective([space.random(rng) for _ in range(min(self.batch, left))])
            left -= len(tried)
            current = tried.first_success() or max([current, *tried], key=score)
            yield objective.step("generation", current)

    @classmethod
    def describe(cls, moment: Moment) -> str:
        if moment.step.kind == "generation":
            return generations.batch(moment, "drawn at random")
        return sentences.of(moment)


LARGEST = 200_000


@dataclass(frozen=True)
class Exhaustive(Search):
    """What is the best there is: it goes on after a success."""

    card: ClassVar[Card] = Card(
        title="Exhaustive",
        story="every sentence of a small space, to the end; the answer is the optimum.",
        colour="#8d6e63",
        must_beat="current",
        no_guess="Every sentence is tried in turn: there is nothing to predict.",
        largest=LARGEST,
        pseudocode=pseudocode(
            """
score the original                                      # start
for every sentence there is                             # generation
  keep it if it is the best so far                      # generation
return the best one                                     # end
"""
        ),
    )

    limit: int = LARGEST
    batch: int = 1_024

    def __post_init__(self) -> None:
        require(self.limit >= 1 and self.batch >= 1, "limit and batch must be at least 1.")

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        require(
            space.size <= self.limit,
            f"The space has {space.size:,} sentences; exhaustive search stops at "
            f"{self.limit:,}. Take fewer substitutes or a shorter text, or raise the limit.",
        )
        current = objective.one(space.origin)
        yield objective.step("start", current)
        every = product(*(range(len(column)) for column in space.choices))
        others = islice(every, 1, None)  # the first one is the original
        while states := list(islice(others, self.batch)):
            current = max([current, *objective(states)], key=score)
            yield objective.step("generation", current)

    @classmethod
    def describe(cls, moment: Moment) -> str:
        if moment.step.kind == "generation":
            so_far = f"{moment.step.queries:,} of {moment.space.size:,} so far"
            return generations.batch(moment, f"tried, {so_far}")
        return sentences.of(moment)

    @classmethod
    def certify(cls, space: SearchSpace, steps: Sequence[Step], status: Status) -> str:
        """That nothing was left out."""
        if steps[-1].queries == space.size:
            return f"All {space.size:,} sentences were tried: the answer is the best there is."
        return certificates.proved(space, steps)
