"""Chance and enumeration in words."""

from core.story import narrate
from tests.toys.narrating import toy_trace


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
