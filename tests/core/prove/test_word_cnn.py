"""Proofs about CNNs over words are what asking about every sentence gives."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core import SUBSTITUTIONS, VICTIMS, SearchSpace
from core.prove import Effort, claim_about, prove, prover_of
from core.prove.convolution import CnnMargins
from core.prove.word_cnn import WordCnn
from tests.toys import small_cnn

SENTENCES = (
    "A charming and often very funny film",
    "The plot is dull and the cast looks bored",
    "It never quite finds its own voice",
    "A warm, honest and moving story about growing old",
)


@settings(max_examples=500, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([2, 2, 3]), st.integers(1, 5), st.booleans())
def test_small_networks_are_proved_as_asking_for_every_sentence_does(
    seed: int, labels: int, words: int, moving: bool
) -> None:
    claim = small_cnn.claim_of(seed, labels, words, moving)
    assert isinstance(prover_of(claim), WordCnn)
    proof, fewest = prove(claim), small_cnn.fewest(claim)
    assert proof.changed == fewest
    assert proof.verdict == ("proved" if fewest is None else "flip")
    assert proof.safe == (claim.most if fewest is None else fewest - 1)
    assert proof.minimal == (fewest is not None)
    assert proof.sentences == len(list(small_cnn.states(claim)))
    if proof.state is not None:
        assert claim.goal([proof.state]).successes[0]


@pytest.mark.parametrize("key", ["cnn-sst2", "cnn-mr", "wordcnn-ag", "cnn-imdb"])
def test_trained_victims_are_proved_as_asking_for_every_sentence_does(key: str) -> None:
    victim, substitution = VICTIMS[key](), SUBSTITUTIONS["embedding"]()
    verdicts = set()
    for text in SENTENCES:
        whole = SearchSpace.from_text(text, substitution)
        space = SearchSpace(tuple(c[:4] for c in whole.choices), whole.gaps)
        for max_changed in (0.2, 0.4):
            said = victim.labels[int(victim.predict([text])[0].argmax())]
            claim = claim_about(victim, space, said, max_changed)
            proof = prove(claim)
            assert proof.changed == small_cnn.fewest(claim)
            verdicts.add(proof.verdict)
    assert "open" not in verdicts


@pytest.mark.parametrize("label", [0, 1])
def test_a_tie_is_no_success(label: int) -> None:
    victim, space = small_cnn.cnn(3), small_cnn.space_of(3)
    network = victim.forward.network
    with torch.no_grad():
        network.get_parameter("output.weight")[1] = network.get_parameter("output.weight")[0]
        network.get_parameter("output.bias")[1] = network.get_parameter("output.bias")[0]
    proof = prove(claim_about(victim, space, label, 0.5))
    assert (proof.verdict, proof.changed) == ("proved", None)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_margins_as_small_as_rounding_are_left_to_the_victim(seed: int) -> None:
    victim, space = small_cnn.cnn(seed, output=1e-8), small_cnn.space_of(seed)
    network = victim.forward.network
    with torch.no_grad():  # so that the sums are much larger than what they differ in
        network.get_parameter("output.weight").add_(1.0)
    said = int(victim.predict([space.text(space.origin)])[0].argmax())
    claim = claim_about(victim, space, said, 0.6)
    assert prove(claim).changed == small_cnn.fewest(claim)


def test_what_no_time_is_left_for_is_open() -> None:
    claim = next(
        claim
        for claim in map(small_cnn.claim_of, range(50))
        if small_cnn.fewest(claim) is None and claim.most > 2
    )
    assert prove(claim, Effort(nodes=1)).verdict == "open"
    assert prove(claim, Effort(cancelled=lambda: True)).safe == -1
    assert prove(claim).verdict == "proved"


def test_margins_are_those_of_the_network() -> None:
    claim = small_cnn.claim_of(11, moving=False)
    prover = prover_of(claim)
    assert isinstance(prover, WordCnn)
    rest = next(prover.rests(2))
    margins: CnnMargins = prover.margins(rest, prover.rivals[0])
    every = np.arange(len(margins.words))
    after = margins.after((), every)
    assert claim.victim is not None
    for number in every.tolist():
        state = rest.after([number])
        row = claim.victim.predict([claim.space.text(state)])[0]
        told = float(np.log(row[claim.label] / row[1 - int(claim.label or 0)]))
        assert after[number] == pytest.approx(told, abs=1e-4)
        assert margins.bound((number,), every[:0], 0)[0] == pytest.approx(told, abs=1e-4)
