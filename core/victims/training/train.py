"""Train a bundled victim: ``python -m core.victims.training.train NAME --data DIR``."""

import argparse
import json
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import torch
from torch import Tensor, nn

from core.errors import CoreError, require
from core.generators import follow
from core.package_files import sha256
from core.registry import find
from core.victims import words as shared
from core.victims.card import WEIGHTS, checked_files, read_card, train_command, write_card
from core.victims.networks.kinds import Reader
from core.victims.networks.registry import kind_of
from core.victims.networks.weights import (
    build_network,
    learned,
    reader_of,
    restored_network,
    save_weights,
    tuned_words,
)
from core.victims.neural import load
from core.victims.protocol import Victim
from core.victims.recipes import ALL_RECIPES, DATA, Recipe
from core.victims.training import answering, data, measure, translating
from core.victims.training.cards import card_of
from core.victims.training.data import Example, Split
from core.victims.training.fitting import (
    EncodedExample,
    encode,
    evaluate,
    fit_steps,
    scorer_of,
)
from core.victims.training.loop import Check, Learned
from core.victims.training.soft_labels import distilled, read_soft_labels
from core.victims.words import Words

OTHER_TASKS: Final = {
    "answering": answering.train_steps,
    "translation": translating.train_steps,
}  # of victims that give no labels


# A network, what reads for it, rows to train and to stop on, and a recipe -> epochs used.
Fit: TypeAlias = Callable[
    [nn.Module, Reader, Sequence[Example], Sequence[Example], Recipe],
    Generator[Check, None, Learned],
]


def train_victim(
    name: str,
    recipe: Recipe,
    split: Split,
    *,
    folder: Path,
    words: Words | None,
    say: Callable[[str], object],
    start: nn.Module | None = None,
    notes: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Train, save, load again and measure a victim; its card is written and returned."""
    steps = train_steps(name, recipe, split, folder=folder, words=words, start=start, notes=notes)
    return follow(steps, lambda check: say(check.message))


def train_steps(
    name: str,
    recipe: Recipe,
    split: Split,
    *,
    folder: Path,
    words: Words | None,
    words_folder: Path | None = None,
    start: nn.Module | None = None,
    notes: Mapping[str, Any] | None = None,
    progress: Path | None = None,
    fit: Fit | None = None,
) -> Generator[Check, None, dict[str, Any]]:
    """The same, one check of the training after the other; ``start`` is trained further.

    The shared words lie in ``folder`` unless another one is named; ``notes`` go on the card;
    ``fit`` takes the place of the usual training.
    """
    words_folder = words_folder or folder
    torch.manual_seed(recipe.seed)
    kind = kind_of(recipe.network)
    reader = reader_of(kind, words)
    train, stop = (encode(part, reader, recipe) for part in (split.train, split.stop))
    network = start or _untrained(recipe, train, words)
    size = sum(map(Tensor.numel, learned(network).values()))
    yield Check(0.0, f"{name}: {len(train):,} rows, {size:,} numbers")
    scorer = scorer_of(network, kind)
    if fit is None:
        took = yield from fit_steps(network, train, stop, recipe, scorer, progress)
    else:
        took = yield from fit(network, reader, split.train, split.stop, recipe)
    temperature = measure.best_temperature(
        evaluate(network, scorer, stop), np.array([row.label for row in stop])
    )
    home = folder / name
    home.mkdir(parents=True, exist_ok=True)
    save_weights(network, home / WEIGHTS)
    card = card_of(home, recipe, network, took)
    card |= {"temperature": temperature, "training_rows": len(train)}
    card |= {"split": split.note, **(notes or {})}
    if words is not None:
        shared_files = ("words.txt", "words.safetensors")
        card["files"] |= {f"../{file}": sha256(words_folder / file) for file in shared_files}
    write_card(home, card)
    # what is measured is what is shipped, rounding included
    victim = load(name, folder, words_folder)
    card |= {"stop": _measured(victim, split.stop), "held_out": _measured(victim, split.held_out)}
    write_card(home, card)
    return card


def _measured(victim: Victim, rows: Sequence[Example]) -> dict[str, Any]:
    probabilities = measure.predict_rows(victim, rows)
    labels = np.array([row.label for row in rows])
    return {
        "rows": len(rows),
        "accuracy": round(measure.accuracy(probabilities, labels), 4),
        "calibration_error": round(measure.calibration_error(probabilities, labels), 4),
    }


def _untrained(recipe: Recipe, train: Sequence[EncodedExample], words: Words | None) -> nn.Module:
    """A network at its start, with vectors of its own for the words of the rows."""
    tuned = None
    if words is not None:
        tuned = tuned_words((part for r in train for part in (r.ids, r.context)), recipe.min_count)
    kind = kind_of(recipe.network)
    return build_network(kind, len(recipe.labels), recipe.options, words=words, tuned=tuned)


@dataclass(frozen=True)
class Course:
    """What a victim is trained with and from, and what its card says about that."""

    recipe: Recipe
    split: Split
    start: nn.Module | None
    notes: Mapping[str, Any]


def course(
    name: str,
    recipe: Recipe,
    split: Split,
    words: Words | None,
    *,
    teacher: Path | None = None,
    further: Path | None = None,
) -> Course:
    """A plain training, or one with a teacher's soft labels, or further from a folder's weights."""
    start, command, notes = None, train_command(name), dict[str, Any]()
    if teacher is not None:
        labels = read_soft_labels(teacher, recipe.data, len(recipe.labels))
        own = len(split.train)
        split = distilled(split, labels)
        loose = len(split.train) - own
        recipe = replace(recipe, bfloat16=True)
        command += " --teacher FILE"
        notes["data"] = f"{DATA[recipe.data]}; {loose:,} IMDB sentences; soft labels of a teacher"
        notes["teacher"] = dict(labels.teacher)
    if further is not None:
        home = further / name
        card = read_card(home)
        checked_files(home, card)
        size, options = len(recipe.labels), card["options"]
        start = restored_network(home / WEIGHTS, kind_of(recipe.network), size, options, words)
        # it has learned most of it already
        recipe = replace(recipe, epochs=1, rate=recipe.rate / 2)
        command += " --further VICTIMS"
        notes["start"] = {"command": card["command"], "sha256": card["files"][WEIGHTS]}
    return Course(recipe, split, start, {**notes, "command": command})


def main(arguments: Sequence[str] | None = None) -> int:
    """Train one of the bundled victims and write its weights and card."""
    parser = argparse.ArgumentParser(
        prog="python -m core.victims.training.train", description=main.__doc__
    )
    parser.add_argument("name", help=f"one of: {', '.join(ALL_RECIPES)}")
    parser.add_argument("--data", type=Path, required=True, help="folder with the training data")
    parser.add_argument("--out", type=Path, default=shared.ASSETS)
    parser.add_argument("--teacher", type=Path, help="file with soft labels to learn as well")
    parser.add_argument(
        "--further", type=Path, help="folder of victims; its weights are trained further"
    )
    parser.add_argument(
        "--progress", type=Path, help="file that keeps the training, to go on if it is stopped"
    )
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    try:
        card = follow(_steps(options), lambda check: _say(check.message))
    except CoreError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    _say(json.dumps({part: card[part] for part in ("stop", "held_out")}))
    return 0


def _steps(options: argparse.Namespace) -> Generator[Check, None, dict[str, Any]]:
    """The training that the options ask for."""
    recipe = find(ALL_RECIPES, options.name, "victim to train")
    if recipe.task_key in OTHER_TASKS:
        require(
            not (options.teacher or options.further),
            f"{options.name} is no classifier; --teacher and --further are for classifiers.",
        )
        train = OTHER_TASKS[recipe.task_key]
        return train(options.name, recipe, options.data, options.out, options.progress)
    words = shared.load(options.out) if kind_of(recipe.network).reads_words else None
    split = data.load(recipe.data, options.data)
    chosen = course(
        options.name, recipe, split, words, teacher=options.teacher, further=options.further
    )
    return train_steps(
        options.name,
        chosen.recipe,
        chosen.split,
        folder=options.out,
        words=words,
        start=chosen.start,
        notes=chosen.notes,
        progress=options.progress,
    )


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
