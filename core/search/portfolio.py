"""Several searches in a row, on one budget and one cache (the paper's fifth open question)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar, get_args

from core.narrate import Moment
from core.objective import INTERRUPTED, Candidate, Kind, Objective, Step
from core.search.card import OWN_LIMIT, Card, pseudocode
from core.search.local import LocalSearch
from core.search.protocol import Search
from core.search.swarm import SwarmThenLocal
from core.search.swift import Swift
from core.space import SearchSpace

ANY_STEP = ", ".join([INTERRUPTED, *(kind for kind in get_args(Kind) if kind != "end")])
MEMBERS: tuple[Search, ...] = (
    Swift(),
    LocalSearch(),
    SwarmThenLocal(population=20, iterations=10),
)


@dataclass(frozen=True)
class Portfolio(Search):
    """One search after the other.

    Each runs to its end, reusing the answers that earlier ones have queried, so that at any budget
    it has what the first one has. The phase of a step begins with the title of its member.
    """

    card: ClassVar[Card] = Card(
        title="Portfolio",
        story="Swift, then local search, then a swarm, until one succeeds within the limit.",
        colour="#5f3dc4",
        dash="dot",
        randomised=True,
        pseudocode=pseudocode(
            f"""
for each member: swift, local search, swarm with local search  # {ANY_STEP}
  run it, reusing answers that earlier members queried  # {ANY_STEP}
  stop if it succeeds within the limit
return the best answer                                  # end
"""
        ),
    )
    retired_settings: ClassVar[Mapping[str, str]] = OWN_LIMIT

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        def worth(one: Candidate) -> tuple[bool, bool, float]:
            within = len(space.changed(one.state)) <= objective.allowed
            return one.success and within, one.success, one.score

        best = None
        for search in MEMBERS:
            for step in search(space, objective, rng):
                yield replace(step, phase=f"{search.card.title}: {step.phase}")
            best = step.current if best is None else max(best, step.current, key=worth)
            if worth(best)[0]:
                break
        if best is not None and best != step.current:
            yield objective.step("stop", best)

    @classmethod
    def describe(cls, moment: Moment) -> str:
        """The one step that no member has made."""
        if moment.step.kind != "stop":
            raise ValueError("a step that no member has made")
        return "No member has succeeded within the limit: the best answer is taken."

    @classmethod
    def maker(cls, step: Step) -> tuple[type[Search], Step]:
        """The member that made a step."""
        title, _, phase = step.phase.partition(": ")
        for member in MEMBERS:
            if member.card.title == title:
                return type(member), replace(step, phase=phase)
        return cls, step
