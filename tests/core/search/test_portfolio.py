"""A portfolio in the words of its members."""

import pytest

from core import SEARCHES, Attack, InputError, SearchSpace, function_goal
from core.story import narrate
from core.theory.searches import endless
from tests.toys.spaces import random_case


def test_a_portfolio_is_told_by_its_members() -> None:
    space, goal = random_case(2)
    result = Attack(space, endless(goal), SEARCHES["portfolio"]()).run()
    story = narrate(space, result.steps, "portfolio", result.status)
    titles = [one.sentence.partition(".")[0] for one in story if one.step.kind == "start"]
    assert titles == ["Swift", "Local search", "PSO+LS"]
    alone = Attack(space, endless(goal), SEARCHES["swift"]()).run()
    first = narrate(space, alone.steps, "swift", alone.status)[:-1]
    assert [f"Swift. {one.sentence}" for one in first] == [o.sentence for o in story[: len(first)]]
    assert story[-1].sentence.startswith("The answer: ")
    assert all(one.lines for one in story)
    for wrong in (alone.steps, Attack(space, goal, SEARCHES["ga"]()).run().steps):
        with pytest.raises(InputError, match="not the steps of"):
            narrate(space, wrong, "portfolio", "failed")


def test_a_member_that_succeeds_beyond_the_limit_says_so_before_the_next_begins() -> None:
    space = SearchSpace.from_choices([[f"{i}", f"{i}a"] for i in range(8)])
    goal = function_goal(lambda state: sum(state) / 8, lambda value: value > 0.4)  # four words
    result = Attack(space, goal, SEARCHES["portfolio"]()).run()
    story = narrate(space, result.steps, "portfolio", result.status)
    second = [one.step.kind for one in story].index("start", 1)
    assert story[second - 1].sentence.startswith("Swift. No sentence within the limit succeeded")
    assert result.status == "over_limit"
