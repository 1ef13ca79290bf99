"""Several searches in a row, on one budget and one cache (the paper's fifth open question)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from core.errors import require
from core.objective import Candidate, Objective, Step
from core.search.local import LocalSearch
from core.search.protocol import Search
from core.search.swarm import SwarmThenLocal
from core.search.swift import Swift
from core.space import SearchSpace

MEMBERS: dict[str, Search] = {
    "swift": Swift(),
    "ls": LocalSearch(),
    "pso+ls": SwarmThenLocal(population=20, iterations=10),
}


@dataclass(frozen=True)
class Portfolio:
    """Portfolio: Swift, then local search, then a swarm, until one succeeds within the limit.

    Each runs to its end on what the ones before have paid for, so that at any budget it has what
    the first one has. A step ``start`` opens each member; ``member`` says whose answer it was.
    """

    limit: float = 0.25  # share of words that may be changed, as the attack's own

    def __post_init__(self) -> None:
        require(0 < self.limit <= 1, f"limit is {self.limit}; it must lie between 0 and 1.")

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        most = space.allowed(self.limit)

        def worth(one: Candidate) -> tuple[bool, bool, float]:
            return one.success and len(space.changed(one.state)) <= most, one.success, one.score

        best = None
        for search in MEMBERS.values():
            for step in search(space, objective, rng):
                yield step
            best = step.current if best is None else max(best, step.current, key=worth)
            if worth(best)[0]:
                break
        if best is not None and best != step.current:
            yield objective.step("stop", best)


def member(steps: Sequence[Step]) -> str:
    """The member of a portfolio that found the answer, or "" without a success."""
    answer, names = steps[-1].current, iter(MEMBERS)
    if not answer.success:
        return ""
    name = ""
    for step in steps:
        if step.kind == "start":
            name = next(names)
        if step.current == answer:
            break
    return name
