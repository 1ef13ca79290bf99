"""Rows that the training of the bundled victims kept away from, out of the data it was given."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from core.errors import InputError
from core.experiment.data import FileRow
from core.registry import find
from core.tasks.answering import NO_ANSWER, PASSAGE
from core.untrusted import reason
from core.victims.recipes import LABELS


def rows(name: str, folder: Path) -> Iterator[FileRow]:
    """The rows of a data set, out of the folder that training takes as ``--data``."""
    read = find(HELD_OUT, name, "data set with held-out rows")
    try:
        yield from read(folder)
    except OSError as error:
        raise InputError(
            f"The data of {name} are not in {folder} ({reason(error)}); name the folder that "
            "training takes by --data."
        ) from error


def _labelled(name: str, folder: Path) -> Iterator[FileRow]:
    from core.victims.training import data

    for row in data.held_out(name, folder):
        yield FileRow(row.text, LABELS[name][row.label], {"premise": row.context})


def _questions(folder: Path, *, answerable: bool = False) -> Iterator[FileRow]:
    from core.victims.training import questions

    for row in questions.held_out(folder):
        if row.answers or not answerable:
            yield FileRow(row.text, list(row.answers) or [NO_ANSWER], {PASSAGE: row.passage})


def _sentences(folder: Path) -> Iterator[FileRow]:
    from core.victims.training import parallel

    for row in parallel.held_out(folder):
        yield FileRow(row.source, row.target)


HELD_OUT: Final[Mapping[str, Callable[[Path], Iterator[FileRow]]]] = {
    **{name: partial(_labelled, name) for name in LABELS},
    "squad2": _questions,
    "squad2-answerable": partial(_questions, answerable=True),
    "multi30k": _sentences,
}
