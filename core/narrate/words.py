"""Small pieces of plain English: figures, counts, words and places."""

from collections.abc import Sequence

from core.objective import Step
from core.space import SearchSpace, State

NOUNS = {
    "insert": "insertion",
    "delete": "deletion",
    "exchange": "exchange",
    "complement": "complement",
}


def figures(*values: float) -> list[str]:
    """Numbers with two digits, or with as many as it takes to tell different ones apart."""
    for digits in range(2, 7):
        texts = [f"{value:.{digits}f}" for value in values]
        if len(set(texts)) == len(set(values)):
            return texts
    return texts


def count(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: 1 word, 2 words."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def change(before: float, after: float) -> str:
    """What a step does to the score."""
    old, new = figures(before, after)
    if before == after:
        return f"keeps the score at {old}"
    return f"{'raises' if after > before else 'lowers'} the score from {old} to {new}"


def place(space: SearchSpace, before: State, after: State) -> str:
    """What changes and where: ``film → picture at word 4``."""
    at = [i for i, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    swaps = [f"{space.choices[i][before[i]]} → {space.choices[i][after[i]]}" for i in at]
    noun = "word" if len(at) == 1 else "words"
    return f"{', '.join(swaps)} at {noun} {listed([str(i + 1) for i in at])}"


def listed(items: Sequence[str]) -> str:
    """``a, b and c``."""
    return " and ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))


def reached(step: Step) -> str:
    """That a step reaches the goal, if it does."""
    return " The goal is reached." if step.current.success else ""
