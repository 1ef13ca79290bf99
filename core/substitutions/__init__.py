"""Where substitutes come from: words in, a column of substitutes with reasons for each word out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

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


def _toy() -> Substitution:
    from core.substitutions import toy

    return toy.load()


SUBSTITUTIONS: dict[str, Entry[Substitution]] = {
    "toy": Entry(_toy, "Toy: synonyms of about fifty words, chosen by hand."),
}
