"""A trained network that answers questions about a passage, as a victim."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
import torch
from numpy.typing import NDArray

from core import threads
from core.errors import InputError
from core.victims import words as shared
from core.victims.card import WEIGHTS, checked_files, fitting, read_card
from core.victims.networks.batching import filled
from core.victims.networks.pointers import built, pointer_kind, reader_of
from core.victims.networks.spans import (
    Read,
    SpanKind,
    SpanNetwork,
    SpanReader,
    best_span,
    probabilities,
    question_ids,
    stacked,
)
from core.victims.networks.weights import refilled
from core.victims.outputs import Span
from core.victims.words import ASSETS

BATCH: Final = 16  # questions in one forward pass
PASSAGE: Final = "passage"  # its name in a context


@dataclass(frozen=True, eq=False)
class AnsweringVictim:
    """A network that points at an answer, and the reader that feeds it."""

    name: str
    network: SpanNetwork
    kind: SpanKind
    reader: SpanReader
    none: bool = False  # whether it may say that a passage does not tell
    passage: str = ""

    labels: ClassVar[tuple[str, ...]] = ()
    task_key: ClassVar[str] = "answering"

    def given(self, context: Mapping[str, str]) -> "AnsweringVictim":
        """The same victim over questions about a passage."""
        passage = context.get(PASSAGE, "")
        if not passage.strip():
            raise InputError("The passage is empty; give the text to answer from.")
        return replace(self, passage=passage)

    @cached_property
    def windows(self) -> tuple[Read, ...]:
        """The parts of the passage that are read on their own, half of each in the next one too."""
        whole, size = self.reader.read(self.passage), self.kind.window
        if not len(whole.ids):
            raise InputError(
                f"{self.name} finds nothing to read in the passage; give a longer one."
            )
        ends = range(size, max(len(whole.ids), size) + size // 2, size // 2)
        return tuple(whole.part(end - size, end) for end in ends)

    def predict(self, texts: Sequence[str]) -> NDArray[Any]:
        """One span for each question."""
        if not self.passage:
            raise InputError(f'{self.name} needs a passage: ask victim.given({{"passage": ...}}).')
        questions = [question_ids(self.reader, text) for text in texts]
        result = np.empty(len(questions), dtype=object)
        alike: dict[int, list[int]] = {}  # without padding an answer is the same in any company
        for number, ids in enumerate(questions):
            alike.setdefault(len(ids), []).append(number)
        for numbers in alike.values():
            for start in range(0, len(numbers), BATCH):
                part = numbers[start : start + BATCH]
                result[part] = self._answers([questions[number] for number in part])
        return result

    def _answers(self, questions: Sequence[NDArray[np.int64]]) -> list[Span]:
        """The answers to questions of one length."""
        asked = tuple(filled(part, self.kind.fewest) for part in stacked(questions))
        with torch.inference_mode():
            scores = [self._scores(asked, read)[: len(questions)] for read in self.windows]
        # "No answer" is the verdict on the window in which it is least likely.
        none = np.min([each[:, :, :1] for each in scores], axis=0)
        both = np.concatenate([none, *(each[:, :, 1:] for each in scores)], axis=2)
        first, last = (probabilities(both[:, side], self.none) for side in (0, 1))
        return [self._span(begins, ends) for begins, ends in zip(first, last, strict=True)]

    def _scores(self, asked: tuple[torch.Tensor, ...], read: Read) -> NDArray[np.float32]:
        passages = torch.from_numpy(read.ids).expand(len(asked[0]), -1, -1)
        lengths = torch.full((len(asked[0]),), len(read.ids))
        return np.asarray(self.network(*asked, passages, lengths).numpy())

    def _span(self, first: NDArray[np.float64], last: NDArray[np.float64]) -> Span:
        none = float(first[0] * last[0])
        found, at = (0, 0, -1.0), 0
        for read in self.windows:
            columns = slice(1 + at, 1 + at + len(read.ids))
            start, end, sure = best_span(first[columns], last[columns])
            if sure > found[2]:
                found = read.places[start][0], read.places[end][1], sure
            at += len(read.ids)
        start, end, sure = found
        text = "" if none > sure else self.passage[start:end]
        return Span(text, start, end, sure, none)


def load(name: str, folder: Path = ASSETS) -> AnsweringVictim:
    """A bundled victim, or one made like them, after its files were compared with its card."""
    threads.limit()
    home = folder / name
    card: Mapping[str, Any] = read_card(home)
    checked_files(home, card)
    kind = pointer_kind(card["network"])
    words = shared.load(folder) if kind.own_reader is None else None
    with fitting(home):
        network: Any = refilled(
            home / WEIGHTS, lambda tuned: built(kind, card["options"], words, tuned)
        )
    kind.finish(network)
    network.eval().requires_grad_(False)
    return AnsweringVictim(name, network, kind, reader_of(kind, words), card["no_answer"])
