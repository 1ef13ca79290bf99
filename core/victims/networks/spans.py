"""Networks that point at a part of a passage, and how they are fed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from core.victims.networks.batching import FEWEST
from core.victims.networks.rows import Ids
from core.victims.outputs import Span
from core.victims.words import PAD, UNKNOWN

LONGEST_ANSWER: Final = 30  # pieces
LONGEST_QUESTION: Final = 64  # pieces that are read

# Padded questions, their lengths, padded passages, their lengths -> scores of beginnings and ends,
# of shape (batch, 2, 1 + width of the passages); the first column is "no answer". Ids have a row of
# one or more numbers for each piece.
SpanNetwork: TypeAlias = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]


Places: TypeAlias = Sequence[tuple[int, int]]  # the characters of each piece


@dataclass(frozen=True, eq=False)
class Read:
    """A text as a network reads it."""

    ids: Ids  # a row for each piece
    places: Places

    def part(self, start: int, end: int) -> "Read":
        """Some of its pieces."""
        return Read(self.ids[start:end], self.places[start:end])


class SpanReader(Protocol):
    """Questions and passages in, ids out."""

    def read(self, text: str) -> Read:
        """The pieces of a text."""
        ...


@dataclass(frozen=True)
class SpanKind:
    """How networks of one kind are built, and what feeds them."""

    build: Callable[..., nn.Module]  # with an embedding if it reads words, then options
    own_reader: Callable[[], SpanReader] | None = None  # without one it reads the shared words
    window: int = 400  # pieces of a passage that it reads at a time
    fewest: int = FEWEST  # questions in a pass; 1 if every piece is a row of its own in a product
    finish: Callable[[Any], object] = lambda network: None  # when it will learn no more


def question_ids(reader: SpanReader, text: str) -> Ids:
    """The ids of a question; one without words is a single unknown one."""
    ids = reader.read(text).ids[:LONGEST_QUESTION]
    return ids if len(ids) else np.full((1, ids.shape[1]), UNKNOWN)


def stacked(parts: Sequence[Ids]) -> tuple[Tensor, Tensor]:
    """Ids of several texts below each other, padded, and their lengths."""
    lengths = torch.tensor([len(part) for part in parts])
    ids = torch.full((len(parts), int(lengths.max()), parts[0].shape[1]), PAD)
    for number, part in enumerate(parts):
        ids[number, : len(part)] = torch.from_numpy(part)
    return ids, lengths


def best_answer(
    passage: str, windows: Sequence[tuple[NDArray[Any], Places]], *, none: bool
) -> Span:
    """The likeliest answer by the scores of beginnings and ends in the parts of a passage.

    "No answer" gets the verdict on the part in which it is least likely.
    """
    least = np.min([scores[:, :1] for scores, _ in windows], axis=0)
    if not none:
        least = np.full_like(least, -np.inf)
    first, last = _probabilities([least, *(scores[:, 1:] for scores, _ in windows)])
    found, at = (0, 0, -1.0), 1
    for scores, places in windows:
        columns = slice(at, at + scores.shape[1] - 1)
        start, end, sure = _best(first[columns], last[columns])
        if sure > found[2]:
            found = places[start][0], places[end][1], sure
        at = columns.stop
    start, end, sure = found
    says_none = first[0] * last[0] > sure
    text = "" if says_none else passage[start:end]
    return Span(text, start, end, sure, float(first[0] * last[0]))


def _probabilities(parts: Sequence[NDArray[Any]]) -> NDArray[np.float64]:
    """Two rows over all columns, from the scores of the parts."""
    scores = np.concatenate(parts, axis=1).astype(np.float64)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _best(first: NDArray[np.float64], last: NDArray[np.float64]) -> tuple[int, int, float]:
    """Where the likeliest answer begins and ends, and the product of both probabilities."""
    both = np.triu(first[:, None] * last[None, :])
    both -= np.triu(both, LONGEST_ANSWER)
    start, end = divmod(int(both.argmax()), len(last))
    return start, end, float(both[start, end])
