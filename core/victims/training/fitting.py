"""How a classifier learns: batches, hidden words, and a look at the stopping rows."""

import random
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor, nn

from core.generators import follow as follow_steps
from core.victims.networks.batching import padded
from core.victims.networks.kinds import NetworkKind, Reader
from core.victims.networks.registry import kind_of
from core.victims.recipes import Recipe
from core.victims.training import measure
from core.victims.training.batches import drawn
from core.victims.training.data import Example
from core.victims.training.loop import Check, Learned, Subject, learn
from core.victims.words import UNKNOWN


@dataclass(frozen=True)
class EncodedExample:
    ids: tuple[int, ...]
    context: tuple[int, ...]  # of the text that is read on its own beside it
    label: int
    soft: tuple[float, ...] = ()


def encode(examples: Sequence[Example], reader: Reader, recipe: Recipe) -> list[EncodedExample]:
    """Read all texts; of a long one, the beginning and the end are kept."""
    rows = []
    half, frame = recipe.max_length // 2, kind_of(recipe.network).frame
    for example in examples:
        start, end = frame(reader, example.context)
        ids = reader.text_ids(example.text)
        inner = ids if len(ids) <= recipe.max_length else [*ids[:half], *ids[-half:]]
        beside = () if start else tuple(reader.text_ids(example.context))
        rows.append(
            EncodedExample(
                (*start, *inner, *end) or (UNKNOWN,), beside, example.label, example.soft
            )
        )
    return rows


def epoch_batches(
    rows: Sequence[EncodedExample], size: int, rng: random.Random
) -> list[list[EncodedExample]]:
    """Batches in random order; rows of similar length share one."""
    return drawn(rows, size, rng, lambda row: len(row.ids))


def hide_words(ids: Tensor, share: float, generator: torch.Generator) -> Tensor:
    """Replace some ids by the unknown id, never the padding."""
    if not share:
        return ids
    chosen = torch.rand(ids.shape, generator=generator) < share
    return torch.where(chosen & (ids > UNKNOWN), UNKNOWN, ids)


Scorer: TypeAlias = Callable[[Sequence[EncodedExample], float, torch.Generator], Tensor]


def scorer_of(network: nn.Module, kind: NetworkKind) -> Scorer:
    """How training asks a network for the class scores of rows, with some words hidden."""
    if kind.training_scores is not None:
        whole = kind.training_scores(network)
        return lambda rows, share, generator: whole.scores([row.ids for row in rows])

    def scores(rows: Sequence[EncodedExample], share: float, generator: torch.Generator) -> Tensor:
        ids, lengths = padded([row.ids for row in rows])
        hidden = hide_words(ids, share, generator)
        read_premise = getattr(network, "premise", None)
        memory: tuple[Any, ...] = ()
        if read_premise is not None:
            premise, sizes = padded([row.context or (UNKNOWN,) for row in rows])
            memory = (read_premise(hide_words(premise, share, generator), sizes),)
        found: Tensor = network(hidden, lengths, *memory)
        return found

    return scores


def evaluate(network: nn.Module, scorer: Scorer, rows: Sequence[EncodedExample]) -> measure.Floats:
    """Class scores of all rows, in their order."""
    network.eval()
    order = sorted(range(len(rows)), key=lambda number: len(rows[number].ids))
    found = []
    with torch.inference_mode():
        for start in range(0, len(order), 64):
            part = [rows[number] for number in order[start : start + 64]]
            found.append(scorer(part, 0.0, torch.Generator()).numpy())
    return np.concatenate(found)[np.argsort(order)].astype(np.float64)


def fit(
    network: nn.Module,
    train: Sequence[EncodedExample],
    stop: Sequence[EncodedExample],
    recipe: Recipe,
    scorer: Scorer,
    say: Callable[[str], object],
) -> int:
    """Train until the stopping rows gain no more, keep the best numbers, return epochs used."""
    steps = fit_steps(network, train, stop, recipe, scorer)
    return follow_steps(steps, lambda check: say(check.message)).epochs


def fit_steps(
    network: nn.Module,
    train: Sequence[EncodedExample],
    stop: Sequence[EncodedExample],
    recipe: Recipe,
    scorer: Scorer,
    progress: Path | None = None,
) -> Generator[Check, None, Learned]:
    """The same, one check after the other."""
    generator = torch.Generator().manual_seed(recipe.seed)
    labels = np.array([row.label for row in stop])
    loss_of = nn.CrossEntropyLoss()

    def loss(batch: list[EncodedExample]) -> Tensor:
        scores = scorer(batch, recipe.word_dropout, generator).float()
        found: Tensor = loss_of(scores, targets(batch, scores.shape[1]))
        return found

    def look() -> tuple[float, str]:
        found = evaluate(network, scorer, stop)
        right = measure.accuracy(found, labels)
        return 1 - right + 0.1 * measure.log_loss(found, labels), f"{right:.4f}"

    steps = -(-len(train) // recipe.batch)
    batches = partial(epoch_batches, train, recipe.batch)
    return learn(network, Subject(steps, batches, loss, look), recipe, progress)


def targets(rows: Sequence[EncodedExample], classes: int) -> Tensor:
    """The probabilities that rows are to be given: all for their class, unless they say more."""
    sure = torch.eye(classes)
    return torch.stack([torch.tensor(row.soft) if row.soft else sure[row.label] for row in rows])
