"""What a teacher believes of each text, kept in a file for a small victim to learn from."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.victims.training.data import Example, Split


@dataclass(frozen=True)
class SoftLabels:
    """The teacher, with its accuracy, and its probabilities of each text."""

    teacher: Mapping[str, Any]
    probabilities: Mapping[str, tuple[float, ...]]


def write_soft_labels(path: Path, labels: SoftLabels) -> None:
    """Write a line about the teacher, then a line for each text."""
    with path.open("w", encoding="utf-8") as file:
        file.write(json.dumps(labels.teacher) + "\n")
        for text, probabilities in labels.probabilities.items():
            file.write(json.dumps([text, *(round(p, 4) for p in probabilities)]) + "\n")


def read_soft_labels(path: Path, data: str, classes: int) -> SoftLabels:
    """The soft labels of a file, if they are of this data set."""
    if not path.is_file():
        raise InputError(f"There is no file {path}; make it with: {teacher_command(data)}")
    try:
        first, *rest = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        found = {str(text): tuple(map(float, values)) for text, *values in rest}
        taught = dict(first)["data"]
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(
            f"{path} does not hold soft labels; make it with: {teacher_command(data)}"
        ) from error
    if taught != data or not all(_fits(values, classes) for values in found.values()):
        raise InputError(
            f"The soft labels in {path} are not of {data}; make them with: {teacher_command(data)}"
        )
    return SoftLabels(first, found)


def teacher_command(data: str) -> str:
    """What to type to make soft labels."""
    return f"python -m core.victims.training.teacher {data} --data DIR --model FOLDER --out FILE"


def distilled(split: Split, labels: SoftLabels) -> Split:
    """The same split, where the teacher has a say in what is learned from the training rows.

    A row that has a label is to be given the mean of both; other texts of the teacher become rows
    too, with its word alone.
    """
    known = labels.probabilities
    rows = [_taught(row, known[row.text]) if row.text in known else row for row in split.train]
    apart = {row.text for part in (split.train, split.stop, split.held_out) for row in part}
    loose = [
        Example(text, values.index(max(values)), soft=values)
        for text, values in known.items()
        if text not in apart
    ]
    return replace(split, train=(*rows, *loose))


def _taught(row: Example, believed: tuple[float, ...]) -> Example:
    soft = tuple((p + (number == row.label)) / 2 for number, p in enumerate(believed))
    return replace(row, soft=soft)


def _fits(values: tuple[float, ...], classes: int) -> bool:
    return len(values) == classes and min(values) >= 0 and abs(sum(values) - 1) < 0.01
