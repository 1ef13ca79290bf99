"""Derive from WordNet 3.0 what synonyms need: words, their senses, the words of each sense."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import regex

from core.substitutions.blocked import is_blocked
from core.substitutions.lexicon import pack, starts, write
from core.text import split

PARTS = {"n": "n", "v": "v", "a": "a", "s": "a", "r": "r"}
GLOSS = 72  # characters; enough to tell the senses of a word apart
_INDECENT = regex.compile(
    r"\b(obscene|offensive|vulgar|derogatory|disparaging) (terms?|words?|names?|slang)\b"
    r"|\((ethnic slur|obscene|vulgar|offensive)[^)]*\)|sexual intercourse|coitus|copulat"
)
_PLAIN = regex.compile(r"[a-z]([a-z'.-]*[a-z])")
_SLURS = {"ethnic_slur.n.01", "obscenity.n.02"}


def is_word(name: str) -> bool:
    """Whether a lemma is one ordinary word: lower case, a single token, more than a letter."""
    return _PLAIN.fullmatch(name) is not None and split(name).words == (name,)


def is_indecent(synset: Any) -> bool:
    """Whether WordNet marks the sense as a slur or an obscenity, or explains it as one."""
    if is_slur(synset) or _INDECENT.search(synset.definition()) is not None:
        return True
    return any(domain.name() == "disparagement.n.01" for domain in synset.usage_domains())


def is_slur(synset: Any) -> bool:
    """Whether WordNet marks the sense as an ethnic slur or an obscenity."""
    return any(domain.name() in _SLURS for domain in synset.usage_domains())


def short(gloss: str) -> str:
    """The beginning of a gloss, cut at a word."""
    plain = regex.sub(r"\([^)]*\)\s*", "", gloss).strip() or gloss
    if len(plain) <= GLOSS:
        return plain
    return plain[:GLOSS].rsplit(" ", 1)[0].rstrip(",;:") + " …"


@dataclass(frozen=True)
class Relations:
    """The words of WordNet with their senses, decent ones only."""

    reader: Any

    @cached_property
    def synsets(self) -> list[Any]:
        """All senses that are fit to be shown."""
        return [s for s in self.reader.all_synsets() if not is_indecent(s)]

    @cached_property
    def banned(self) -> set[str]:
        """Blocked words, and slurs that are not seen with a decent sense."""
        decent: Counter[str] = Counter()
        slurs: set[str] = set()
        for synset in self.reader.all_synsets():
            for lemma in synset.lemmas():
                name = lemma.name().lower()
                if is_slur(synset):
                    slurs.add(name)
                decent[name] += 0 if is_indecent(synset) else lemma.count()
        rude = {name for name in decent if is_blocked(name)}
        return rude | {name for name in slurs if not decent[name]}

    @cached_property
    def senses(self) -> dict[tuple[str, str], list[tuple[int, int]]]:
        """For each word and part of speech its senses in WordNet's order, with their counts."""
        number = {synset.name(): place for place, synset in enumerate(self.synsets)}
        found: dict[tuple[str, str], list[tuple[int, int]]] = {}
        words: dict[str, set[str]] = defaultdict(set)
        for synset in self.synsets:
            words[PARTS[synset.pos()]] |= set(filter(is_word, synset.lemma_names()))
        for part in "nvar":
            for word in sorted(words[part] - self.banned):
                counts = [
                    (number[lemma.synset().name()], lemma.count())
                    for lemma in self.reader.lemmas(word, part)
                    if lemma.name() == word and lemma.synset().name() in number
                ]
                found[word, part] = counts
        return found

    @cached_property
    def ordinary(self) -> set[str]:
        """Words that WordNet's own corpus uses in lower case, so that they are not only names."""
        totals: Counter[str] = Counter()
        for (word, _), senses in self.senses.items():
            totals[word] += sum(count for _, count in senses)
        return {word for word, total in totals.items() if total}

    def share(self, word: str, part: str) -> float:
        """How usual the part of speech is for the word, 1 for its most usual one."""
        totals = {
            other: sum(count for _, count in self.senses.get((word, other), ())) for other in "nvar"
        }
        most = max(totals.values())
        return totals[part] / most if most else 1.0

    def usual(self, word: str, part: str) -> Iterator[tuple[int, float]]:
        """The senses of a word with how usual each is, 1 for the most usual one.

        Without counts the first two senses are taken as usual.
        """
        senses = self.senses[word, part]
        most = max((count for _, count in senses), default=0)
        for rank, (synset, count) in enumerate(senses):
            if rank == 0:
                yield synset, 1.0
            else:
                yield synset, count / most if most else float(rank < 2)


def save(relations: Relations, path: Path) -> None:
    """Write wordnet.npz: entries such as ``film.n``, their senses, and the words of each sense."""
    entries = list(relations.senses)
    rows = [list(relations.usual(*entry)) for entry in entries]
    used = {synset for row in rows for synset, _ in row}
    kept = [place for place in sorted(used) if len(relations.synsets[place].lemmas()) > 1]
    number = {place: index for index, place in enumerate(kept)}
    rows = [[(number[place], usual) for place, usual in row if place in number] for row in rows]
    flat = [cell for row in rows for cell in row]
    synsets = [relations.synsets[place] for place in kept]
    write(
        path,
        entries=pack(f"{word}.{part}" for word, part in entries),
        shares=np.array([round(255 * relations.share(*entry)) for entry in entries], np.uint8),
        starts=starts(map(len, rows)),
        senses=np.array([place for place, _ in flat], np.uint32),
        usual=np.array([round(255 * usual) for _, usual in flat], np.uint8),
        names=pack(synset.name() for synset in synsets),
        glosses=pack(short(synset.definition()) for synset in synsets),
        members=pack(
            " ".join(n for n in synset.lemma_names() if n.lower() not in relations.banned)
            for synset in synsets
        ),
    )
