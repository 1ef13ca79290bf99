"""The training loop: batches, hidden words, a falling rate, and stopping in time."""

import random
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor, nn

from core.generators import follow as follow_steps
from core.victims.networks.batching import padded
from core.victims.networks.kinds import NetworkKind, Reader
from core.victims.networks.registry import kind_of
from core.victims.networks.weights import learned
from core.victims.recipes import Recipe
from core.victims.training import measure
from core.victims.training.data import Example
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
    """Batches in random order; rows of similar length share one, which saves padding."""
    shuffled = rng.sample(rows, len(rows))
    pool = size * 50
    result = []
    for start in range(0, len(shuffled), pool):
        near = sorted(shuffled[start : start + pool], key=lambda row: len(row.ids))
        result += [near[at : at + size] for at in range(0, len(near), size)]
    rng.shuffle(result)
    return result


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


@dataclass(frozen=True)
class Check:
    """A look at the stopping rows: how much of the longest training is done, and how it goes."""

    done: float
    message: str


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
    return follow_steps(steps, lambda check: say(check.message))


def fit_steps(
    network: nn.Module,
    train: Sequence[EncodedExample],
    stop: Sequence[EncodedExample],
    recipe: Recipe,
    scorer: Scorer,
) -> Generator[Check, None, int]:
    """The same, one check after the other."""
    rng = random.Random(recipe.seed)
    generator = torch.Generator().manual_seed(recipe.seed)
    tuned = [p for p in network.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(tuned, lr=recipe.rate, weight_decay=recipe.decay)
    steps = recipe.epochs * -(-len(train) // recipe.batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda at: rate_at(at, steps))
    labels = np.array([row.label for row in stop])
    mean = learned(network)  # a running mean of the last steps makes fewer mistakes than the last
    best, best_loss, waited, began = mean, float("inf"), 0, time.monotonic()
    loss_of = nn.CrossEntropyLoss()
    for epoch in range(1, recipe.epochs + 1):
        epoch_steps = epoch_batches(train, recipe.batch, rng)
        checks = {len(epoch_steps) * part // recipe.checks for part in range(1, recipe.checks + 1)}
        total = 0.0
        for number, batch in enumerate(epoch_steps, start=1):
            network.train()
            with torch.autocast("cpu", torch.bfloat16, enabled=recipe.bfloat16):
                scores = scorer(batch, recipe.word_dropout, generator).float()
            loss = loss_of(scores, targets(batch, scores.shape[1]))
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(tuned, 2.0)
            optimiser.step()
            schedule.step()
            total += loss.item()
            follow(mean, network, recipe.mean_keeps)
            if number not in checks:
                continue
            last = learned(network)
            network.load_state_dict(mean, strict=False)
            found = evaluate(network, scorer, stop)
            network.load_state_dict(last, strict=False)
            right = measure.accuracy(found, labels)
            checked = 1 - right + 0.1 * measure.log_loss(found, labels)
            waited = 0 if checked < best_loss else waited + 1
            if not waited:
                best, best_loss = {name: part.clone() for name, part in mean.items()}, checked
            part = number / len(epoch_steps)
            yield Check(
                (epoch - 1 + part) / recipe.epochs,
                f"epoch {epoch} {part:.0%} loss {total / number:.4f} "
                f"stop {right:.4f} {'*' if not waited else ' '} "
                f"{(time.monotonic() - began) / 60:.1f} min",
            )
            if waited >= recipe.patience:
                break
        if waited >= recipe.patience:
            break
    network.load_state_dict(best, strict=False)
    return epoch


def targets(rows: Sequence[EncodedExample], classes: int) -> Tensor:
    """The probabilities that rows are to be given: all for their class, unless they say more."""
    sure = torch.eye(classes)
    return torch.stack([torch.tensor(row.soft) if row.soft else sure[row.label] for row in rows])


def follow(mean: dict[str, Tensor], network: nn.Module, keeps: float) -> None:
    """Move a running mean of the learned numbers one step towards them, in place."""
    for name, part in network.named_parameters():
        if part.requires_grad:
            mean[name].lerp_(part.detach(), 1 - keeps)


def rate_at(at: int, steps: int) -> float:
    """Warm up over the first twentieth, then fall to a twentieth."""
    warm = max(1, steps // 20)
    return (at + 1) / warm if at < warm else max(0.05, 1 - (at - warm) / max(1, steps - warm))
