"""Chance and enumeration: their rules, and their words."""

from core.search.baselines import Exhaustive, RandomSearch
from core.story import narrate
from tests.toys.narrating import toy_trace
from tests.toys.topics import TWO, Values, run_two


def test_random_and_exhaustive_tell_their_batches() -> None:
    space, result = toy_trace("exhaustive", budget=1_500)
    story = narrate(space, result.steps, "exhaustive", result.status)
    assert story[1].sentence.startswith("1,024 sentences tried, 1,025 of 46,656 so far; the best")
    assert story[-2].sentence.startswith("The search ends because the budget was spent.")
    space, result = toy_trace("exhaustive", budget=3_000)  # the goal is reached on the way
    story = narrate(space, result.steps, "exhaustive", result.status)
    assert story[-2].sentence.startswith("The search ends because it was cut short.")
    space, result = toy_trace("random")
    story = narrate(space, result.steps, "random", result.status)
    assert story[1].sentence.startswith("20 sentences drawn at random; the best of them scores 0.")


def test_random_takes_the_first_success_of_a_batch() -> None:
    f: Values = {(0, 1): 1.0, (1, 1): 5.0, (2, 1): 9.0, (1, 0): 1.0, (2, 0): 1.0}
    result = run_two(f, RandomSearch(batch=50), reach=5.0)
    first = next(c for c in result.steps[1].tried if c.success)
    assert result.state == first.state


def test_exhaustive_goes_on_after_a_success() -> None:
    f: Values = {(0, 1): 5.0, (2, 1): 9.0}
    result = run_two(f, Exhaustive(batch=1), reach=5.0)
    assert (result.state, result.requests) == ((2, 1), TWO.size)
