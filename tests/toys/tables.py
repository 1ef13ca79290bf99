"""The value of every sentence of a case, and where local search ends on it."""

import numpy as np

from core import Attack, State, function_goal, theory
from core.search.local import LocalSearch
from tests.toys.cases import Case


def table_of(case: Case) -> np.ndarray:
    return theory.tabulate(case.space, function_goal(case.f))


def local_optimum(case: Case) -> State:
    search = LocalSearch(complement=False)
    return Attack(case.space, function_goal(case.f), search).run().state
