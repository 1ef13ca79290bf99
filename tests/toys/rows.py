"""Rows of a data set, read as inputs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.experiment.data import Limits, Source
from core.experiment.inputs import Inputs, load
from core.tasks.classification import Classification
from core.tasks.pair import Pair

SENTIMENT = ("negative", "positive")
GOOD = "This is a good film with a very warm and honest heart."
BAD = "This is a bad film with a script that nobody should have filmed."


def read(folder: Path, source: Source, labels: Sequence[str] = SENTIMENT, **more: Any) -> Inputs:
    limits = Limits(**more.pop("limits", {}))
    task = Pair if more.pop("pairs", False) else Classification
    return load(source, limits, task(tuple(labels)), folder)
