"""A thesaurus of harmless swaps, written for this project and read by three readers.

Every line is a sense of a word. What stands under ``harmless`` says the same to all three readers,
what stands under ``close`` said something slightly different to one of them. Nothing is swapped in
a fixed phrase.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from core import assets
from core.errors import ResourceMissingError
from core.substitutions.columns import stem
from core.substitutions.morphology import lemmas
from core.text import remembered

FILE = assets.FOLDER / "thesaurus" / "thesaurus.tsv"
HEADER = ("entry", "sense", "harmless", "close", "fixed phrases")


@dataclass(frozen=True)
class ListedSense:
    """One sense of a word, and the words that say the same."""

    gloss: str
    harmless: tuple[str, ...]
    close: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]  # in which the word must stay


@cache
def thesaurus() -> Mapping[str, tuple[ListedSense, ...]]:
    """The senses of every entry, such as ``film.n``, in the order of the file."""
    try:
        header, *lines = FILE.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ResourceMissingError(
            f"{assets.shown(FILE)} is missing ({error.strerror}); restore it with: git checkout"
        ) from None
    if tuple(header.split("\t")) != HEADER:
        raise ResourceMissingError(f"{assets.shown(FILE)} is damaged; restore it: git checkout")
    found = defaultdict[str, list[ListedSense]](list)
    for line in lines:
        entry, gloss, harmless, close, phrases = line.split("\t")
        fixed = tuple(tuple(phrase.split()) for phrase in _listed(phrases))
        found[entry].append(ListedSense(gloss, _listed(harmless), _listed(close), fixed))
    return {entry: tuple(senses) for entry, senses in found.items()}


def _listed(cell: str) -> tuple[str, ...]:
    return () if cell == "-" else tuple(cell.split(", "))


def fixed_phrase(words: Sequence[str], place: int, entry: str) -> str:
    """The fixed phrase that the word at a place belongs to, or nothing."""
    for sense in thesaurus()[entry]:
        for phrase in sense.phrases:
            for start in range(max(0, place - len(phrase) + 1), place + 1):
                here = words[start : start + len(phrase)]
                if len(here) == len(phrase) and all(map(_is_form_of, here, phrase)):
                    return " ".join(phrase)
    return ""


def _is_form_of(word: str, listed: str) -> bool:
    return listed in _names(word)


@remembered(1 << 14)
def _names(word: str) -> frozenset[str]:
    """A word as it may be listed: as it is, without its ending, as the words it is a form of."""
    plain = word.lower()
    base = stem(plain)[0]
    return frozenset((plain, base, *lemmas(base)))
