"""Two searches to measure the others by: chance, and every sentence there is."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product
from random import Random

from core.errors import require
from core.objective import Objective, Step
from core.search.population import score
from core.space import SearchSpace


@dataclass(frozen=True)
class RandomSearch:
    """Random: sentences drawn uniformly from the whole space, a batch a step."""

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


@dataclass(frozen=True)
class Exhaustive:
    """Exhaustive: every sentence of a small space, to the end; the answer is the optimum."""

    limit: int = 200_000
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
