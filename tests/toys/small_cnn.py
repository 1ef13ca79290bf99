"""Small CNNs with random weights, and spaces over their few words."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
import torch

from core import SearchSpace
from core.prove import Claim, claim_about
from core.space import State
from core.victims.networks.forward import Forward
from core.victims.networks.single import CnnClassifier, TunedEmbedding
from core.victims.networks.word_kinds import CNN
from core.victims.neural import NeuralVictim
from core.victims.words import FIRST

WORDS = 8
SIZE = 3


@dataclass(frozen=True)
class Spelled:
    """Reads ``2`` as one id, ``2+5`` as two, and ``nil`` as none."""

    hidden_ids: tuple[int, ...] = (1,)

    def word_ids(self, word: str) -> tuple[int, ...]:
        return tuple(FIRST + int(part) for part in word.split("+") if part != "nil")

    def gap_ids(self, gap: str) -> tuple[int, ...]:
        return tuple(FIRST for mark in gap if mark == ",")

    def text_ids(self, text: str) -> list[int]:
        ids: list[int] = []
        for part in text.replace("[UNK]", " ? ").replace(",", " , ").split():
            ids += {"?": self.hidden_ids, ",": self.gap_ids(",")}.get(part) or self.word_ids(part)
        return ids


def network(seed: int, labels: int = 2, filters: int = 3, output: float = 1.0) -> CnnClassifier:
    """A CNN of the kind that victims have, with weights that are drawn; nothing is trained."""
    draw = torch.Generator().manual_seed(seed)
    vectors = torch.randn(FIRST + WORDS, SIZE, generator=draw)
    vectors[0] = 0
    embedding = TunedEmbedding(vectors, torch.tensor([1]))
    made = CnnClassifier(embedding, labels, filters=filters, dropout=0.0)
    with torch.no_grad():
        for name, part in made.named_parameters():
            if not name.startswith("embedding"):
                part.copy_(torch.randn(part.shape, generator=draw) * 0.7)
        for part in made.output.parameters():
            part.mul_(output)
    return made.eval().requires_grad_(False)


def cnn(seed: int, labels: int = 2, filters: int = 3, output: float = 1.0) -> NeuralVictim:
    """The same as a victim."""
    forward = Forward(network(seed, labels, filters, output), CNN)
    return NeuralVictim("small", tuple("abc"[:labels]), forward, Spelled())


def space_of(seed: int, words: int = 5, most: int = 3, moving: bool = True) -> SearchSpace:
    """Columns of words that are drawn; some are of several ids or none."""
    rng = np.random.default_rng(seed)
    known = [str(number) for number in range(WORDS)]
    odd = ["1+2", "3+0+4", "nil"] if moving else []
    columns = []
    for _ in range(words):
        first = rng.choice([*known, *odd[:1]], p=None)
        rest = [word for word in rng.permutation([*known, *odd]) if word != first]
        columns.append((str(first), *map(str, rest[: rng.integers(0, most + 1)])))
    gaps = ("", *(rng.choice([" ", ", "], p=[0.8, 0.2]) for _ in columns[1:]), "")
    return SearchSpace(tuple(columns), tuple(map(str, gaps)))


def claim_of(seed: int, labels: int = 2, words: int = 5, moving: bool = True) -> Claim:
    """A claim about what a small victim says of a small space's original."""
    victim, space = cnn(seed, labels), space_of(seed, words, moving=moving)
    label = int(victim.predict([space.text(space.origin)])[0].argmax())
    return claim_about(victim, space, label, max_changed=0.8)


def states(claim: Claim) -> Iterator[State]:
    """All that the claim speaks of."""
    for state in product(*(range(len(column)) for column in claim.space.choices)):
        if sum(choice > 0 for choice in state) <= claim.most:
            yield state


def fewest(claim: Claim) -> int | None:
    """The fewest changed words that flip, by asking about the text of every sentence."""
    every = list(states(claim))
    assert claim.victim is not None
    said = claim.victim.predict([claim.space.text(state) for state in every]).argmax(axis=1)
    flips = [
        sum(c > 0 for c in state)
        for state, at in zip(every, said, strict=True)
        if at != claim.label
    ]
    return min(flips, default=None)
