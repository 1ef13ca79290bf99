"""What a substitution finds for the words of a text."""

from core.substitutions.protocol import Column, Substitution
from core.text import split

SENTENCE = (
    "Mary's husband didn't enjoy the 3 TERRIBLE movies that they'd watched in Paris; "
    "he's happier with well-made, funny stories, and the film’s ending isn't bad."
)


def by_word(substitution: Substitution, text: str) -> dict[str, Column]:
    words = split(text).words
    return dict(zip(words, substitution(words), strict=True))


def found(substitution: Substitution, text: str, word: str) -> list[str]:
    return [substitute.word for substitute in by_word(substitution, text)[word].substitutes]
