"""The value of every sentence in one table."""

import pytest

from core import InputError, SearchSpace, function_goal, theory
from tests.toys.cases import E7


def test_enumeration_refuses_a_large_space() -> None:
    with pytest.raises(InputError, match="64 sentences and the limit is 63"):
        theory.tabulate(E7.space, function_goal(E7.f), limit=63)


def test_a_table_has_at_most_64_words() -> None:
    space = SearchSpace.from_choices([[f"{i}"] for i in range(65)])
    with pytest.raises(InputError, match="64 words"):
        theory.tabulate(space, function_goal(lambda state: 0.0))


def test_a_table_tells_how_far_it_is() -> None:
    space = SearchSpace.from_choices([["a", "b", "c"] for _ in range(6)])
    done = list(theory.tabulate_steps(space, function_goal(lambda state: 0.0)))
    assert [one.total for one in done] == [729] * len(done)
    assert len(done) > 1
    assert done[-1].done == 729
