"""What a kind of network is: how its networks are built, what feeds them, how they are asked."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from torch import Tensor, nn

from core.victims.networks.rows import Ids

# Padded ids of shape (batch, width), lengths, the encoded premise of each row -> class scores.
Scores: TypeAlias = Callable[[Ids, Ids, Any], Tensor]


class Reader(Protocol):
    """Texts in, ids out; the ids of a text are mostly those of its words and gaps in order."""

    @property
    def hidden_ids(self) -> tuple[int, ...]:
        """The ids of a word that is hidden."""
        ...

    def word_ids(self, word: str) -> tuple[int, ...]:
        """The ids of one word."""
        ...

    def gap_ids(self, gap: str) -> tuple[int, ...]:
        """The ids of what stands between two words."""
        ...

    def text_ids(self, text: str) -> list[int]:
        """The ids of a text."""
        ...


class FromRows(Protocol):
    """How training asks a network whose rows of ids are looked up as a whole."""

    def scores(self, rows: Sequence[tuple[int, ...]]) -> Tensor:
        """Class scores of rows."""
        ...


# The ids before and behind those of a text, from the reader and the premise.
Frame: TypeAlias = Callable[[Reader, str], tuple[Sequence[int], Sequence[int]]]


def no_frame(reader: Reader, premise: str) -> tuple[Sequence[int], Sequence[int]]:
    """Nothing stands around the ids of a text."""
    return (), ()


@dataclass(frozen=True)
class NetworkKind:
    """How networks of one kind are built, what feeds them and how they are asked.

    A network that reads a premise on its own, once for many texts, has a method ``premise``.
    """

    build: Callable[..., nn.Module]  # with an embedding if it reads words, then labels and options
    own_reader: Callable[[], Reader] | None = None  # without one it reads the shared words
    frame: Frame = no_frame
    limit: int = sys.maxsize  # ids that it reads
    shared_scores: Callable[[Any], Scores] | None = None  # common parts of many texts only once
    # Whether only texts of one length may share a batch: many networks round behind the end of a
    # text in another way than inside it.
    one_length: bool = True
    rows_of_words: bool = False  # whether each word is a row of its own in a product
    training_scores: Callable[[Any], FromRows] | None = None
    finish: Callable[[Any], object] = lambda network: None  # when it will learn no more

    @property
    def reads_words(self) -> bool:
        """Whether it reads the words that the victims share."""
        return self.own_reader is None
