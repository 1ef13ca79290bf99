"""The bound in a table."""

from itertools import product

import numpy as np

from app.theory import bound
from core import SEARCHES, Attack, theory
from core.theory.instances import INSTANCES


def test_rows_of_the_figure_are_those_of_the_searches() -> None:
    one = INSTANCES["exchange"]
    shape = [len(column) for column in one.space.choices]
    values = [one.f(one.matroid.chosen(state)) for state in product(*map(range, shape))]
    table = np.array(values).reshape(shape)
    found = theory.outcomes(one.space, table, range(2))
    local = theory.local_optimum(one.space, table)
    rows = bound.rows(one.space, table, found, theory.theorem_one(one.space, table, local))
    named = {row["what"]: row["value"] for row in rows}
    assert (named["optimum"], named["Greedy"], named["Theorem 1, raw"]) == (49, 32, -196)
    best = Attack(one.space, theory.table_goal(table), SEARCHES["exhaustive"]()).run()
    assert best.score == named["optimum"]
