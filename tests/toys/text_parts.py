"""Tiny real victims that answer and translate: data, recipes and folders, all made here."""

import gzip
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from core.generators import follow
from core.victims.recipes import Recipe
from core.victims.training import answering, translating
from core.victims.words import Words, build, save

NAMES = ("ada", "ben", "cleo", "dan", "eva", "finn")
TOWNS = ("rome", "oslo", "paris", "lima", "cairo", "delhi")
_OTHER = ("where", "does", "live", "lives", "in", ".", "?", "who", "and")

FRENCH = {
    "the": "le",
    "a": "un",
    "dog": "chien",
    "cat": "chat",
    "horse": "cheval",
    "sleeps": "dort",
    "runs": "court",
    "eats": "mange",
    "here": "ici",
    "now": "maintenant",
    "often": "souvent",
}

RECIPES = {
    "transformer": Recipe(
        "multi30k",
        "transformer",
        "tiny Transformer",
        {"size": 32, "heads": 2, "inner": 32, "layers": 1, "dropout": 0.0},
    ),
    "convs2s": Recipe(
        "multi30k", "convs2s", "tiny convolutions", {"size": 32, "layers": 2, "dropout": 0.0}
    ),
    "bidaf": Recipe(
        "squad", "bidaf", "tiny BiDAF", {"hidden": 8, "letters": 4, "dropout": 0.0}, min_count=1
    ),
}


def town_words() -> Words:
    """The words of the questions, with vectors drawn at random."""
    rng = np.random.default_rng(2)
    names = [*NAMES, *TOWNS, *_OTHER]
    glove = {word: rng.normal(size=12).astype(np.float32) for word in names}
    return build(glove, {}, frequent=len(glove))


def sentences(count: int, seed: int) -> list[tuple[str, str]]:
    """English sentences with their translations, word by word."""
    rng = random.Random(seed)
    rows = []
    for _ in range(count):
        words = [rng.choice(part) for part in (["the", "a"], ["dog", "cat", "horse"])]
        words += [rng.choice(["sleeps", "runs", "eats"]), rng.choice(["here", "now", "often"])]
        rows.append((" ".join(words) + ".", " ".join(FRENCH[word] for word in words) + "."))
    return rows


def articles(count: int, seed: int, *, impossible: bool = False) -> list[dict[str, Any]]:
    """Passages of who lives where, as SQuAD writes them; where one is asked for, somebody else."""
    rng = random.Random(seed)
    found = []
    for number in range(count):
        names, towns = rng.sample(NAMES, 3), rng.sample(TOWNS, 2)
        told = [f"{n.title()} lives in {t.title()}." for n, t in zip(names, towns, strict=False)]
        passage = " ".join(told)
        asked = [
            _asked(passage, name, town, f"{number} {name}")
            for name, town in zip(names, towns, strict=False)
        ]
        if impossible:
            missing = {"question": f"Where does {names[2].title()} live?", "id": f"{number} none"}
            asked.append({**missing, "answers": [], "is_impossible": True})
        found.append(
            {"title": f"Article {number}", "paragraphs": [{"context": passage, "qas": asked}]}
        )
    return found


def _asked(passage: str, name: str, town: str, key: str) -> dict[str, Any]:
    start = passage.index(town.title())
    answer = {"text": town.title(), "answer_start": start}
    return {"question": f"Where does {name.title()} live?", "id": key, "answers": [answer] * 2}


def data_folder(folder: Path, rows: int = 200) -> Path:
    """A folder with made data in the files of the real ones."""
    for part, count, seed in (("train", rows, 1), ("val", 40, 2)):
        for at, language in enumerate(("en", "fr")):
            lines = [row[at] for row in sentences(count, seed)]
            _packed(folder / "multi30k" / f"{part}.{language}.gz", lines)
    short = ["\t".join((*row, "credit")) for row in sentences(10, 3)]
    _packed(folder / "tatoeba" / "fra.tsv.gz", short)
    (folder / "squad").mkdir(parents=True)
    for part, count, seed in (("train", rows, 4), ("dev", 20, 5)):
        content = json.dumps({"data": articles(count, seed)})
        (folder / "squad" / f"{part}-v1.1.json").write_text(content, encoding="utf-8")
    second = json.dumps({"data": articles(16, 6, impossible=True)})
    _packed(folder / "squad2" / "cs224n_dev-v2.0.json.gz", [second])
    return folder


def _packed(path: Path, lines: Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("\n".join([*lines, ""]).encode()))


def train_tiny(name: str, folder: Path, data: Path, **changes: Any) -> dict[str, Any]:
    """Train a tiny victim into a folder that has the words of the questions."""
    settings: dict[str, Any] = {"epochs": 1, "batch": 16, "checks": 1, "patience": 99, **changes}
    recipe = replace(RECIPES[name], **settings)
    save(town_words(), folder)
    steps = answering if recipe.task_key == "answering" else translating
    return follow(steps.train_steps(name, recipe, data, folder), lambda check: None)
