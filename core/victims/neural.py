"""A trained network as a victim: texts in, probabilities out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from core.errors import InputError, ResourceMissingError
from core.victims import words as shared
from core.victims.card import WEIGHTS, checked_files, read_card, train_command
from core.victims.weights import load_network, reader_of
from core.victims.words import PAD, UNKNOWN

PAIRS = ("dnn", "infersent", "esim")  # networks that read the premise on its own
WORD_PIECES = 256  # MiniLM reads this many pieces of a text
BATCH_IDS = 16_384  # ids in one forward pass


def padded(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Rows of ids as one matrix, with their lengths."""
    lengths = torch.tensor([len(row) for row in rows])
    ids = torch.full((len(rows), int(lengths.max())), PAD)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = torch.tensor(row)
    return ids, lengths


def batches(lengths: Sequence[int]) -> list[list[int]]:
    """Row numbers in batches of similar length, none with more than ``BATCH_IDS`` ids."""
    result: list[list[int]] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        if result and lengths[row] * (len(result[-1]) + 1) <= BATCH_IDS:
            result[-1].append(row)
        else:
            result.append([row])
    return result


@dataclass(frozen=True, eq=False)
class NeuralVictim:
    """A network, the reader that feeds it, and a temperature that calibrates it."""

    name: str
    labels: tuple[str, ...]
    kind: str
    network: nn.Module
    reader: Any
    temperature: float = 1.0
    premise: str = ""

    def with_premise(self, premise: str) -> "NeuralVictim":
        """The same victim over hypotheses of a fixed premise."""
        if not premise.strip():
            raise InputError("The premise is empty; type the sentence that the hypothesis is about.")
        return replace(self, premise=premise)

    def row(self, text: str) -> list[int]:
        """The ids of a text as the network gets them."""
        if self.kind == "minilm":
            ids = self.reader.text_ids(text, self.premise)
            return ids if len(ids) <= WORD_PIECES else [*ids[: WORD_PIECES - 1], ids[-1]]
        return self.reader.text_ids(text) or [UNKNOWN]

    def predict(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """One row of probabilities for each text."""
        if self.kind in PAIRS and not self.premise:
            raise InputError(f"{self.name} needs a premise; give one with with_premise(...).")
        rows = [self.row(text) for text in texts]
        scores = np.empty((len(rows), len(self.labels)))
        for batch in batches([len(row) for row in rows]):
            scores[batch] = self.scores(*padded([rows[number] for number in batch])).numpy()
        return self.probabilities(scores)

    def scores(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """Class scores of a batch."""
        with torch.inference_mode():
            if self.kind not in PAIRS:
                result: Tensor = self.network(ids, lengths)
            else:
                result = self.network(ids, lengths, self.memory(len(ids)))
            return result

    def probabilities(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Softmax at the calibrated temperature."""
        scaled = scores / self.temperature
        powers = np.exp(scaled - scaled.max(axis=1, keepdims=True, initial=-np.inf))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))

    def memory(self, size: int) -> Any:
        """The encoded premise, once for each row of a batch."""
        return tuple_or_tensor(self._encoded_premise, size)

    @cached_property
    def _encoded_premise(self) -> Any:
        ids, lengths = padded([self.reader.text_ids(self.premise) or [UNKNOWN]])
        with torch.inference_mode():
            return self.network.premise(ids, lengths)  # type: ignore[operator]


def tuple_or_tensor(memory: Any, size: int) -> Any:
    """Repeat an encoded premise without copying it."""
    if isinstance(memory, tuple):
        return tuple(tuple_or_tensor(part, size) for part in memory)
    return memory.expand(size, *memory.shape[1:])


def load(name: str, folder: Path = shared.ASSETS) -> NeuralVictim:
    """A bundled victim, after its files were compared with its card."""
    from safetensors import SafetensorError

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
    return NeuralVictim(name, labels, kind, network, reader_of(kind, words), card["temperature"])
