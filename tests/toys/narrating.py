"""Searches run on small cases, and the sentences of their traces."""

from functools import cache
from itertools import product
from typing import Any

from core import SEARCHES, Attack, AttackResult, Goal, SearchSpace, State, function_goal
from core.search import Search
from core.search.block_bayes import BlockBayes
from core.search.hqa import HqaAttack
from core.search.label import LabelSearch
from core.search.swarm import SwarmThenLocal
from core.search.swift import Swift
from core.space import HIDDEN
from core.story import NarratedStep, narrate
from core.theory.searches import endless
from tests.toys.cases import E1, E2, E3, E6, E8, Case
from tests.toys.spaces import SMALL, astray_case, logistic_case, random_case, toy_case

BY_COLUMN = LabelSearch(distance="column")  # made-up words are like nothing
LONG = "A charming and often very funny film, with a smart script and a warm, honest ending."


def run(
    case: Case, search: Search, threshold: float | None = None, budget: int | None = None
) -> AttackResult:
    success = None if threshold is None else lambda value: value > threshold
    goal = function_goal(case.f, success)
    return Attack(case.space, goal, search, budget, max_changed=1.0).run()


def told(case: Case, key: str, threshold: float | None = None) -> list[str]:
    result = run(case, SEARCHES[key](), threshold)
    return [one.sentence for one in narrate(case.space, result.steps, key, result.status)]


def toy_trace(
    key: str, budget: int | None = None, seed: int = 0
) -> tuple[SearchSpace, AttackResult]:
    space, goal = toy_case(LONG)
    return space, Attack(space, goal, SEARCHES[key](), budget, seed, max_changed=1.0).run()


def told_of(
    search: Search, key: str, seed: int = 0
) -> tuple[AttackResult, tuple[NarratedStep, ...]]:
    space, goal = logistic_case(seed)
    result = Attack(space, goal, search).run()
    return result, narrate(space, result.steps, key, result.status)


@cache
def varied_runs(key: str) -> list[tuple[SearchSpace, AttackResult]]:
    """Runs of a search in which it comes to all of its phases."""
    small, logistic = toy_case(SMALL), logistic_case(1)
    cases = [
        small,
        reaching(E1, 0.0),
        reaching(E6, 19.0),  # one word is enough
        *map(random_case, (2, 3, 4)),
        *(reaching(case) for case in (E2, E3, E8)),
    ]
    if SEARCHES[key].card.takes(logistic[0].size):
        cases += [logistic, astray_case()]
    weak: dict[str, list[Search]] = {
        "swift": [Swift(), Swift(probes=0)],
        "ls-label": [BY_COLUMN],
        "hqa": [HqaAttack(distance="column")],
        "bba": [BlockBayes(), BlockBayes(block=2)],
        "pso+ls": [SwarmThenLocal(population=2, iterations=1)],
    }
    searches = weak.get(key, [SEARCHES[key]()])
    runs = []
    for (space, goal), search in product(cases, searches):
        tries: list[tuple[Goal, dict[str, Any]]]
        tries = [(goal, {}), (goal, {"budget": 9}), (goal, {"hard_limit": True})]
        tries += [(endless(goal), {})] if len(space.choices) < 6 else []
        for wanted, limits in tries:
            runs.append((space, Attack(space, wanted, search, **limits).run()))
    return runs


def reaching(case: Case, threshold: float = 40.0) -> tuple[SearchSpace, Goal]:
    """A teaching instance that any search may be run on: its hidden words score nothing."""

    def f(state: State) -> float:
        return 0.0 if HIDDEN in state else case.values[state]

    return case.space, function_goal(f, lambda value: value > threshold)
