"""A trained network that answers questions about a passage, as a victim."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

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
    best_answer,
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
        return replace(self, passage=with_passage(context))

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
        ids, sizes = (filled(part, self.kind.fewest) for part in stacked(questions))
        with torch.inference_mode():
            scores = [self._scores(ids, sizes, read) for read in self.windows]
        places = [read.places for read in self.windows]
        return [
            best_answer(
                self.passage,
                [(each[row], where) for each, where in zip(scores, places, strict=True)],
                none=self.none,
            )
            for row in range(len(questions))
        ]

    def _scores(self, ids: Tensor, sizes: Tensor, read: Read) -> NDArray[np.float32]:
        passages = torch.from_numpy(read.ids).expand(len(ids), -1, -1)
        lengths = torch.full((len(ids),), len(read.ids))
        return np.asarray(self.network(ids, sizes, passages, lengths).numpy())


def with_passage(context: Mapping[str, str]) -> str:
    """The passage of a context; an empty one is refused."""
    passage = context.get(PASSAGE, "")
    if not passage.strip():
        raise InputError("The passage is empty; give the text to answer from.")
    return passage


def load(name: str, folder: Path = ASSETS, words_folder: Path | None = None) -> AnsweringVictim:
    """A bundled victim, or one made like them, after its files were compared with its card."""
    threads.limit()
    home = folder / name
    card: Mapping[str, Any] = read_card(home)
    checked_files(home, card, words_folder)
    kind = pointer_kind(card["network"])
    words = shared.load(words_folder or folder) if kind.own_reader is None else None
    with fitting(home):
        network: Any = refilled(
            home / WEIGHTS, lambda tuned: built(kind, card["options"], words, tuned)
        )
    kind.finish(network)
    network.eval().requires_grad_(False)
    return AnsweringVictim(name, network, kind, reader_of(kind, words), card["no_answer"])
