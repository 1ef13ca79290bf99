"""The searches on a table: what they find when nothing stops them before their own end."""

from collections.abc import Generator, Iterable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.attack import Attack
from core.objective import Bools, Floats, Goal, Step
from core.search import SEARCHES
from core.search.local import LocalSearch
from core.space import SearchSpace, State
from core.theory.asking import Progress, finish
from core.theory.table import table_goal

SEEDED = ("pso", "ga")  # the searches that draw at random


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


def outcomes(space: SearchSpace, table: Floats, seeds: Iterable[int]) -> list[Outcome]:
    """Local search and greedy once, PSO and GA once a seed."""
    return finish(outcomes_steps(space, table, seeds))


def outcomes_steps(
    space: SearchSpace, table: Floats, seeds: Iterable[int]
) -> Generator[Progress, None, list[Outcome]]:
    """The same searches, telling after each of them how far it is."""
    runs = [("ls", None), ("greedy", None), *product(SEEDED, seeds)]
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


def local_optimum(space: SearchSpace, table: Floats) -> State:
    """S of Theorem 1: where local search stops, before the complement is looked at."""
    return Attack(space, table_goal(table), LocalSearch(complement=False)).run().state
