"""Where substitutes come from: words in, a column of substitutes with reasons for each word out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeAlias

from core.registry import Entry


@dataclass(frozen=True)
class Substitute:
    """A word that may stand in for another, and why."""

    word: str
    reason: str


@dataclass(frozen=True)
class Column:
    """The substitutes of one word, in a fixed order, or a note that says why there are none."""

    substitutes: tuple[Substitute, ...] = ()
    note: str = ""


Substitution: TypeAlias = Callable[[Sequence[str]], Sequence[Column]]


def _entry(module: str, name: str, about: str) -> Entry[Substitution]:
    """An entry whose module is imported when it is made: it needs the types above."""

    def make(**options: Any) -> Substitution:
        method: Substitution = getattr(import_module(f"core.substitutions.{module}"), name)(
            **options
        )
        return method

    return Entry(make, about)


SUBSTITUTIONS: dict[str, Entry[Substitution]] = {
    "toy": _entry("toy", "load", "Toy: synonyms of about fifty words, chosen by hand."),
    "synonym": _entry("synonym", "Synonym", "WordNet synonyms (PWWS), re-inflected"),
    "sememe": _entry("sememe", "Sememe", "words with the same sememes (Sememe+PSO)"),
    "embedding": _entry("embedding", "Embedding", "counter-fitted neighbours (GA, TextFooler)"),
    "inflection": _entry("inflection", "Inflection", "other inflections (Morpheus)"),
}
