"""The ladder: the strictest level at which a victim falls, and what that says."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from core import InputError, ladder
from core.generators import follow
from core.options import Choice
from core.spec import AttackSpec

TEXT = "The kids enjoyed a film that was essentially an ingenious and honest love story for all."


class Watchful:
    """Calls a text negative when it has the word."""

    labels = ("negative", "positive")

    def __init__(self, word: str) -> None:
        self.word = word
        self.asked: list[str] = []

    def predict(self, texts: Sequence[str]) -> NDArray[np.float64]:
        self.asked += texts
        found = np.array([0.9 if self.word in text.split() else 0.2 for text in texts])
        return np.stack([found, 1 - found], axis=1)


def spec(**changes: object) -> AttackSpec:
    parts = {"text": TEXT, "victim": "toy", "substitution": Choice("plausible")}
    return AttackSpec(**{**parts, "search": Choice("greedy"), **changes})  # type: ignore[arg-type]


def fall_of(victim: Watchful, most: int = ladder.ANY, **changes: object) -> ladder.Fall:
    return follow(ladder.climb(spec(**changes), victim, most), lambda _: None)


@pytest.mark.parametrize(
    ("word", "level", "verdict"),
    [
        ("movie", 1, "The model falls to harmless words."),
        ("relished", 3, "The model falls only to words"),
        ("nowhere", None, "The model stands up to level 4 (any)"),
    ],
)
def test_the_strictest_level_at_which_it_falls(word: str, level: int | None, verdict: str) -> None:
    fall = fall_of(Watchful(word))
    assert fall.levels == tuple(range(1, (level or ladder.ANY) + 1))
    assert fall.level == level
    assert fall.verdict.startswith(verdict)
    assert [trace.result.success for trace in fall.traces[:-1]] == [False] * (len(fall.levels) - 1)
    if level is not None:
        last = fall.traces[-1]
        assert word in last.result.text
        assert ladder.loosest(last.space, last.result.state) == level
        assert AttackSpec.of_trace(last).substitution == ladder.at_level(Choice("plausible"), level)


def test_the_loosest_level_allowed_is_the_last() -> None:
    fall = fall_of(Watchful("nowhere"), most=2)
    assert fall.levels == (1, 2)
    assert fall.verdict.startswith("The model stands up to level 2 (close)")


def test_queries_are_the_distinct_texts_of_all_levels() -> None:
    victim = Watchful("nowhere")
    fall = fall_of(victim, most=2)
    assert fall.queries == len(set(victim.asked))
    assert fall.queries < sum(trace.result.queries for trace in fall.traces)


def test_a_budget_is_for_all_levels_together() -> None:
    fall = fall_of(Watchful("nowhere"), budget=20)
    assert fall.queries <= 20
    assert fall.traces[-1].result.status == "budget"


def test_what_is_reached_without_a_change_is_not_attacked() -> None:
    fall = fall_of(Watchful("film"), reference=("positive",))
    assert (fall.levels, fall.level) == ((1,), None)
    assert fall.verdict.startswith("Nothing to attack")


def test_levels_of_substitutions() -> None:
    assert ladder.level_of(Choice("plausible")) == 2
    assert ladder.level_of(Choice("plausible", ("level=1",))) == 1
    assert ladder.level_of(Choice("sememe")) == ladder.ANY
    any_words = ladder.at_level(Choice("plausible", (), ("at-most=3",)), ladder.ANY)
    assert any_words == Choice("embedding", (), ("at-most=3",))
    assert ladder.at_level(Choice("sememe"), ladder.ANY) == Choice("sememe")
    with pytest.raises(InputError, match="The level is one of"):
        ladder.at_level(Choice("plausible"), 5)
