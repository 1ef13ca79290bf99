"""A portfolio: when it ends, and the words of its members."""

import pytest

from core import SEARCHES, Attack, InputError, SearchSpace, function_goal
from core.search import finder
from core.search.portfolio import MEMBERS, Portfolio
from core.search.swift import Swift
from core.story import narrate
from core.theory.searches import endless
from tests.toys.spaces import logistic_case, random_case


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


def test_a_portfolio_goes_on_until_a_member_succeeds_within_the_limit() -> None:
    space, goal = logistic_case(1)
    quick = Attack(space, goal, Portfolio()).run()
    assert finder(Portfolio(), quick.steps) is Swift
    lost = Attack(space, endless(goal), Portfolio()).run()
    assert sum(step.kind == "start" for step in lost.steps) == len(MEMBERS)
    assert lost.score == max(step.current.score for step in lost.steps)
    for budget in (10, 30, 60):
        alone = Attack(space, goal, Swift(), budget).run()
        assert Attack(space, goal, Portfolio(), budget).run().success >= alone.success
