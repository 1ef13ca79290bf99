"""Neighbours in the counter-fitted vectors, under the rules of GA and TextFooler or our own.

``ga``: the 8 nearest, those with squared distance below 0.5 (Alzantot et al., 2018).
``textfooler``: up to 50 with cosine 0.5 or more (Jin et al., 2020).
``agreeing`` (default): up to 50 with cosine 0.6 or more that can carry the tag of the word and are
not forms of the same word, so that sentences stay grammatical.
Departs from both papers: stop words, contractions and single letters are always left alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.substitutions.columns import column, is_fit, refusal, stem
from core.substitutions.lexicon import table, unpack
from core.substitutions.morphology import Reading, is_plural, part_of, readings
from core.substitutions.protocol import Column
from core.substitutions.tagging import tag
from core.substitutions.wordnet import wordnet
from core.text import remembered


@dataclass(frozen=True)
class Rule:
    """How many neighbours to look at, how similar they must be, and whether they must agree."""

    nearest: int
    min_cosine: float
    agreeing: bool


RULES = {
    "agreeing": Rule(50, 0.6, True),
    "ga": Rule(8, 0.75, False),  # unit vectors: squared distance 0.5 is cosine 0.75
    "textfooler": Rule(50, 0.5, False),
}
PART = 0.2  # how usual a part of speech must be for an agreeing neighbour


@dataclass(frozen=True)
class Neighbours:
    """The nearest neighbours of every word with their cosines in 256ths."""

    places: Mapping[str, int]
    words: list[str]
    nearest: NDArray[np.uint16]
    cosines: NDArray[np.uint8]

    def of(self, word: str) -> Iterator[tuple[str, float]]:
        """The neighbours of a word and their cosines, the nearest first; none if it is unknown."""
        place = self.places.get(word)
        if place is None:
            return
        cosines = self.cosines[place].tolist()
        for neighbour, cosine in zip(self.nearest[place].tolist(), cosines, strict=True):
            yield self.words[neighbour], cosine / 256


@cache
def neighbours() -> Neighbours:
    """Read the bundled neighbours once."""
    stored = table("neighbours")
    words = unpack(stored["words"])
    first, rest = stored["steps"][:1], stored["steps"][1:]
    cosines = np.concatenate([first, first - np.cumsum(rest, axis=0, dtype=np.uint8)])
    return Neighbours(
        places={word: place for place, word in enumerate(words)},
        words=words,
        nearest=stored["places"],
        cosines=np.ascontiguousarray(cosines.T),
    )


@remembered(1 << 14)
def similar(word: str) -> Mapping[str, float]:
    """The cosine of a word with each of its neighbours."""
    return dict(neighbours().of(word))


def cosine(word: str, other: str) -> float | None:
    """The cosine of two words if one is among the nearest of the other, else nothing."""
    return similar(word).get(other, similar(other).get(word))


@dataclass(frozen=True)
class Embedding:
    """Neighbours in the counter-fitted vectors."""

    rule: str = field(default="agreeing", metadata={"help": "agreeing, ga or textfooler"})
    nearest: int | None = field(default=None, metadata={"help": "Neighbours to look at"})
    min_cosine: float | None = field(default=None, metadata={"help": "Least cosine"})

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise InputError(
                f'There is no embedding rule "{self.rule}"; choose one of: {", ".join(RULES)}.'
            )

    def __call__(self, words: Sequence[str]) -> tuple[Column, ...]:
        rule = RULES[self.rule]
        chosen = Rule(
            rule.nearest if self.nearest is None else self.nearest,
            rule.min_cosine if self.min_cosine is None else self.min_cosine,
            rule.agreeing,
        )
        return tuple(_column(w, own, chosen) for w, own in zip(words, tag(words), strict=True))


@remembered(1 << 14)
def _column(word: str, own: str, rule: Rule) -> Column:
    if note := refusal(word, own):
        return Column(note=note)
    plain = stem(word)[0].lower()
    if plain not in neighbours().places:
        return Column(note="not in the counter-fitted vectors")
    close = [
        (other, near)
        for other, near in list(neighbours().of(plain))[: rule.nearest]
        if near >= rule.min_cosine
    ]
    if rule.agreeing:
        if not part_of(own):
            return Column(note=f"part of speech {own}")
        reading = next(readings(plain, own, wordnet().entries), None)
        if reading is None:
            return Column(note="not in WordNet, so its form is unknown")
        close = [(other, near) for other, near in close if _agrees(other, reading)]
    found = ((other, f"cosine {near:.2f}") for other, near in close)
    return column(word, found, f"no neighbour with cosine {rule.min_cosine:g} or more")


def _agrees(other: str, reading: Reading) -> bool:
    """Whether the other word can be read with the same tag, as a usual form of another word."""
    tags, lemmas = _uses(other)
    return (reading.part, reading.tag) in tags and reading.lemma not in lemmas and is_fit(other)


@lru_cache(maxsize=1 << 16)
def _uses(word: str) -> tuple[frozenset[tuple[str, str]], frozenset[str]]:
    """The parts of speech and tags that a form usually has, and all words it is a form of."""
    found = list(readings(word, "", wordnet().entries))
    usual = {(r.part, r.tag) for r in found if wordnet().share(r.entry) >= PART}
    if is_plural(word):
        usual.discard(("n", "NN"))
    return frozenset(usual), frozenset(reading.lemma for reading in found)
