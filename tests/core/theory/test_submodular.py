"""Whether a function is submodular, and the pairs that violate it."""

import gzip
import os
import re
from itertools import product
from pathlib import Path
from random import Random

import pytest

from core import InputError, SearchSpace, State, function_goal, theory
from core.theory.submodular import Element
from tests.toys.cases import E1, E7
from tests.toys.places import ROOT


def test_the_papers_example_violates_submodularity() -> None:
    space = SearchSpace.from_choices([["movie", "cinema"], ["have", "get"]])
    values: dict[State, float]
    values = {(0, 0): 2.432e-5, (0, 1): 2.724e-5, (1, 0): 2.664e-5, (1, 1): 3.141e-5}
    found = theory.submodularity(space, function_goal(values.__getitem__), tolerance=0.0)
    assert (found.pairs, found.holds) == (1, False)
    (witness,) = found.violations
    assert (witness.y, witness.e) == ((0, 1), (1, 1))
    assert witness.f_e - witness.f_empty == pytest.approx(2.92e-6)
    assert witness.f_both - witness.f_y == pytest.approx(4.77e-6)
    assert witness.gap == pytest.approx(1.85e-6)


def test_violations_are_the_pairs_that_gain_from_each_other() -> None:
    found = theory.submodularity(E1.space, function_goal(E1.f))
    assert found.pairs == 11
    assert [(v.y, v.e, v.gap) for v in found.violations] == [((0, 2), (1, 1), 15)]
    assert theory.submodularity(E7.space, function_goal(E7.f)).holds


def test_submodularity_is_judged_with_a_tolerance() -> None:
    space = SearchSpace.from_choices([["a", "a1"], ["b", "b1"], ["c", "c1"]])
    weights = (0.1, 0.2, 0.3)
    goal = function_goal(lambda state: sum(w for w, j in zip(weights, state, strict=True) if j))
    bound = theory.theorem_one(space, theory.tabulate(space, goal), (1, 1, 1))
    assert bound.submodular
    assert theory.submodularity(space, goal).holds


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
