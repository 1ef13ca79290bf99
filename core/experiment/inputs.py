"""The inputs of an experiment: rows of a data set, and why the others were left out."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from core.errors import InputError
from core.experiment.data import ColumnName, FileRow, Limits, Source
from core.experiment.readers import Broken, rows_of
from core.tasks import Task
from core.tasks.protocol import Reference, joined
from core.text import check, split
from core.untrusted import is_unicode

REASONS: Final[Mapping[str, str]] = {
    "broken": "the row cannot be read as a row of its file",
    "encoding": "the text is not valid UTF-8",
    "empty": "the text, or what stays fixed beside it, is empty",
    "unusable": "the text has control characters or no words",
    "label": "what is right is missing, or none of the victims' labels",
    "unfit": "the text cannot be attacked with what stays fixed beside it",
    "duplicate": "the same text is in an earlier row",
    "too_short": "the text has fewer words than the plan allows",
    "too_long": "the text has more words than the plan allows",
    "not_drawn": "the plan takes a sample, and this row is not in it",
}


@dataclass(frozen=True)
class Input:
    """A text to attack with what is right; ``row`` counts from 1 in the data set."""

    row: int
    text: str
    reference: Reference
    context: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def reference_text(self) -> str:
        """What is right, in one text."""
        return joined(self.reference)

    @property
    def words(self) -> int:
        """How many words the text has."""
        return len(split(self.text).words)


@dataclass(frozen=True)
class Skip:
    """A row that is not attacked, and why: a key of REASONS and what was found."""

    row: int
    reason: str
    detail: str = ""


@dataclass(frozen=True)
class Inputs:
    """All rows of a data set, each either used or skipped."""

    used: tuple[Input, ...]
    skipped: tuple[Skip, ...]

    def report(self) -> list[str]:
        """What was read and what was left out, as sentences."""
        counts = Counter(skip.reason for skip in self.skipped)
        first = {skip.reason: skip for skip in reversed(self.skipped)}
        total = len(self.used) + len(self.skipped)
        return [f"{total:,} rows read, {len(self.used):,} used."] + [
            f"{counts[reason]:,} skipped: {about} (first: row {first[reason].row:,}"
            + (f", {first[reason].detail}" if first[reason].detail else "")
            + ")."
            for reason, about in REASONS.items()
            if counts[reason]
        ]


def load(source: Source, limits: Limits, task: Task, folder: Path) -> Inputs:
    """Read a data set; the sample is the same for the same file and seed."""
    named: dict[str, ColumnName] = {}
    if source.bundled or source.held_out:  # their columns have the names of the task's fields
        named = {field.key: field.key for field in task.context}
    named |= dict(source.context)
    missing = [field for field in task.context if field.key not in named]
    if missing:
        key = missing[0].key
        raise InputError(
            f"The victims read a {key} beside the text; name its column in the data, as in "
            f'context = {{ {key} = "COLUMN" }}.'
        )
    source = replace(source, context=tuple(named.items()))
    return choose(rows_of(source, folder), source, limits, task)


def choose(rows: Iterable[FileRow | Broken], source: Source, limits: Limits, task: Task) -> Inputs:
    """Sort rows into those that are used and those that are not."""
    names = dict(source.labels)
    used: list[Input] = []
    skipped: list[Skip] = []
    seen: dict[tuple[str, ...], int] = {}
    for number, row in enumerate(rows, start=1):
        found = _judge(number, row, names, task, limits)
        if isinstance(found, Input):
            earlier = seen.setdefault((*found.context.values(), found.text), number)
            if earlier != number:
                found = Skip(number, "duplicate", f"as row {earlier:,}")
        (used if isinstance(found, Input) else skipped).append(found)  # type: ignore[arg-type]
    if limits.rows is not None and len(used) > limits.rows:
        drawn = set(Random(limits.sample_seed).sample(range(len(used)), limits.rows))
        skipped += [Skip(each.row, "not_drawn") for n, each in enumerate(used) if n not in drawn]
        used = [each for n, each in enumerate(used) if n in drawn]
    return Inputs(tuple(used), tuple(sorted(skipped, key=lambda skip: skip.row)))


def _judge(
    number: int, row: FileRow | Broken, names: Mapping[str, str], task: Task, limits: Limits
) -> Input | Skip:
    """One row as an input, or the first reason against it."""
    if isinstance(row, Broken):
        return Skip(number, "broken", row.why)
    text = _text(row.text)
    context = {field.key: _text(row.context.get(field.key)) for field in task.context}
    texts = (text, *context.values())
    if not is_unicode("".join(texts)):
        return Skip(number, "encoding")
    if not all(texts):
        return Skip(number, "empty")
    try:
        for each in texts:
            check(each)
    except InputError as error:
        return Skip(number, "unusable", str(error))
    try:
        reference = task.read([names.get(each, each) for each in _references(row.reference)])
    except InputError:
        return Skip(number, "label", f'"{_shown(row.reference)}"')
    try:
        task.check(context, reference)
    except InputError as error:
        return Skip(number, "unfit", str(error))
    words = len(split(text).words)
    if words < limits.shortest:
        return Skip(number, "too_short", f"{words} words")
    if words > limits.longest:
        return Skip(number, "too_long", f"{words} words")
    return Input(number, text, reference, context)


def _references(value: Any) -> list[str]:
    """What is right: one value, or a list where several are."""
    return [label_of(each) for each in (value if isinstance(value, list) else [value])]


def _text(value: Any) -> str:
    return "" if value is None or value != value else str(value).strip()  # NaN is not itself


def label_of(value: Any) -> str:
    """What a row calls its label; a class number that a table keeps as 1.0 is meant as 1."""
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value)) if whole else _text(value)


def _shown(value: Any) -> str:
    return _text(value)[:40].encode("utf-8", "backslashreplace").decode()
