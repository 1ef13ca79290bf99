"""A search space as ids: those of every choice looked up once, then put together by state."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from core.text import HIDDEN_TEXT, join
from core.victims.networks.kinds import Reader
from core.victims.networks.rows import Ids
from core.victims.words import PAD, UNKNOWN

MOST_PAIRS: Final = 2_000  # choices of two words to try side by side


class Space(Protocol):
    """What a victim needs to know of a search space."""

    @property
    def choices(self) -> tuple[tuple[str, ...], ...]:
        """For each word the original, then its substitutes."""
        ...

    @property
    def gaps(self) -> tuple[str, ...]:
        """What stands before, between and behind the words."""
        ...


@dataclass(frozen=True, eq=False)
class ChoiceIds:
    """The ids of every choice with the gap behind it, in one flat array."""

    start: tuple[int, ...]  # ids before the first word
    end: tuple[int, ...]  # ids behind the last gap
    flat: Ids
    begins: Ids  # where a piece begins in ``flat``
    sizes: Ids
    columns: Ids  # the first piece of each word: the hidden one, then the choices

    @classmethod
    def of(
        cls, space: Space, reader: Reader, start: Sequence[int], end: Sequence[int]
    ) -> "ChoiceIds":
        """Look up every choice of a space."""
        pieces: list[tuple[int, ...]] = []
        columns = []
        for column, gap in zip(space.choices, space.gaps[1:], strict=True):
            behind = reader.gap_ids(gap)
            columns.append(len(pieces))
            pieces.append((*reader.hidden_ids, *behind))
            pieces += [(*reader.word_ids(word), *behind) for word in column]
        sizes = np.array([len(piece) for piece in pieces], dtype=np.int64)
        flat = np.array([number for piece in pieces for number in piece], dtype=np.int64)
        begins = np.cumsum(sizes) - sizes
        opening = (*start, *reader.gap_ids(space.gaps[0]))
        return cls(opening, tuple(end), flat, begins, sizes, np.array(columns, dtype=np.int64))

    @property
    def longest(self) -> int:
        """The number of ids of the longest text."""
        columns = np.split(self.sizes, self.columns[1:])
        inner = sum(int(column.max(initial=0)) for column in columns)
        return inner + len(self.start) + len(self.end)

    def rows(self, states: NDArray[np.integer[Any]]) -> tuple[Ids, Ids]:
        """The padded ids and the lengths of many states."""
        chosen = self.columns + states + 1  # -1, a hidden word, is the first piece of its column
        sizes = self.sizes[chosen]
        inner = sizes.sum(axis=1)
        lengths = inner + len(self.start) + len(self.end)
        width = max(int(lengths.max(initial=1)), 1)
        ids = np.full((len(states), width), PAD, dtype=np.int64)
        ids[:, : len(self.start)] = self.start
        before = np.cumsum(sizes, axis=1) - sizes + len(self.start)
        counts = sizes.ravel()
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        source = np.repeat(self.begins[chosen].ravel(), counts) + within
        row = np.repeat(np.repeat(np.arange(len(states)), states.shape[1]), counts)
        ids[row, np.repeat(before.ravel(), counts) + within] = self.flat[source]
        for place, number in enumerate(self.end):
            ids[np.arange(len(states)), inner + len(self.start) + place] = number
        ids[lengths == 0, 0] = UNKNOWN
        return ids, np.maximum(lengths, 1)


def text_of(space: Space, state: Sequence[int]) -> str:
    """The text of a state, hidden words written as the victims know them."""
    words = tuple(
        HIDDEN_TEXT if choice < 0 else column[choice]
        for column, choice in zip(space.choices, state, strict=True)
    )
    return join(words, space.gaps)


def covering(space: Space) -> NDArray[np.int64]:
    """A few states in which every choice occurs, and the state in which all words are hidden."""
    sizes = np.array([len(column) for column in space.choices], dtype=np.int64)
    rounds = np.arange(sizes.max(initial=1))[:, None] % np.maximum(sizes, 1)
    return np.concatenate([np.full((1, len(sizes)), -1), rounds])


def grows_together(space: Space, reader: Reader) -> bool:
    """Whether words with no space between them may be read as one, as ``3`` and ``5`` in 3.5."""
    for place, gap in enumerate(space.gaps[1:-1]):
        if any(character.isspace() for character in gap):
            continue
        before, behind = space.gaps[place], space.gaps[place + 2]
        first, second = ((HIDDEN_TEXT, *column) for column in space.choices[place : place + 2])
        if len(first) * len(second) > MOST_PAIRS:
            return True
        for one, other in product(first, second):
            parts = (before, one, gap, other, behind)
            apart = [number for part in parts for number in reader.text_ids(part)]
            if reader.text_ids("".join(parts)) != apart:
                return True
    return False
