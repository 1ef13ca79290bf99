"""The bundled victims as entries of the registry, without loading any of them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from core.assets import shown
from core.errors import ResourceMissingError
from core.registry import Entry
from core.victims.card import WEIGHTS, read_card, train_command
from core.victims.protocol import Victim
from core.victims.recipes import ALL_RECIPES, DATA, TASKS, Recipe
from core.victims.words import ASSETS


def bundled(folder: Path = ASSETS) -> dict[str, Entry[Victim]]:
    """An entry for every victim that has a recipe; those without weights say how to train them."""
    return {name: _entry(folder / name, recipe) for name, recipe in ALL_RECIPES.items()}


def _entry(home: Path, recipe: Recipe) -> Entry[Victim]:
    about = f"{recipe.about}; {TASKS[recipe.data]} ({DATA[recipe.data]})"
    return Entry(_maker(home), about, _card(home, recipe), lambda: missing(home, recipe))


def _card(home: Path, recipe: Recipe) -> Mapping[str, Any]:
    try:
        return read_card(home)
    except ResourceMissingError:
        return {
            "task": TASKS[recipe.data],
            "data": DATA[recipe.data],
            "labels": recipe.labels,
            "task_key": recipe.task_key,
        }


def _maker(home: Path) -> Callable[..., Victim]:
    def make(**options: Any) -> Victim:
        from core.victims.trained import load

        return load(home.name, home.parent, **options)

    return make


def missing(home: Path, recipe: Recipe) -> str:
    """Why a victim cannot be loaded here and how to fix it, or an empty string."""
    if not (home / WEIGHTS).is_file():
        return f"{shown(home / WEIGHTS)} is missing; train it with: {train_command(home.name)}"
    return recipe.package.missing() if recipe.package else ""
