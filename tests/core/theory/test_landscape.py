"""Landscapes, trimmed spaces, searches on a table, and the bounds compared."""

import gzip
import os
import re
from collections import Counter
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

from core import SEARCHES, Attack, InputError, SearchSpace, State, function_goal, theory
from core.search.local import LocalSearch
from core.theory.submodular import Element
from tests.toys.cases import E1, E7, Case, E
from tests.toys.places import ROOT


def table_of(case: Case) -> np.ndarray:
    return theory.tabulate(case.space, function_goal(case.f))


def ascend(space: SearchSpace, table: np.ndarray, state: State) -> State:
    """Steepest ascent by hand: the first of the best neighbours, as long as it is better."""
    while True:
        best = max(space.neighbours(state), key=lambda other: table[other], default=state)
        if not table[best] > table[state] + 1e-10:
            return state
        state = best


@pytest.mark.parametrize("name", E)
def test_basins_equal_steepest_ascent_from_every_sentence(name: str) -> None:
    space, table = E[name].space, table_of(E[name])
    ends = Counter(ascend(space, table, state) for state in np.ndindex(*table.shape))
    land = theory.landscape(table)
    assert {o.state: round(o.basin * table.size) for o in land.optima} == ends
    assert [o.value for o in land.optima] == sorted((o.value for o in land.optima), reverse=True)
    assert sum(o.basin for o in land.optima) == pytest.approx(1.0)


def test_basins_with_ties_follow_the_order_of_a_sweep() -> None:
    rng = Random(3)
    for _ in range(60):
        counts = [rng.randint(0, 3) for _ in range(rng.randint(1, 4))]
        space = SearchSpace.from_choices(
            [f"{i}-{j}" for j in range(n + 1)] for i, n in enumerate(counts)
        )
        table = np.array([float(rng.randint(0, 3)) for _ in range(space.size)])
        table = table.reshape([n + 1 for n in counts])
        land = theory.landscape(table)
        for place, state in enumerate(np.ndindex(*table.shape)):
            end = np.unravel_index(land.summit[place], table.shape)
            assert tuple(map(int, end)) == ascend(space, table, state)
            assert land.changed[place] == sum(map(bool, state))


@pytest.mark.parametrize("name", E)
def test_the_path_from_the_original_is_local_search(name: str) -> None:
    space, table = E[name].space, table_of(E[name])
    steps = Attack(space, theory.table_goal(table), LocalSearch(complement=False)).run().steps
    kinds = ("start", "insert", "delete", "exchange")
    path = tuple(step.current.state for step in steps if step.kind in kinds)
    assert theory.landscape(table).path(space.origin) == path
    assert theory.local_optimum(space, table) == path[-1]


def test_a_plateau_counts_as_local_optima() -> None:
    top, *others = theory.landscape(table_of(E7)).optima
    assert (E7.words(top.state), top.value) == ("a2 b2 c2", 100)
    flat = {E7.state(f"a1 {b} {c}") for b, c in product(["", "b1", "b3"], ["", "c1", "c3"])}
    assert {o.state for o in others} == flat
    assert {o.value for o in others} == {35}


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
        goal = function_goal(E1.f)
        again = Attack(space, goal, SEARCHES[one.search](), seed=one.seed or 0).run()
        assert (again.state, again.score, again.queries) == (one.state, one.value, one.queries)
    seen = theory.visits(found[2].steps)
    assert len(seen) == found[2].queries
    assert tuple(found[2].state) in set(map(tuple, seen.tolist()))


def test_a_trimmed_space_keeps_the_first_substitutes() -> None:
    space = SearchSpace.from_choices([["a", "a1", "a2", "a3"], ["b"], ["c", "c1"], ["d", "d1"]])
    small = theory.trimmed(space, 2)
    assert small.choices == (("a", "a1", "a2"), ("b",), ("c", "c1"), ("d", "d1"))
    assert small.gaps == space.gaps
    assert theory.trimmed(space, 3, words=2).size == 4 * 2
    assert theory.trimmed(space, 9) == space
    assert theory.trimmed(space, 0).size == 1


def test_a_check_tells_how_far_it_is_and_can_be_left() -> None:
    asked: list[State] = []

    def f(state: State) -> float:
        asked.append(state)
        return 0.0

    space = SearchSpace.from_choices([[f"{i}-{j}" for j in range(6)] for i in range(12)])
    total = 1 + space.elements + theory.pairs_of(space)
    assert (space.elements, theory.pairs_of(space)) == (60, 66 * 25)
    steps = theory.submodularity_steps(space, function_goal(f))
    first = next(steps)
    assert first == (len(asked), total, "queries")
    assert 0 < first.done < total
    steps.close()
    assert len(asked) == first.done
    *_, last = theory.submodularity_steps(space, function_goal(f))
    assert last == (total, total, "queries")
    assert len(set(asked)) == total
    with pytest.raises(InputError, match="1,650 pairs of substitutes and the limit is 1,649"):
        next(theory.submodularity_steps(space, function_goal(f), limit=1_649))


def test_a_table_tells_how_far_it_is() -> None:
    space = SearchSpace.from_choices([["a", "b", "c"] for _ in range(6)])
    done = list(theory.tabulate_steps(space, function_goal(lambda state: 0.0)))
    assert [one.total for one in done] == [729] * len(done)
    assert len(done) > 1
    assert done[-1].done == 729


def test_the_bound_tells_how_far_it_is() -> None:
    space, table = E7.space, table_of(E7)
    told = list(theory.outcomes_steps(space, table, range(2)))
    assert told == [(number, 6, "searches") for number in range(1, 7)]
    told = list(theory.theorem_one_steps(space, table, E7.state("a1 b1")))
    assert told == [(number, 4, "subsets of S") for number in range(1, 5)]


@pytest.mark.parametrize("seed", range(6))
def test_gaps_and_falls_are_those_of_the_definitions(seed: int) -> None:
    rng = Random(seed)
    space = SearchSpace.from_choices([["a", "a1", "a2"], ["b", "b1"], ["c", "c1", "c2"]])
    values: dict[State, float]
    values = {state: rng.random() for state in product(range(3), range(2), range(3))}
    found = theory.submodularity(space, function_goal(values.__getitem__))
    elements = [(0, 1), (0, 2), (1, 1), (2, 1), (2, 2)]

    def f(*chosen: tuple[int, int]) -> float:
        return values[tuple(dict(chosen).get(i, 0) for i in range(3))]

    pairs = [(y, e) for y in elements for e in elements if y < e and y[0] != e[0]]
    gaps = [f(y, e) - f(y) - (f(e) - f()) for y, e in pairs]
    assert found.gaps == pytest.approx(gaps)
    above = sorted((gap for gap in gaps if gap > 0), reverse=True)
    assert [one.gap for one in found.violations] == pytest.approx(above)
    assert (found.count, found.holds) == (len(above), not above)
    for one in found.worst(1):
        assert values[theory.state_of(space, one.y, one.e)] == one.f_both
    falls: dict[tuple[Element, Element | None], float]
    falls = {(e, None): f() - f(e) for e in elements}
    falls |= {(e, y): f(y) - f(y, e) for y in elements for e in elements if y[0] != e[0]}
    assert found.drops == sum(fall > 0 for fall in falls.values())
    drop = found.worst_drop
    assert drop is not None
    assert falls[drop.e, drop.y] == max(falls.values())
    assert drop.before - drop.after == pytest.approx(max(falls.values()))


def test_the_worst_drop_may_be_the_first_step_or_none() -> None:
    space = SearchSpace.from_choices([["a", "a1"], ["b", "b1"]])
    values: dict[State, float] = {(0, 0): 9.0, (1, 0): 1.0, (0, 1): 8.0, (1, 1): 1.0}
    drop = theory.submodularity(space, function_goal(values.__getitem__)).worst_drop
    assert drop == theory.Drop((0, 1), None, 9.0, 1.0)
    rising = theory.submodularity(space, function_goal(lambda state: float(sum(state))))
    assert (rising.drops, rising.worst_drop) == (0, None)


@pytest.mark.parametrize(("ours", "least"), [(1 / 3, 3), (1 / 2, 2)])
def test_the_statements_of_figure_two_hold_but_for_the_corner(ours: float, least: int) -> None:
    statement = theory.check(ours, least)
    assert statement.holds
    assert not statement.strict  # equal at α = 0 and the smallest d
    assert (statement.largest, statement.alpha, statement.d) == (0.0, 0.0, least)
    assert not theory.check(ours, least - 1).holds
    assert not theory.check(ours, least + 1).holds  # a smaller d would do
    assert theory.check(ours, least + 1).strict


def test_the_earlier_bound_is_the_formula() -> None:
    assert theory.greedy_bound(0.0, 4) == 0.25
    assert theory.greedy_bound(1e-9, 4) == pytest.approx(0.25)
    assert theory.greedy_bound(2.0, 3) == pytest.approx((1 - np.exp(-2 / 3)) / 2)
    assert theory.difference(2.0, 3, 1 / 3) == pytest.approx((1 - np.exp(-2 / 3)) / 2 - 1 / 3)
    with pytest.raises(InputError, match="above 0"):
        theory.greedy_bound(1.0, 0.0)


DATA = Path(os.environ.get("SWAPSCOPE_DATA") or ROOT.parent / "shared/data")
LOGS = {
    "subm_check_imdb_log.txt.gz": 152,
    "subm_check_sst2_log.txt.gz": 199,
    "submodular_check_agnews_log.txt.gz": 101,
}
NUMBER = r"(-?\d+\.\d+)"
VALUES = re.compile(
    rf"F\(X\) = {NUMBER}, F\(Y\) = {NUMBER}, F\(Xe\) = {NUMBER}, F\(Ye\) = {NUMBER}\s+"
    rf"F\(Xe\) - F\(X\) = {NUMBER} < F\(Ye\) - F\(Y\) = {NUMBER}"
)


@pytest.mark.parametrize("name", LOGS)
def test_the_violations_that_the_paper_logged_are_violations(name: str) -> None:
    path = DATA / "submodularity_logs" / name
    if not path.is_file():
        pytest.skip("the paper's logs are not here; SWAPSCOPE_DATA names the folder of the data")
    text = gzip.decompress(path.read_bytes()).decode("utf-8", errors="replace")
    found = [list(map(float, row)) for row in VALUES.findall(text)]
    assert len(found) == LOGS[name]
    for f_x, f_y, f_xe, f_ye, left, right in found:
        assert left < right
        # Four digits were printed: each value may be off by half a digit, each difference too.
        assert left == pytest.approx(f_xe - f_x, abs=1.51e-4)
        assert right == pytest.approx(f_ye - f_y, abs=1.51e-4)
        witness = theory.Violation((1, 1), (0, 1), f_x, f_xe, f_y, f_ye)
        assert witness.gap == pytest.approx(right - left, abs=3.1e-4)
