"""Small pieces of plain English: counts, words and places."""

from collections.abc import Sequence

from core.space import SearchSpace, State

NOUNS = {
    "insert": "insertion",
    "delete": "deletion",
    "exchange": "exchange",
    "complement": "complement",
}


def count(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: 1 word, 2 words, 3 queries."""
    several = plural or (f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s")
    return f"{number:,} {noun if number == 1 else several}"


def place(space: SearchSpace, before: State, after: State) -> str:
    """What changes and where: ``film → picture at word 4``."""
    at = [i for i, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    swaps = [f"{space.choices[i][before[i]]} → {space.choices[i][after[i]]}" for i in at]
    noun = "word" if len(at) == 1 else "words"
    return f"{', '.join(swaps)} at {noun} {listed([str(i + 1) for i in at])}"


def listed(items: Sequence[str]) -> str:
    """``a, b and c``."""
    return " and ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))
