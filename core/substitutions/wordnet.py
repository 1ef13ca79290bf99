"""WordNet's words, senses and synonyms, read from the bundled table."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from core.substitutions.lexicon import table, unpack


@dataclass(frozen=True)
class Sense:
    """One meaning: its WordNet name, the beginning of its gloss, and all words that share it."""

    number: int
    name: str
    gloss: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class WordNet:
    """Entries such as ``film.n`` with their senses in WordNet's order."""

    entries: Mapping[str, int]
    shares: NDArray[np.uint8]
    starts: NDArray[np.uint32]
    numbers: NDArray[np.uint32]
    usual: NDArray[np.uint8]
    names: list[str]
    glosses: list[str]
    members: list[str]

    def share(self, entry: str) -> float:
        """How usual the part of speech is for the word (1: its most usual one; 0: not a word)."""
        place = self.entries.get(entry)
        return 0.0 if place is None else float(self.shares[place]) / 255

    def senses(self, entry: str, at_least: float = 0.0) -> Iterator[Sense]:
        """The senses that a word shares with others and that are usual enough for it."""
        for number, usual in self._cells(entry):
            if usual >= at_least:
                words = tuple(self.members[number].split(" "))
                yield Sense(number, self.names[number], self.glosses[number], words)

    def means(self, entry: str, sense: Sense) -> float:
        """How usual a sense is for a word, 1 for its most usual one, 0 for none of its senses."""
        return next((usual for number, usual in self._cells(entry) if number == sense.number), 0.0)

    def _cells(self, entry: str) -> Iterator[tuple[int, float]]:
        place = self.entries.get(entry)
        if place is not None:
            row = slice(self.starts[place], self.starts[place + 1])
            usual = (self.usual[row] / 255).tolist()
            yield from zip(self.numbers[row].tolist(), usual, strict=True)


@cache
def wordnet() -> WordNet:
    """Read the bundled table once."""
    stored = table("wordnet")
    return WordNet(
        entries={entry: place for place, entry in enumerate(unpack(stored["entries"]))},
        shares=stored["shares"],
        starts=stored["starts"],
        numbers=stored["senses"],
        usual=stored["usual"],
        names=unpack(stored["names"]),
        glosses=unpack(stored["glosses"]),
        members=unpack(stored["members"]),
    )
