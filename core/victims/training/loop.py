"""The training loop of every network: a falling rate, a running mean, and stopping in time."""

import random
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, NamedTuple, TypeVar

import torch
from torch import Tensor, nn

from core.victims.networks.weights import learned
from core.victims.recipes import Recipe
from core.victims.training.progress import Progress

KEPT: Final = 50  # batches after which the progress is kept anew

Batch = TypeVar("Batch")


@dataclass(frozen=True)
class Check:
    """A look at the stopping rows: how much of the longest training is done, and how it goes."""

    done: float
    message: str


class Learned(NamedTuple):
    """What a training took."""

    epochs: int
    minutes: float


@dataclass(frozen=True)
class Subject(Generic[Batch]):
    """What a network is to learn."""

    steps: int  # about as many batches as an epoch has
    batches: Callable[[random.Random], list[Batch]]  # of an epoch
    loss: Callable[[Batch], Tensor]
    look: Callable[[], tuple[float, str]]  # at the stopping rows: what must fall, and in words


def learn(
    network: nn.Module, subject: Subject[Batch], recipe: Recipe, file: Path | None = None
) -> Generator[Check, None, Learned]:
    """Train until the stopping rows gain no more, and keep the best numbers.

    The progress is kept in the file, if one is given, and a training that it holds goes on.
    """
    progress = Progress.of(network, recipe, file)
    rng, steps = random.Random(recipe.seed), recipe.epochs * subject.steps
    for epoch in range(1, recipe.epochs + 1):
        batches = subject.batches(rng)  # of epochs that are done too, so that the next are the same
        if epoch < progress.epoch or progress.waited >= recipe.patience:
            continue
        checks = {len(batches) * part // recipe.checks for part in range(1, recipe.checks + 1)}
        losses = []
        for batch in batches[progress.batch :]:
            network.train()
            with torch.autocast("cpu", torch.bfloat16, enabled=recipe.bfloat16):
                loss = subject.loss(batch)
            losses.append(loss.item())
            progress.learn(loss, recipe.rate * rate_at(progress.step, steps), recipe.mean_keeps)
            if progress.batch not in checks:
                if progress.batch % KEPT == 0:
                    progress.keep()
                continue
            part = progress.batch / len(batches)
            words = _look(progress, subject)
            yield Check(
                (epoch - 1 + part) / recipe.epochs,
                f"epoch {epoch} {part:.0%} loss {sum(losses) / len(losses):.4f} "
                f"stop {words} {'*' if not progress.waited else ' '} "
                f"{progress.seconds / 60:.1f} min",
            )
            if progress.waited >= recipe.patience:
                break
        if progress.waited < recipe.patience:
            progress.end_epoch()
    network.load_state_dict(progress.best, strict=False)
    return Learned(min(progress.epoch, recipe.epochs), progress.seconds / 60)


def _look(progress: Progress, subject: Subject[Batch]) -> str:
    """Judge the running mean on the stopping rows, and keep the progress."""
    network = progress.network
    last = learned(network)
    network.load_state_dict(progress.mean, strict=False)
    loss, words = subject.look()
    network.load_state_dict(last, strict=False)
    progress.judge(loss)
    progress.keep()
    return words


def rate_at(at: int, steps: int) -> float:
    """Warm up over the first twentieth, then fall to a twentieth."""
    warm = max(1, steps // 20)
    return (at + 1) / warm if at < warm else max(0.05, 1 - (at - warm) / max(1, steps - warm))
