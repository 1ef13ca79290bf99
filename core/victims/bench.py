"""Measure how many texts a second a victim reads: ``python -m core.victims.bench NAME``.

Every text is a one-word change of one sentence, as in a local search; the string path reads the
texts, the bound path the states.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from core.errors import CoreError
from core.text import split
from core.victims import words as shared
from core.victims.bound import text_of
from core.victims.neural import NeuralVictim, load

TEXT = (
    "Despite a few slow moments, it's a warm and surprisingly funny film that doesn't waste the "
    "talents of its well-chosen cast."
)
PREMISE = "Two women are walking their dogs in a park near the lake."
HYPOTHESIS = "Some people walk outside with their animals, which doesn't happen often."
SUBSTITUTES = [
    "film",
    "movie",
    "picture",
    "warm",
    "cold",
    "dull",
    "great",
    "terrible",
    "funny",
    "sad",
    "slow",
    "quick",
    "talent",
    "gift",
    "moment",
    "minute",
    "cast",
    "crew",
    "awful",
    "excellent",
    "brilliant",
    "waste",
    "amazingly",
    "oddly",
]


@dataclass(frozen=True)
class Sentence:
    """A search space made of one sentence and a few substitutes for each of its words."""

    choices: tuple[tuple[str, ...], ...]
    gaps: tuple[str, ...]


def sentence_space(text: str, each: int = 12) -> Sentence:
    """The same substitutes, in turn, for the words of a text."""
    words, gaps = split(text)
    columns = []
    for number, word in enumerate(words):
        turned = SUBSTITUTES[number % len(SUBSTITUTES) :] + SUBSTITUTES
        chosen = [other for other in dict.fromkeys(turned) if other != word.lower()]
        columns.append((word, *chosen[:each]))
    return Sentence(tuple(columns), gaps)


def neighbours(space: Sentence) -> NDArray[np.int64]:
    """All states with one changed word, round after round over the words."""
    count = len(space.choices)
    most = max(len(column) for column in space.choices)
    rows = []
    for choice in range(1, most):
        changed = np.eye(count, dtype=np.int64) * choice
        rows += [changed[i] for i in range(count) if choice < len(space.choices[i])]
    return np.array(rows)


def rate(call: Callable[[], object], size: int, seconds: float) -> float:
    """Texts a second over about the given time, after one call to warm up."""
    call()
    began, calls = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        call()
        calls += 1
    return size * calls / (time.perf_counter() - began)


def throughput(victim: NeuralVictim, size: int, seconds: float = 2.0) -> dict[str, float]:
    """Texts a second of both paths for batches of one size."""
    fixed = victim.with_premise(PREMISE) if victim.needs_premise else victim
    space = sentence_space(HYPOTHESIS if victim.needs_premise else TEXT, each=24)
    states = neighbours(space)[:size]
    texts = [text_of(space, state) for state in states.tolist()]
    bound = fixed.bind(space)
    by_text = rate(lambda: fixed.predict(texts), len(states), seconds)
    by_state = rate(lambda: bound(states), len(states), seconds)
    return {
        "batch": len(states),
        "string": round(by_text, 1),
        "bound": round(by_state, 1),
        "ratio": round(by_state / by_text, 2),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print texts per second at batches of 1, 64 and 256."""
    parser = argparse.ArgumentParser(prog="python -m core.victims.bench", description=main.__doc__)
    parser.add_argument("name", help="a bundled victim")
    parser.add_argument("--victims", type=Path, default=shared.ASSETS, help="folder of the victims")
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each figure")
    parser.add_argument("--threads", type=int, default=1, help="threads of each forward pass")
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    try:
        victim = load(options.name, options.victims)
    except CoreError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    for size in (1, 64, 256):
        result = {"victim": options.name, **throughput(victim, size, options.seconds)}
        sys.stdout.write(json.dumps(result) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
