"""Where substitutes come from: words in, a column of substitutes with reasons for each word out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeAlias

from core.registry import Entry
from core.substitutions.lexicon import missing


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


FILE = "file"  # the setting of a substitution that reads a file of the user's
Columns: TypeAlias = Sequence[Column]
Substitution: TypeAlias = Callable[[Sequence[str]], Columns]
Constraint: TypeAlias = Callable[[Sequence[str], Columns], Columns]  # removes substitutes


def _entry(
    method: str, about: str, tables: Sequence[str] | None, **card: str
) -> Entry[Substitution]:
    """An entry for ``module.Class``, imported only when made: its module needs the types above.

    ``tables`` are the word tables it needs besides those of every lexicon; None if it needs none.
    """
    module, name = method.split(".")

    def make(**options: Any) -> Substitution:
        substitution: Substitution = getattr(import_module(f"core.substitutions.{module}"), name)(
            **options
        )
        return substitution

    def lacking() -> str:
        return "" if tables is None else missing(tables, ["nltk", "lemminflect"])

    return Entry(make, about, card, lacking)


SUBSTITUTIONS: dict[str, Entry[Substitution]] = {
    "toy": _entry(
        "toy.load", "Toy: synonyms of about fifty words, chosen by hand.", None,
        source="a list written for this project",
    ),
    "synonym": _entry(
        "synonym.Synonym", "WordNet synonyms, re-inflected", ["wordnet", "forms"],
        paper="PWWS (Ren et al., 2019)", source="WordNet 3.0",
    ),
    "sememe": _entry(
        "sememe.Sememe", "words with the same sememes", ["sememes", "wordnet", "forms"],
        paper="Sememe+PSO (Zang et al., 2020)", source="HowNet if converted, else WordNet 3.0",
    ),
    "embedding": _entry(
        "embedding.Embedding", "neighbours in word vectors", ["neighbours", "wordnet", "forms"],
        paper="GA (Alzantot et al., 2018), TextFooler (Jin et al., 2020)",
        source="counter-fitted vectors (Mrkšić et al., 2016)",
    ),
    "inflection": _entry(
        "inflection.Inflection", "other inflections of the word", [],
        paper="Morpheus (Tan et al., 2020)", source="LemmInflect",
    ),
    "table": _entry(
        "table.OwnTable", "your own table (CSV: word,substitute)", None,
        source="a file of yours", file=FILE,
    ),
}  # fmt: skip
