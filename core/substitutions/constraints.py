"""Constraints that combine with any substitution: functions from (words, columns) to columns.

A constraint only removes substitutes. One that empties a column says why in its note; sentence
similarity and language models plug in the same way.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from core.substitutions.columns import stem
from core.substitutions.embedding import cosine, neighbours
from core.substitutions.protocol import Column, Columns, Constraint, Substitute, Substitution
from core.substitutions.tagging import tag, universal
from core.substitutions.vocabulary import is_stop_word
from core.text import remembered


def constrain(substitution: Substitution, *constraints: Constraint) -> Substitution:
    """The substitution with the constraints applied one after the other."""

    def constrained(words: Sequence[str]) -> Columns:
        columns = substitution(words)
        for constraint in constraints:
            columns = constraint(words, columns)
        return columns

    return constrained


def keep(
    words: Sequence[str],
    columns: Columns,
    allowed: Callable[[int, Substitute], bool],
    note: str,
) -> tuple[Column, ...]:
    """Keep the allowed substitutes (by position); the note is for columns that become empty."""
    kept = []
    for position, column in enumerate(columns):
        rest = tuple(s for s in column.substitutes if allowed(position, s))
        kept.append(column if not column.substitutes else Column(rest, "" if rest else note))
    return tuple(kept)


def stop_words(words: Sequence[str], columns: Columns) -> Columns:
    """Leave stop words alone."""
    return keep(words, columns, lambda place, _: not is_stop_word(words[place]), "stop word")


@dataclass(frozen=True)
class Protected:
    """Leave the listed words alone, whatever their capitals."""

    listed: Collection[str]

    def __call__(self, words: Sequence[str], columns: Columns) -> Columns:
        fixed = {word.lower() for word in self.listed}

        def free(place: int, substitute: Substitute) -> bool:
            return fixed.isdisjoint(map(str.lower, words[place : place + substitute.width]))

        return keep(words, columns, free, "protected word")


@dataclass(frozen=True)
class AtMost:
    """Keep the first substitutes of each word."""

    count: int

    def __call__(self, words: Sequence[str], columns: Columns) -> Columns:
        return tuple(
            Column(
                column.substitutes[: self.count],
                column.note if self.count or not column.substitutes else "limit of 0 substitutes",
            )
            for column in columns
        )


@dataclass(frozen=True)
class MinCosine:
    """Keep substitutes that are near the word in the counter-fitted vectors.

    Only the 50 nearest neighbours of each word are known: a pair outside both lists counts as far.
    Words without a vector pass if ``unknown``.
    """

    cosine: float = 0.5
    unknown: bool = True

    def __call__(self, words: Sequence[str], columns: Columns) -> Columns:
        places = neighbours().places

        def near(position: int, substitute: Substitute) -> bool:
            word = stem(words[position])[0].lower()
            other = stem(substitute.word)[0].lower()
            if word not in places or other not in places:
                return self.unknown
            return (cosine(word, other) or 0.0) >= self.cosine

        return keep(words, columns, near, f"none with cosine {self.cosine:g} or more")


def part_of_speech(words: Sequence[str], columns: Columns) -> Columns:
    """Keep substitutes with the coarse tag of the word, nouns and verbs counting as equal.

    TextFooler's rule: the new word is tagged in a window of four words on either side when the
    text has more than ten words, the old one in the whole text.
    """
    tags = tag(words)
    reach = 4 if len(words) > 10 else len(words)

    def same(position: int, substitute: Substitute) -> bool:
        start = max(0, position - reach)
        # The tagger never looks further ahead than two words; of several words the first decides.
        end = position + substitute.width
        left, right = words[start:position], words[end : end + min(2, reach)]
        new = _tag_at((*left, *substitute.word.split(" "), *right), position - start)
        return _coarse(new) == _coarse(tags[position])

    return keep(words, columns, same, "none with the same part of speech")


@remembered(1 << 15, longest=500)
def _tag_at(words: tuple[str, ...], position: int) -> str:
    return tag(words)[position]


def _coarse(penn: str) -> str:
    part = universal(penn)
    return "NOUN" if part == "VERB" else part
