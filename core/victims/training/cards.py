"""The card of a network that has just been trained."""

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from torch import Tensor

from core.package_files import sha256
from core.victims.card import WEIGHTS, train_command
from core.victims.recipes import DATA, TASKS, Recipe


def card_of(
    home: Path, recipe: Recipe, learned: Mapping[str, Tensor], began: float
) -> dict[str, Any]:
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
        "minutes": round((time.monotonic() - began) / 60, 1),
        "parameters": sum(map(Tensor.numel, learned.values())),
        "megabytes": round((home / WEIGHTS).stat().st_size / 1e6, 2),
        "files": {WEIGHTS: sha256(home / WEIGHTS)},
    }
