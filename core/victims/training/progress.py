"""How far a training is, in a file from which it goes on after it was stopped."""

import json
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import torch
from torch import Tensor, nn

from core.errors import InputError
from core.victims.networks.weights import learned
from core.victims.recipes import Recipe

Numbers: TypeAlias = dict[str, Tensor]

_PLACE: Final = ("epoch", "batch", "step", "waited", "best_loss", "seconds")
_OPTIMISER: Final = ("step", "exp_avg", "exp_avg_sq")  # what AdamW remembers of each parameter


@dataclass
class Progress:
    """A network on its way: its optimiser, running mean and best numbers so far, and the place."""

    network: nn.Module
    optimiser: torch.optim.AdamW
    mean: Numbers  # a running mean of the last steps makes fewer mistakes than the last
    best: Numbers
    epoch: int = 1
    batch: int = 0  # batches of the epoch that are done
    step: int = 0
    waited: int = 0  # checks without a gain
    best_loss: float = float("inf")
    seconds: float = 0.0  # that it took until it was last kept
    file: Path | None = None
    tuned: list[nn.Parameter] = field(init=False)
    began: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.tuned = [p for p in self.network.parameters() if p.requires_grad]

    @classmethod
    def of(cls, network: nn.Module, recipe: Recipe, file: Path | None = None) -> "Progress":
        """The progress that a file holds; a start if there is none yet."""
        tuned = [p for p in network.parameters() if p.requires_grad]
        optimiser = torch.optim.AdamW(tuned, lr=recipe.rate, weight_decay=recipe.decay)
        start = cls(network, optimiser, learned(network), learned(network), file=file)
        if file is not None and file.is_file():
            start._restore(file)
            torch.manual_seed(recipe.seed + start.step)  # other numbers are dropped than at first
        return start

    def learn(self, loss: Tensor, rate: float, keeps: float) -> None:
        """One step down the loss."""
        self.optimiser.param_groups[0]["lr"] = rate
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.tuned, 2.0)
        self.optimiser.step()
        follow(self.mean, self.network, keeps)
        self.step += 1
        self.batch += 1

    def judge(self, loss: float) -> None:
        """Remember the running mean if it is the best so far."""
        self.waited = 0 if loss < self.best_loss else self.waited + 1
        if not self.waited:
            self.best, self.best_loss = {n: part.clone() for n, part in self.mean.items()}, loss

    def end_epoch(self) -> None:
        self.epoch, self.batch = self.epoch + 1, 0

    def keep(self) -> None:
        """Write everything to the file, if there is one."""
        now = time.monotonic()
        self.seconds, self.began = self.seconds + now - self.began, now
        if self.file is None:
            return
        from safetensors.torch import save_file

        parts = {"last": learned(self.network), "mean": self.mean, "best": self.best}
        arrays = {f"{part} {n}": t for part, numbers in parts.items() for n, t in numbers.items()}
        for number, state in enumerate(self.optimiser.state_dict()["state"].values()):
            arrays |= {f"optimiser {number} {name}": tensor for name, tensor in state.items()}
        place: Any = {name: getattr(self, name) for name in _PLACE}
        beside = self.file.with_name(self.file.name + ".part")
        save_file(arrays, beside, {"place": json.dumps(place)})
        os.replace(beside, self.file)

    def _restore(self, file: Path) -> None:
        from safetensors import safe_open

        with safe_open(file, "pt") as stored:
            arrays = {name: stored.get_tensor(name) for name in stored.keys()}  # noqa: SIM118
            place = json.loads(stored.metadata()["place"])
        names = list(self.mean)
        if {f"last {name}" for name in names} - arrays.keys():
            raise InputError(f"{file} is of another training; remove it to start anew.")
        self.mean, self.best = ({n: arrays[f"{p} {n}"] for n in names} for p in ("mean", "best"))
        self.network.load_state_dict({n: arrays[f"last {n}"] for n in names}, strict=False)
        kept = self.optimiser.state_dict()
        kept["state"] = {
            number: {part: arrays[f"optimiser {number} {part}"] for part in _OPTIMISER}
            for number in range(len(names))
        }
        self.optimiser.load_state_dict(kept)
        for name in _PLACE:
            setattr(self, name, place[name])


def follow(mean: Numbers, network: nn.Module, keeps: float) -> None:
    """Move a running mean of the learned numbers one step towards them, in place."""
    for name, part in network.named_parameters():
        if part.requires_grad:
            mean[name].lerp_(part.detach(), 1 - keeps)
