"""Constraints by name: what may be asked of substitutes, whatever method they come from."""

from collections.abc import Callable, Sequence

from core.errors import InputError
from core.quality.constraints import CONSTRAINTS as MODEL_CONSTRAINTS
from core.quality.constraints import LanguageModelFilter, SentenceSimilarity
from core.registry import Entry, find
from core.substitutions.constraints import (
    AtMost,
    MinCosine,
    Protected,
    constrain,
    part_of_speech,
    stop_words,
)
from core.substitutions.protocol import Constraint, Substitution


def _number(text: str) -> float:
    number = float(text)
    if not 0 <= number < 1_000:
        raise ValueError(text)
    return number


def _with_model(key: str, make: Callable[[str], Constraint]) -> Entry[Constraint]:
    entry = MODEL_CONSTRAINTS[key]
    return Entry(make, entry.about, entry.card, entry.missing)


CONSTRAINTS: dict[str, Entry[Constraint]] = {  # each is made from the text behind NAME=
    "stop-words": Entry(lambda value: stop_words, "leave stop words alone"),
    "part-of-speech": Entry(
        lambda value: part_of_speech, "keep substitutes with the part of speech of the word"
    ),
    "protected": Entry(
        lambda value: Protected(value.split(",")), "leave these words alone: protected=one,two"
    ),
    "at-most": Entry(
        lambda value: AtMost(int(_number(value or "8"))),
        "keep the first substitutes of a word: at-most=8",
    ),
    "min-cosine": Entry(
        lambda value: MinCosine(_number(value or "0.5")),
        "keep substitutes that are near in the counter-fitted vectors: min-cosine=0.5",
    ),
    "similarity": _with_model(
        "similarity", lambda value: SentenceSimilarity(threshold=_number(value or "0.5"))
    ),
    "language-model": _with_model(
        "language-model", lambda value: LanguageModelFilter(top=int(_number(value or "4")))
    ),
}


def parse(text: str) -> Constraint:
    """A constraint from ``NAME`` or ``NAME=VALUE``."""
    name, _, value = text.partition("=")
    entry = find(CONSTRAINTS, name, "constraint")
    try:
        return entry(value=value)
    except ValueError:
        raise InputError(f'{name}={value}: "{value}" is not a number that fits.') from None


def constrained(substitution: Substitution, texts: Sequence[str]) -> Substitution:
    """The substitution under constraints given as texts."""
    return constrain(substitution, *map(parse, texts)) if texts else substitution
