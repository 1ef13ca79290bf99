"""A trained network as a victim: texts in, probabilities out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core import threads
from core.errors import InputError
from core.victims import words as shared
from core.victims.bound import ChoiceIds, Space, covering, grows_together, text_of
from core.victims.card import WEIGHTS, checked_files, fitting, read_card, task_key
from core.victims.networks.batching import padded
from core.victims.networks.forward import Forward
from core.victims.networks.kinds import Reader
from core.victims.networks.registry import kind_of
from core.victims.networks.rows import Rows, joined, memory_shape
from core.victims.networks.weights import load_network, reader_of
from core.victims.words import UNKNOWN


@dataclass(frozen=True, eq=False)
class NeuralVictim:
    """A network, the reader that feeds it, and a temperature that calibrates it."""

    name: str
    labels: tuple[str, ...]
    forward: Forward
    reader: Reader
    temperature: float = 1.0
    task_key: str = "classification"
    premise: str = ""
    answers_ahead: ClassVar[bool] = True  # see Goal.ahead

    def given(self, context: Mapping[str, str]) -> "NeuralVictim":
        """The same victim over hypotheses of a premise; one of single texts stays as it is."""
        if self.task_key != "pair":
            return self
        premise = context.get("premise", "")
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
        return self.forward.kind.limit

    @cached_property
    def frame(self) -> tuple[Sequence[int], Sequence[int]]:
        """The ids that the network gets before and behind those of a text."""
        return self.forward.kind.frame(self.reader, self.premise)

    def bind(self, space: Space) -> "StatePredictor":
        """A callable from states of a space to probabilities, faster than ``predict``."""
        self._check()
        return StatePredictor(self, space)

    def _check(self) -> None:
        if self.task_key == "pair" and not self.premise:
            raise InputError(f'{self.name} needs a premise: ask victim.given({{"premise": ...}}).')

    def predict(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """One row of probabilities for each text."""
        return self.answer([self.read(texts)])[0]

    def read(self, texts: Sequence[str]) -> Rows:
        """Texts as the network gets them."""
        self._check()
        ids, lengths = padded([self.row(text) for text in texts])
        return Rows(ids.numpy(), lengths.numpy(), self.memory)

    def answer(self, requests: Sequence[Rows]) -> list[NDArray[np.float64]]:
        """Probabilities for several requests, in as few forward passes as possible.

        A text gets the same answer, bit for bit, whatever else is asked at the same time.
        """
        alike: dict[Any, list[int]] = {}
        for number, rows in enumerate(requests):
            if len(rows):
                alike.setdefault(memory_shape(rows.memory), []).append(number)
        result = [np.zeros((0, len(self.labels)))] * len(requests)
        for numbers in alike.values():
            parts = [requests[number] for number in numbers]
            found = self._probabilities(self.forward(*joined(parts)))
            ends = np.cumsum([len(part) for part in parts])
            for number, answer in zip(numbers, np.split(found, ends[:-1]), strict=True):
                result[number] = answer
        return result

    def _probabilities(self, scores: NDArray[np.float32]) -> NDArray[np.float64]:
        """Softmax at the calibrated temperature."""
        scaled = scores.astype(np.float64) / self.temperature
        powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))

    @cached_property
    def memory(self) -> Any:
        """The encoded premise, for networks that take one."""
        return self.forward.premise(*padded([self.reader.text_ids(self.premise) or [UNKNOWN]]))


class StatePredictor:
    """Predicts states instead of texts.

    Where the ids of a text are not those of its words one after the other (a substitute that
    grows together with its neighbour), texts are written and read again.
    """

    def __init__(self, victim: NeuralVictim, space: Space) -> None:
        self.victim, self.space = victim, space
        start, end = victim.frame
        self.pieces = ChoiceIds.of(space, victim.reader, start, end)
        states = covering(space)
        ids, lengths = self.pieces.rows(states)
        apart = all(
            list(row[:length]) == victim.row(text_of(space, state))
            for row, length, state in zip(ids, lengths, states.tolist(), strict=True)
        )
        fits = self.pieces.longest <= victim.limit
        self.by_text = not (apart and fits) or grows_together(space, victim.reader)

    def __call__(self, states: NDArray[np.integer[Any]]) -> NDArray[np.float64]:
        """Probabilities of shape ``(len(states), len(labels))``."""
        return self.victim.answer([self.read(states)])[0]

    def read(self, states: NDArray[np.integer[Any]]) -> Rows:
        """The states as the network gets them."""
        if self.by_text:
            return self.victim.read([text_of(self.space, state) for state in states.tolist()])
        return Rows(*self.pieces.rows(np.asarray(states)), self.victim.memory)


def load(name: str, folder: Path = shared.ASSETS, words_folder: Path | None = None) -> NeuralVictim:
    """A bundled victim, or one made like them, after its files were compared with its card.

    The words it shares with others lie beside it unless a folder is named.
    """
    threads.limit()
    home = folder / name
    card = read_card(home)
    checked_files(home, card, words_folder)
    labels, kind = tuple(card["labels"]), kind_of(card["network"])
    words = shared.load(words_folder or folder) if kind.reads_words else None
    with fitting(home):
        network = load_network(home / WEIGHTS, kind, len(labels), card["options"], words)
    return NeuralVictim(
        name,
        labels,
        Forward(network, kind),
        reader_of(kind, words),
        temperature=card["temperature"],
        task_key=task_key(card),
    )
