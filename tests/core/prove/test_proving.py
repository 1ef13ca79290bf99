"""Claims and proofs about any victim: enumeration, efforts, what is known before."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core import InputError, SearchSpace
from core.options import Choice
from core.prove import Claim, Effort, claim_about, claim_of, prove, prover_of, proving
from core.prove.enumeration import BATCH, Enumeration
from core.spec import AttackSpec
from core.substitutions import toy as toy_words
from core.victims import toy
from tests.toys.spaces import TEXT, random_case


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 5))
def test_enumeration_finds_the_fewest_words_of_any_goal(seed: int, most: int) -> None:
    space, goal = random_case(seed)
    claim = Claim(space, goal, min(most, len(space.choices)))
    proof = prove(claim)
    every = [
        state
        for state in np.ndindex(*(len(column) for column in space.choices))
        if np.count_nonzero(state) <= claim.most
    ]
    reached = goal(every).successes
    flips = [np.count_nonzero(state) for state, found in zip(every, reached, strict=True) if found]
    assert proof.changed == min(flips, default=None)
    assert proof.sentences == len(every)
    assert proof.verdict == ("flip" if flips else "proved")


def test_it_asks_about_every_sentence_once_and_says_the_number_before() -> None:
    asked: list[str] = []

    class Sure:
        labels = ("yes", "no")

        def predict(self, texts: Sequence[str]) -> NDArray[np.float64]:
            asked.extend(texts)
            return np.tile([0.9, 0.1], (len(texts), 1))

    space = SearchSpace.from_choices([["a", "b", "c"], ["d"], ["e", "f"], ["g", "h", "i"]])
    claim = claim_about(Sure(), space, "yes", 0.5)
    assert isinstance(prover_of(claim), Enumeration)
    assert claim.counts == (1, 5, 8)
    proof = prove(claim)
    assert (proof.verdict, proof.safe) == ("proved", 2)
    assert len(asked) == len(set(asked)) == proof.nodes == claim.sentences == 14


def test_a_goal_that_is_reached_already_takes_no_words() -> None:
    space = SearchSpace.from_text(TEXT, toy_words.load())
    proof = prove(claim_about(toy.load(), space, "negative"))
    assert (proof.verdict, proof.changed, proof.minimal) == ("flip", 0, True)


def test_what_is_known_before_is_only_made_smaller() -> None:
    space = SearchSpace.from_text(TEXT, toy_words.load())
    claim = claim_about(toy.load(), space, "positive", 0.5)
    fewest = prove(claim)
    assert fewest.minimal
    assert fewest.state is not None
    again = prove(claim, known=fewest.state)
    assert (again.state, again.safe) == (fewest.state, fewest.safe)
    short = prove(claim, Effort(nodes=1), known=fewest.state)
    assert (short.verdict, short.minimal, short.safe) == ("flip", False, -1)
    with pytest.raises(InputError, match="does not reach"):
        prove(claim, known=space.origin)
    with pytest.raises(InputError, match="more words"):
        prove(Claim(space, claim.goal, 1), known=fewest.state)


def test_every_step_tells_how_far_it_is() -> None:
    space = SearchSpace.from_text(TEXT, toy_words.load())
    claim = claim_about(toy.load(), space, "positive", 0.2)
    steps = list(proving(claim))
    assert [step.words for step in steps] == sorted(step.words for step in steps)
    assert all(step.safe == step.words - 1 for step in steps)
    nodes = [step.nodes for step in steps]
    assert nodes == sorted(nodes)
    assert all(step.look.sentences <= BATCH for step in steps)
    assert prove(claim).nodes >= nodes[-1]


@pytest.mark.parametrize("effort", [{"seconds": 0}, {"seconds": float("nan")}, {"nodes": 0}])
def test_no_effort_is_refused(effort: dict[str, float]) -> None:
    with pytest.raises(InputError):
        Effort(**effort)  # type: ignore[arg-type]


def test_a_claim_from_an_attack_keeps_its_goal_and_limit() -> None:
    text, victim = TEXT, toy.load()
    choices = Choice("toy"), Choice("ls")
    away = AttackSpec(text, "toy", *choices, reference=("positive",), max_changed=0.5)
    towards = AttackSpec(
        text, "toy", *choices, reference=("positive",), target="negative", max_changed=0.5
    )
    space = away.space(toy_words.load())
    one, other = claim_of(away, victim, space), claim_of(towards, victim, space)
    assert one.label == victim.labels.index("positive")
    assert one.most == other.most == space.allowed(0.5)
    assert prove(one).changed == prove(other).changed
    with pytest.raises(InputError, match="max_changed"):
        claim_about(victim, space, "positive", 1.5)
