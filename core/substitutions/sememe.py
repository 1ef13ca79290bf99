"""Words with the same sememes as in Sememe+PSO (Zang et al., 2020).

Two words may replace each other when they have the same part of speech and, for some sense, an
identical set of sememes; the substitute takes the inflection of the word it replaces. The sememes
are HowNet's when the user has converted HowNet (see ``hownet``), else the bundled ones derived from
WordNet. Departs from the paper: names and stop words are left alone, and there is a limit.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.substitutions.columns import column, is_fit, refusal, stem
from core.substitutions.lexicon import FOLDER, read, unpack
from core.substitutions.morphology import inflect, part_of, readings
from core.substitutions.protocol import Column
from core.substitutions.tagging import tag
from core.substitutions.vocabulary import usage
from core.substitutions.wordnet import wordnet
from core.text import remembered

SENSE = 0.25  # how usual a sense must be for its synonyms to come first
CONVERT = "python -m core.substitutions.hownet"
LEXICONS = ("auto", "hownet", "wordnet")


@dataclass(frozen=True)
class Sememes:
    """A sememe lexicon: the kinds of meaning (sets of sememes) of each entry, and their words."""

    source: str
    entries: Mapping[str, int]
    names: list[str]
    starts: NDArray[np.uint32]
    kinds: NDArray[np.uint32]
    labels: list[str]
    members: Mapping[int, tuple[str, ...]]

    def of(self, entry: str) -> list[int]:
        """The kinds of meaning of an entry, the most usual sense first."""
        place = self.entries[entry]
        return [int(kind) for kind in self.kinds[self.starts[place] : self.starts[place + 1]]]


def converted() -> Path:
    """Where the converted lexicon is kept: in the user's cache folder."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "swapscope" / "hownet-sememes.npz"


@cache
def load(path: Path) -> Sememes:
    """Read a sememe lexicon once; members of a kind are ordered by how frequent they are."""
    stored = read(path, CONVERT) if path == converted() else read(path)
    names = unpack(stored["entries"])
    lengths = stored["starts"][1:] - stored["starts"][:-1]
    owners = np.repeat(np.arange(len(names)), lengths)
    known = usage()
    last = len(known)
    words = [name.rsplit(".", 1)[0] for name in names]
    ranks = np.array([known[word].rank if word in known else last for word in words])
    usable = stored["stands_in"] & (ranks[owners] < last)
    cells = np.flatnonzero(usable)
    kinds = stored["kinds"][cells]
    order = np.lexsort((ranks[owners[cells]], kinds))
    sorted_kinds, sorted_owners = kinds[order], owners[cells][order]
    borders = np.flatnonzero(np.diff(sorted_kinds)) + 1
    members = {
        int(sorted_kinds[group[0]]): tuple(names[owner] for owner in sorted_owners[group].tolist())
        for group in np.split(np.arange(len(order)), borders)
        if group.size
    }
    return Sememes(
        source=unpack(stored["source"])[0],
        entries={entry: place for place, entry in enumerate(names)},
        names=names,
        starts=stored["starts"],
        kinds=stored["kinds"],
        labels=unpack(stored["labels"]),
        members=members,
    )


@dataclass(frozen=True)
class Sememe:
    """Words that share all sememes of some sense."""

    lexicon: str = field(default="auto", metadata={"help": "auto, hownet or wordnet"})
    limit: int | None = field(default=25, metadata={"help": "Most substitutes for one word"})

    def __post_init__(self) -> None:
        if self.lexicon not in LEXICONS:
            raise InputError(
                f'There is no sememe lexicon "{self.lexicon}"; '
                f"choose one of: {', '.join(LEXICONS)}."
            )

    @property
    def path(self) -> Path:
        """The lexicon in use: HowNet's when it is there or demanded, else the bundled one."""
        wants_hownet = self.lexicon == "hownet" or (self.lexicon == "auto" and converted().exists())
        return converted() if wants_hownet else FOLDER / "sememes.npz"

    @property
    def source(self) -> str:
        """Which sememes are in use, for the reader."""
        return load(self.path).source

    def __call__(self, words: Sequence[str]) -> tuple[Column, ...]:
        path = self.path
        tags = tag(words)
        return tuple(
            _column(word, own, path, self.limit) for word, own in zip(words, tags, strict=True)
        )


@remembered(1 << 14)
def _column(word: str, own: str, path: Path, limit: int | None) -> Column:
    if note := refusal(word, own) or ("" if part_of(own) else f"part of speech {own}"):
        return Column(note=note)
    lexicon = load(path)
    reading = next(readings(stem(word)[0].lower(), own, lexicon.entries), None)
    if reading is None:
        return Column(note="not in the sememe lexicon")

    synonyms = {
        f"{name}.{reading.part}"
        for sense in wordnet().senses(reading.entry, SENSE)
        for name in sense.words
    }

    def found() -> Iterator[tuple[str, str]]:
        for kind in lexicon.of(reading.entry):
            members = lexicon.members.get(kind, ())
            # The limit must not cut off the words that are nearest in meaning.
            for entry in sorted(members, key=lambda member: member not in synonyms):
                form = inflect(entry, reading.tag)
                if entry != reading.entry and is_fit(form, entry.rsplit(".", 1)[0]):
                    yield form, f"sememes: {lexicon.labels[kind]}"

    return column(word, found(), "no word shares its sememes", limit)
