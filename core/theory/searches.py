"""The searches on a table: what they find when nothing stops them before their own end."""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.attack import Attack
from core.objective import Bools, Floats, Goal, Step
from core.search import COMPARED, SEARCHES, registered
from core.search.local import LocalSearch
from core.space import Exchange, SearchSpace, State
from core.theory.asking import Progress, finish
from core.theory.table import table_goal


@dataclass(frozen=True)
class Outcome:
    """What a search found, and how many of the table's entries it asked for."""

    search: str
    seed: int | None  # None where nothing is drawn
    state: State
    value: float
    queries: int
    steps: tuple[Step, ...]


def outcome(space: SearchSpace, table: Floats, search: str, seed: int | None = None) -> Outcome:
    """Run a search on a table to its end; it does not stop at a success."""
    result = Attack(space, table_goal(table), SEARCHES[search](), seed=seed or 0).run()
    return Outcome(search, seed, result.state, result.score, result.queries, result.steps)


def outcomes(
    space: SearchSpace, table: Floats, seeds: Sequence[int], searches: Iterable[str] | None = None
) -> list[Outcome]:
    """What searches find: those that draw at random once per seed, the others once."""
    return finish(outcomes_steps(space, table, seeds, searches))


def outcomes_steps(
    space: SearchSpace, table: Floats, seeds: Sequence[int], searches: Iterable[str] | None = None
) -> Generator[Progress, None, list[Outcome]]:
    """The same, telling after each run how far it is."""
    runs = [
        (search, seed)
        for search in (registered(COMPARED) if searches is None else searches)
        for seed in (seeds if SEARCHES[search].card.randomised else [None])
    ]
    found = []
    for search, seed in runs:
        found.append(outcome(space, table, search, seed))
        yield Progress(len(found), len(runs), "searches")
    return found


def endless(goal: Goal) -> Goal:
    """The same goal, never reached, so that a search runs to its end."""

    def judge(outputs: NDArray[Any]) -> tuple[Floats, Bools]:
        scores, successes = goal.judge(outputs)
        return scores, np.zeros_like(successes)

    return replace(goal, judge=judge, verify=lambda state: False)


def local_optimum(space: SearchSpace, table: Floats, exchange: Exchange = "same") -> State:
    """Where local search stops, before the complement is looked at."""
    search = LocalSearch(exchange=exchange, complement=False)
    return Attack(space, table_goal(table), search).run().state
