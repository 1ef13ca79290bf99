"""Functions of sets: submodular, monotone, and their bound."""

from core import theory
from core.theory import sets
from core.theory.instances import INSTANCES
from core.theory.matroid import PartitionMatroid, SetStep, local_search


def stop(steps: list[SetStep]) -> SetStep:
    """The step at the local optimum."""
    (found,) = [step for step in steps if step.kind == "stop"]
    return found


def test_submodular_and_monotone_are_told_apart() -> None:
    cut = INSTANCES["cut"]
    values = sets.cube(cut.matroid, cut.f)
    assert sets.submodular(values)
    assert not sets.monotone(values)
    free = PartitionMatroid((("a", "b"), ("c",)), (2, 1))
    sizes = sets.cube(free, lambda chosen: float(len(chosen)))
    assert sets.submodular(sizes)
    assert sets.monotone(sizes)
    assert not sets.submodular(sets.cube(free, lambda chosen: float(len(chosen) ** 2)))


def test_where_corollary_one_applies_it_holds() -> None:
    cut = INSTANCES["cut"]
    bound = sets.set_bound(cut.matroid, cut.f, stop(list(local_search(cut.matroid, cut.f))).chosen)
    assert theory.corollary_one(bound)
    assert max(bound.f_local, bound.f_complement) >= bound.f_optimum / 3
