"""The highest score is the highest of all sentences."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.prove import Effort, optimum
from tests.toys import small_cnn


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([2, 2, 3]))
def test_no_sentence_of_a_small_space_scores_more(seed: int, labels: int) -> None:
    claim = small_cnn.claim_of(seed, labels, words=4)
    scores = claim.goal(list(small_cnn.states(claim))).scores
    found = optimum(claim)
    assert found.certain
    assert found.best.score == pytest.approx(scores.max(), abs=1e-6)


def test_without_time_it_is_not_certain() -> None:
    claim = small_cnn.claim_of(1, words=5)
    assert not optimum(claim, Effort(nodes=1)).certain
    assert optimum(claim, Effort(nodes=1)).best.score <= optimum(claim).best.score


@pytest.mark.parametrize("seed", range(5))
def test_it_looks_at_few_sentences(seed: int) -> None:
    claim = small_cnn.claim_of(seed, words=5, moving=False)
    asked: list[int] = []

    def ask(prepared: Any) -> Any:
        asked.append(len(prepared))
        return claim.goal.ask(prepared)

    assert optimum(replace(claim, goal=replace(claim.goal, ask=ask))).certain
    assert sum(asked) < claim.sentences
