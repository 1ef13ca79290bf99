"""Searches on a table."""

from dataclasses import replace
from itertools import product

from core import SEARCHES, Attack, function_goal, theory
from core.theory.table import table_goal
from tests.toys.cases import E1
from tests.toys.tables import table_of


def test_searches_on_a_table_run_to_their_end() -> None:
    space, table = E1.space, table_of(E1)
    found = theory.outcomes(space, table, seeds=range(3))
    assert [(o.search, o.seed) for o in found] == [
        ("ls", None),
        ("greedy", None),
        *((name, seed) for name, seed in product(("pso", "ga"), range(3))),
    ]
    assert (found[0].value, found[0].queries, found[1].value) == (49, 20, 32)
    for one in found:
        goal = replace(function_goal(E1.f), measure=table_goal(table).measure)
        again = Attack(space, goal, SEARCHES[one.search](), seed=one.seed or 0).run()
        assert (again.state, again.score, again.queries) == (one.state, one.value, one.queries)
    seen = theory.visits(found[2].steps)
    assert len(seen) == found[2].queries
    assert tuple(found[2].state) in set(map(tuple, seen.tolist()))
