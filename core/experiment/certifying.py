"""Certified training: a word-CNN learns from the worst that a few swaps could do to each row."""

import random
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from core.errors import require
from core.space import SearchSpace
from core.substitutions.protocol import Substitution
from core.victims.networks.batching import padded
from core.victims.networks.kinds import Reader
from core.victims.networks.single import CnnClassifier
from core.victims.recipes import Recipe
from core.victims.training.certified import Changeable, Changes, worst_scores
from core.victims.training.data import Example
from core.victims.training.loop import Check, Learned, Subject, learn

MOST_ROWS: Final = 3_000  # that are learned from in an epoch
WORST: Final = 0.7  # of the loss, once it is warm; the rest is the usual one
WARM: Final = 0.5  # of the training; until then the worst counts more and more
SAFE: Final = 0.3  # what a row that is proved counts at a look, against one that is right


@dataclass(frozen=True)
class Certifying:
    """How a network is trained so that proofs succeed."""

    substitution: Substitution
    share: float  # of the words that may be changed

    def fit(
        self,
        network: torch.nn.Module,
        reader: Reader,
        train: Sequence[Example],
        stop: Sequence[Example],
        recipe: Recipe,
    ) -> Generator[Check, None, Learned]:
        """Train; one check after the other."""
        require(
            isinstance(network, CnnClassifier), "Only word-CNNs can be trained to be certified."
        )
        assert isinstance(network, CnnClassifier)
        chosen = random.Random(recipe.seed).sample(train, min(MOST_ROWS, len(train)))
        yield Check(0.0, f"looking up the substitutes of {len(chosen):,} rows")
        rows, looked = ([self.row(each, reader) for each in part] for part in (chosen, stop))
        steps = -(-len(rows) // recipe.batch)
        seen = 0

        def loss(batch: list[Changeable]) -> Tensor:
            nonlocal seen
            seen += 1
            warmth = min(1.0, seen / (WARM * recipe.epochs * steps))
            texts = Changes.of(batch)
            usual = cross_entropy(_scores(network, batch), texts.labels)
            worst = cross_entropy(worst_scores(network, texts), texts.labels)
            return (1 - WORST * warmth) * usual + WORST * warmth * worst

        def look() -> tuple[float, str]:
            right, safe = _shares(network, looked)
            return 1 - right + SAFE * (1 - safe), f"{right:.4f}, bound holds for {safe:.4f}"

        def batches(rng: random.Random) -> list[list[Changeable]]:
            return _batches(rows, recipe.batch, rng)

        return (yield from learn(network, Subject(steps, batches, loss, look), recipe))

    def row(self, example: Example, reader: Reader) -> Changeable:
        """A row with what each of its ids may become; words of several ids stay as they are."""
        space = SearchSpace.from_text(example.text, self.substitution)
        ids = list(reader.gap_ids(space.gaps[0]))
        others: list[tuple[int, ...]] = [()] * len(ids)
        for column, gap in zip(space.choices, space.gaps[1:], strict=True):
            own, *rest = map(reader.word_ids, column)
            single = {number for other in rest if len(other) == 1 for number in other}
            ids += own
            others += [tuple(sorted(single - set(own)))] if len(own) == 1 else [()] * len(own)
            behind = reader.gap_ids(gap)
            ids += behind
            others += [()] * len(behind)
        return Changeable(tuple(ids), tuple(others), space.allowed(self.share), example.label)


def _batches(rows: Sequence[Changeable], size: int, rng: random.Random) -> list[list[Changeable]]:
    """Batches of similar length in random order."""
    near = sorted(rng.sample(rows, len(rows)), key=lambda row: len(row.ids))
    found = [near[at : at + size] for at in range(0, len(near), size)]
    rng.shuffle(found)
    return found


def _scores(network: CnnClassifier, rows: Sequence[Changeable]) -> Tensor:
    found: Tensor = network(*padded([row.ids for row in rows]))
    return found


def _shares(network: CnnClassifier, rows: Sequence[Changeable]) -> tuple[float, float]:
    """How many rows are right, and for how many the bound says that they stay so."""
    network.eval()
    right = safe = 0
    with torch.inference_mode():
        for batch in _batches(rows, 64, random.Random(0)):
            texts = Changes.of(batch)
            right += int((_scores(network, batch).argmax(dim=1) == texts.labels).sum())
            worst = worst_scores(network, texts)
            worst.scatter_(1, texts.labels[:, None], -torch.inf)
            safe += int((worst.amax(dim=1) < 0).sum())
    return right / len(rows), safe / len(rows)
