"""Set functions by name, and those that a link brings."""

from dataclasses import replace

import pytest

from core import SEARCHES, Attack, InputError
from core.goals import task_goal
from core.theory import sets
from core.theory.instances import INSTANCES, Instance, parse, written
from core.theory.matroid import PartitionMatroid
from tests.toys import cases

ORACLE = {
    "exchange": cases.E1,
    "deletion": cases.E2,
    "complement": cases.E3,
    "ties": cases.E4,
    "four": cases.E5,
    "additive": cases.E6,
    "stuck": cases.E7,
    "goal": cases.E8,
}
ONE_EACH = [key for key, one in INSTANCES.items() if set(one.matroid.limits) == {1}]


@pytest.mark.parametrize("key", ORACLE)
def test_the_instances_are_those_of_the_oracle(key: str) -> None:
    one, case = INSTANCES[key], ORACLE[key]
    assert [list(block) for block in one.matroid.blocks] == case.blocks
    assert one.hidden == case.hidden
    values = {state: one.f(one.matroid.chosen(state)) for state in case.values}
    assert values == case.values


@pytest.mark.parametrize("key", ["ls", "sbgs", "ibgs", "pso"])
def test_an_instance_is_attacked_like_a_sentence(key: str) -> None:
    one = INSTANCES["goal"]
    goal = task_goal(one.victim, one.space, "above", (), "50")
    result = Attack(one.space, goal, SEARCHES[key](), max_changed=1.0).run()
    assert result.score == one.f(one.matroid.chosen(result.state))
    assert result.success == (result.score > 50)


def test_an_instance_that_does_not_fit_is_refused() -> None:
    two = PartitionMatroid((("a", "b"),), (2,))
    with pytest.raises(InputError, match=r"The set \{a\} has no value"):
        Instance("", "", two, {frozenset(): 1.0})
    one = PartitionMatroid((("a",),), (1,))
    with pytest.raises(InputError, match="between 0 and 100"):
        Instance("", "", one, {frozenset(): 1.0, frozenset({"a"}): 101.0})
    with pytest.raises(InputError, match="limit 1"):
        two.space()
    with pytest.raises(InputError, match="between 1 and 1"):
        PartitionMatroid((("a",),), (2,))
    with pytest.raises(InputError, match="only once"):
        PartitionMatroid((("a",), ("a",)), (1, 1))
    many = PartitionMatroid(tuple((f"x{n}",) for n in range(15)), (1,) * 15)
    with pytest.raises(InputError, match="15 elements and the limit is 14"):
        sets.cube(many, lambda chosen: 0.0)


@pytest.mark.parametrize("key", ONE_EACH)
def test_an_instance_is_read_as_it_was_written(key: str) -> None:
    assert parse(written(INSTANCES[key])) is INSTANCES[key]
    one = INSTANCES[key]
    other = replace(one, values=dict.fromkeys(one.values, 1.0), goal=7.0)
    assert (parse(written(other)).values, parse(written(other)).goal) == (other.values, 7)


def test_a_link_of_before_finds_the_instance_with_its_goal() -> None:
    line = written(INSTANCES["goal"])
    assert line.endswith(">50")
    assert parse(line.removesuffix(">50")) is INSTANCES["goal"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "no set function"),
        ("a|b=1 2 x 4", "no set function"),
        ("a|=1 2", "limit of block 2"),
        ("a|b=1 2 3", "4 feasible sets and 3 values"),
        ("a|a=1 2 3 4", "only once"),
        ("a|b=1 2 3 nan", "between 0 and 100"),
        ("a|b=1 2 3 4>x", "no set function"),
        ("a|b=1 2 3 4>101", "goal must lie"),
    ],
)
def test_a_broken_link_is_refused(line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse(line)
