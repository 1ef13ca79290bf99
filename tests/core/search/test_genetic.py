"""The genetic algorithm in words."""

from core.story import narrate
from tests.toys.narrating import toy_trace


def test_a_genetic_algorithm_is_counted_right() -> None:
    space, result = toy_trace("ga", seed=1)
    story = narrate(space, result.steps, "ga", result.status)
    for number, step in enumerate(result.steps):
        if step.kind != "generation":
            continue
        old = max(one.score for one in result.steps[number - 1].frontier)
        better = sum(one.score > old for one in step.frontier)
        words = story[number].sentence
        assert words.startswith("59 children bred, ")
        assert f"; {better or 'none'} beat the elite." in words
        assert f"with {len({one.state for one in step.frontier})} different sentences" in words
    assert story[1].sentence.startswith("60 members start from the original, each with one word")
