"""The card of a network that has just been trained."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from core.package_files import sha256
from core.victims.card import WEIGHTS, train_command
from core.victims.networks.weights import learned
from core.victims.recipes import DATA, TASKS, Recipe
from core.victims.training.loop import Learned


def card_of(home: Path, recipe: Recipe, network: nn.Module, took: Learned) -> dict[str, Any]:
    """What is known of a victim before it is measured; its weights lie in the folder already."""
    return {
        "name": home.name,
        "about": recipe.about,
        "task": TASKS[recipe.data],
        "data": DATA[recipe.data],
        "labels": list(recipe.labels),
        "network": recipe.network,
        "options": dict(recipe.options),
        "task_key": recipe.task_key,
        "command": train_command(home.name),
        "seed": recipe.seed,
        "date": datetime.now(UTC).date().isoformat(),
        "epochs": took.epochs,
        "minutes": round(took.minutes, 1),
        "parameters": sum(map(Tensor.numel, learned(network).values())),
        "megabytes": round((home / WEIGHTS).stat().st_size / 1e6, 2),
        "files": {WEIGHTS: sha256(home / WEIGHTS)},
    }
