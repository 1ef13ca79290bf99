"""What a substitution is: words in, a column of substitutes with reasons for each word out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias


@dataclass(frozen=True)
class Substitute:
    """A word, or several, that may stand in for a word or for several, and why."""

    word: str
    reason: str
    width: int = 1  # how many words of the text it replaces, from that of its column on


@dataclass(frozen=True)
class Column:
    """The substitutes of one word, in a fixed order, or a note that says why there are none."""

    substitutes: tuple[Substitute, ...] = ()
    note: str = ""


FILE: Final = "file"  # the setting of a substitution that reads a file of the user's
Columns: TypeAlias = Sequence[Column]
Substitution: TypeAlias = Callable[[Sequence[str]], Columns]
Constraint: TypeAlias = Callable[[Sequence[str], Columns], Columns]  # removes substitutes
