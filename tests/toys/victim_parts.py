"""Tiny real victims for the tests: words, networks and folders, all made here."""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.victims.recipes import Recipe
from core.victims.training.data import Example, Split
from core.victims.training.train import train_victim
from core.victims.words import Words, build, save

GOOD = ["good", "great", "fine", "lovely", "warm", "funny", "superb"]
BAD = ["bad", "awful", "dull", "dreadful", "cold", "boring", "poor"]
NEUTRAL = [
    "the",
    "a",
    "film",
    "movie",
    "plot",
    "cast",
    "is",
    "was",
    "and",
    "but",
    "n't",
    "'s",
    "it",
    "do",
    "does",
    "well",
    "made",
    ",",
    ".",
    "!",
    "?",
    "of",
]


@dataclass(frozen=True)
class Space:
    """As much of a search space as a victim needs."""

    choices: tuple[tuple[str, ...], ...]
    gaps: tuple[str, ...]


def tiny_words() -> Words:
    """Some words with vectors in which good and bad are easy to tell apart."""
    rng = np.random.default_rng(1)
    glove = {}
    for word in [*GOOD, *BAD, *NEUTRAL]:
        vector = rng.normal(size=8).astype(np.float32)
        vector[0] = 2 * (word in GOOD) - 2 * (word in BAD)
        glove[word] = vector
    return build(glove, {}, frequent=len(glove))


def sentiment_rows(count: int, seed: int) -> tuple[Example, ...]:
    """Sentences whose label is that of their adjective."""
    rng = random.Random(seed)
    rows = []
    for _ in range(count):
        label = rng.randrange(2)
        adjective = rng.choice(GOOD if label else BAD)
        noun = rng.choice(["film", "movie", "plot"])
        text = f"The {noun} {rng.choice(['is', 'was'])} {adjective}{rng.choice(['.', '!', ''])}"
        rows.append(Example(text, label))
    return tuple(rows)


def pair_rows(count: int, seed: int) -> tuple[Example, ...]:
    """Entailment if both praise or both blame, contradiction if not, neutral without either."""
    rng = random.Random(seed)
    rows = []
    for number in range(count):
        first, second = rng.randrange(2), rng.randrange(2)
        label = rng.randrange(3)
        said = rng.choice((BAD, GOOD)[first])
        if label == 1:
            text = "It was a movie"
        else:
            second = first if label == 2 else 1 - first
            text = f"It was {rng.choice((BAD, GOOD)[second])}"
        rows.append(Example(text, label, f"The film is {said}{'.' * (number % 2)}"))
    return tuple(rows)


RECIPES = {
    "lstm": Recipe("sst2", "lstm", "tiny LSTM", {"hidden": 6, "directions": 1, "dropout": 0.1}),
    "bilstm": Recipe("sst2", "lstm", "tiny BiLSTM", {"hidden": 6, "directions": 2, "dropout": 0.1}),
    "cnn": Recipe("sst2", "cnn", "tiny CNN", {"filters": 6, "dropout": 0.1}),
    "charcnn": Recipe("sst2", "charcnn", "tiny char-CNN", {"filters": 8, "dropout": 0.1}),
    "dnn": Recipe("snli", "dnn", "tiny DNN", {"hidden": 12, "dropout": 0.1}),
    "infersent": Recipe("snli", "infersent", "tiny InferSent", {"hidden": 6, "dropout": 0.1}),
    "esim": Recipe("snli", "esim", "tiny ESIM", {"hidden": 6, "dropout": 0.1}),
}


def split_of(recipe: Recipe, count: int) -> Split:
    """Rows that fit a recipe."""
    make = pair_rows if recipe.data == "snli" else sentiment_rows
    return Split(make(count, 1), make(40, 2), make(40, 3), "made in the test")


def train_tiny(name: str, folder: Path, count: int = 64, **changes: int | float) -> dict[str, Any]:
    """Train a tiny victim into a folder that has the tiny words."""
    from dataclasses import replace

    settings: dict[str, Any] = {"epochs": 1, "batch": 16, **changes}
    recipe = replace(RECIPES[name], **settings)
    words = tiny_words()
    save(words, folder)
    known = None if recipe.network == "charcnn" else words
    return train_victim(
        name, recipe, split_of(recipe, count), folder=folder, words=known, say=lambda line: None
    )
