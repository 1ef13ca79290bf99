"""Train a bundled victim: ``python -m core.victims.train NAME --data DIR``."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from core.errors import CoreError
from core.packaged import sha256
from core.registry import find
from core.victims import data, measure
from core.victims import words as shared
from core.victims.card import WEIGHTS, train_command, write_card
from core.victims.data import Split
from core.victims.fitting import encode, evaluate, fit, scorer_of
from core.victims.neural import load
from core.victims.readers import reader_of
from core.victims.recipes import DATA, RECIPES, TASKS, Recipe
from core.victims.weights import (
    build_network,
    learned,
    save_weights,
    tuned_words,
)
from core.victims.words import Words


def train_victim(
    name: str,
    recipe: Recipe,
    split: Split,
    *,
    folder: Path,
    words: Words | None,
    say: Callable[[str], object],
) -> dict[str, Any]:
    """Train, save, load again and measure a victim; its card is written and returned."""
    began = time.monotonic()
    torch.manual_seed(recipe.seed)
    reader = reader_of(recipe.network, words)
    train, stop = (encode(part, reader, recipe) for part in (split.train, split.stop))
    tuned = None
    if words is not None:
        tuned = tuned_words((part for r in train for part in (r.ids, r.premise)), recipe.min_count)
    network = build_network(
        recipe.network, len(recipe.labels), recipe.options, words=words, tuned=tuned
    )
    size = sum(map(Tensor.numel, learned(network).values()))
    say(f"{name}: {len(train):,} rows, {size:,} numbers")
    scorer = scorer_of(network)
    epochs = fit(network, train, stop, recipe, scorer, say)
    temperature = measure.best_temperature(
        evaluate(network, scorer, stop), np.array([row.label for row in stop])
    )
    home = folder / name
    home.mkdir(parents=True, exist_ok=True)
    save_weights(network, home / WEIGHTS)
    card: dict[str, Any] = {
        "name": name,
        "about": recipe.about,
        "task": TASKS[recipe.data],
        "data": DATA[recipe.data],
        "labels": list(recipe.labels),
        "network": recipe.network,
        "options": dict(recipe.options),
        "needs_premise": recipe.data == "snli",
        "temperature": temperature,
        "training_rows": len(train),
        "epochs": epochs,
        "split": split.note,
        "command": train_command(name),
        "seed": recipe.seed,
        "date": datetime.now(UTC).date().isoformat(),
        "minutes": round((time.monotonic() - began) / 60, 1),
        "parameters": size,
        "megabytes": round((home / WEIGHTS).stat().st_size / 1e6, 2),
        "files": {WEIGHTS: sha256(home / WEIGHTS)},
    }
    if words is not None:
        shared_files = ("words.txt", "words.safetensors")
        card["files"] |= {f"../{file}": sha256(folder / file) for file in shared_files}
    write_card(home, card)
    victim = load(name, folder)  # what is measured is what is shipped, rounding included
    for part, rows in (("stop", split.stop), ("held_out", split.held_out)):
        probabilities = measure.predict_rows(victim, rows)
        labels = np.array([row.label for row in rows])
        card[part] = {
            "rows": len(rows),
            "accuracy": round(measure.accuracy(probabilities, labels), 4),
            "calibration_error": round(measure.calibration_error(probabilities, labels), 4),
        }
    write_card(home, card)
    return card


def main(arguments: Sequence[str] | None = None) -> int:
    """Train one of the bundled victims and write its weights and card."""
    parser = argparse.ArgumentParser(prog="python -m core.victims.train", description=main.__doc__)
    parser.add_argument("name", help=f"one of: {', '.join(RECIPES)}")
    parser.add_argument("--data", type=Path, required=True, help="folder with the training data")
    parser.add_argument("--out", type=Path, default=shared.ASSETS)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    try:
        recipe = find(RECIPES, options.name, "victim to train")
        words = None if recipe.network in ("minilm", "charcnn") else shared.load(options.out)
        split = data.load(recipe.data, options.data)
    except CoreError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    card = train_victim(options.name, recipe, split, folder=options.out, words=words, say=_say)
    _say(json.dumps({part: card[part] for part in ("stop", "held_out")}))
    return 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
