"""A trained network as a victim: texts in, probabilities out."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from core import threads
from core.errors import InputError, ResourceMissingError
from core.victims import words as shared
from core.victims.batching import batches, padded
from core.victims.bound import Bound, Space
from core.victims.card import WEIGHTS, checked_files, read_card, train_command
from core.victims.readers import Reader, frame_of, reader_of
from core.victims.weights import load_network
from core.victims.words import UNKNOWN

PAIRS: Final = ("dnn", "infersent", "esim")  # networks that read the premise on its own
WORD_PIECES: Final = 256  # MiniLM reads this many pieces of a text


@dataclass(frozen=True, eq=False)
class NeuralVictim:
    """A network, the reader that feeds it, and a temperature that calibrates it."""

    name: str
    labels: tuple[str, ...]
    kind: str
    network: nn.Module
    reader: Reader
    temperature: float = 1.0
    premise: str = ""
    needs_premise: bool = False

    def with_premise(self, premise: str) -> "NeuralVictim":
        """The same victim over hypotheses of a fixed premise."""
        if not self.needs_premise:
            raise InputError(f"{self.name} reads one text; it has no premise.")
        if not premise.strip():
            raise InputError(
                "The premise is empty; type the sentence that the hypothesis is about."
            )
        return replace(self, premise=premise)

    def row(self, text: str) -> list[int]:
        """The ids of a text as the network gets them."""
        start, end = self.frame
        inner = self.reader.text_ids(text)[: self.limit - len(start) - len(end)]
        return [*start, *inner, *end] or [UNKNOWN]

    @property
    def limit(self) -> int:
        """How many ids the network reads."""
        return WORD_PIECES if self.kind == "minilm" else sys.maxsize

    @cached_property
    def frame(self) -> tuple[Sequence[int], Sequence[int]]:
        """The ids that the network gets before and behind those of a text."""
        return frame_of(self.kind, self.reader, self.premise)

    def bind(self, space: Space) -> Bound:
        """A callable from states of a space to probabilities, faster than ``predict``."""
        self._check()
        return Bound(self, space)

    def _check(self) -> None:
        if self.needs_premise and not self.premise:
            raise InputError(f"{self.name} needs a premise; give one with with_premise(...).")

    def predict(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """One row of probabilities for each text."""
        self._check()
        rows = [self.row(text) for text in texts]
        scores = np.empty((len(rows), len(self.labels)))
        for batch in batches([len(row) for row in rows]):
            scores[batch] = self.scores(*padded([rows[number] for number in batch])).numpy()
        return self.probabilities(scores)

    def scores(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """Class scores of a batch."""
        with torch.inference_mode():
            result: Tensor = self.network(ids, lengths, *self.memory(len(ids)))
            return result

    def probabilities(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Softmax at the calibrated temperature."""
        scaled = scores / self.temperature
        powers = np.exp(scaled - scaled.max(axis=1, keepdims=True, initial=-np.inf))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))

    def memory(self, size: int) -> tuple[Any, ...]:
        """The encoded premise, once for each row of a batch, for networks that take one."""
        return (repeated(self._encoded_premise, size),) if self.kind in PAIRS else ()

    @cached_property
    def _encoded_premise(self) -> Any:
        ids, lengths = padded([self.reader.text_ids(self.premise) or [UNKNOWN]])
        with torch.inference_mode():
            return self.network.premise(ids, lengths)  # type: ignore[operator]


def repeated(memory: Any, size: int) -> Any:
    """Repeat an encoded premise without copying it."""
    if isinstance(memory, tuple):
        return tuple(repeated(part, size) for part in memory)
    return memory.expand(size, *memory.shape[1:])


def load(name: str, folder: Path = shared.ASSETS) -> NeuralVictim:
    """A bundled victim, after its files were compared with its card."""
    from safetensors import SafetensorError

    threads.limit()
    home = folder / name
    card = read_card(home)
    checked_files(home, card)
    labels, kind = tuple(card["labels"]), card["network"]
    words = None if kind in ("minilm", "charcnn") else shared.load(folder)
    try:
        network = load_network(home / WEIGHTS, kind, len(labels), card["options"], words)
    except (SafetensorError, KeyError, RuntimeError) as error:
        raise ResourceMissingError(
            f"{home / WEIGHTS} does not fit its network; make it again with: {train_command(name)}"
        ) from error
    return NeuralVictim(
        name,
        labels,
        kind,
        network,
        reader_of(kind, words),
        temperature=card["temperature"],
        needs_premise=card["needs_premise"],
    )
