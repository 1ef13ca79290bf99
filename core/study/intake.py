"""Items from tables: CSV and JSONL with named columns, TextAttack's results."""

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import PurePath
from typing import Any

from core.errors import InputError, require
from core.study.items import Item, relabelled, source_of, without_repeats
from core.tasks.protocol import RaterQuestion
from core.untrusted import (
    COLUMNS,
    LINE,
    MALFORMED,
    TABLE,
    check_size,
    csv_rows,
    limited_rows,
    lines,
    read_json_row,
    reason,
)

FIELDS = (
    *("text", "label", "source", "method", "original", "kind", "context", "victim", "score"),
    "feedback",
)
NEEDED = ("text", "label")
# What columns are called elsewhere; the first that is there is proposed.
_KNOWN_AS = {
    "text": ("text", "sentence", "adversarial", "perturbed_text", "hypothesis"),
    "label": ("label", "true_label", "ground_truth_output", "gold_label", "gold"),
    "source": ("source", "source_id", "original_id", "id"),
    "original": ("original", "original_text"),
    "method": ("method", "search", "attack", "algorithm", "algo", "recipe"),
    "kind": ("kind", "type"),
    "context": ("context", "premise"),
    "victim": ("victim", "model"),
    "score": ("score",),
    "feedback": ("feedback",),
}
_TEXTATTACK = {"original_text", "perturbed_text", "ground_truth_output", "result_type"}
_KEYED = re.compile(r"^(?:\[\[)*(\w+)(?:\]\])*: ?", flags=re.MULTILINE)


@dataclass(frozen=True)
class UploadedTable:
    """The rows of a file as texts, by column."""

    columns: tuple[str, ...]
    rows: tuple[Mapping[str, str], ...]

    @property
    def is_textattack(self) -> bool:
        """Whether it is a result file of TextAttack."""
        return set(self.columns) >= _TEXTATTACK


@dataclass(frozen=True)
class Intake:
    """What a file gave: items, and for each row that gave none, why."""

    items: tuple[Item, ...]
    faults: tuple[tuple[int, str], ...]  # row number, counted from 1 without the header
    question: RaterQuestion | None = None  # what raters are asked, where the source tells it

    @property
    def labels(self) -> tuple[str, ...]:
        """The answers to choose from: the options of the question, and what the items need."""
        options = self.question.options if self.question else ()
        return tuple(dict.fromkeys((*options, *sorted({item.label for item in self.items}))))


def read_table(name: str, content: bytes) -> UploadedTable:
    """Read a CSV or JSONL file; the name only tells which."""
    check_size(len(content), name, TABLE)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is not UTF-8 text ({error.reason}). Save it as UTF-8.") from error
    suffix = PurePath(name).suffix.lower()
    readers = {".csv": _csv, ".tsv": _csv, ".jsonl": _jsonl, ".ndjson": _jsonl}
    require(suffix in readers, f'"{name}" is neither .csv, .tsv nor .jsonl.')
    columns, rows = dict[str, None](), list[dict[str, str]]()
    for row in readers[suffix](name, text):
        rows.append(row)
        columns |= dict.fromkeys(row)
        require(len(columns) <= COLUMNS, f"{name} has more than {COLUMNS} columns; keep fewer.")
    require(bool(columns), f"{name} has no rows.")
    return UploadedTable(tuple(columns), tuple(rows))


def _csv(name: str, text: str) -> Iterator[dict[str, str]]:
    head = re.sub('"[^"]*"', "", text[:LINE]).partition("\n")[0]  # without what is quoted
    file, delimiter = io.StringIO(text, newline=""), max(",;\t", key=head.count)
    rows = filter(None, limited_rows(csv_rows(file, name, delimiter, strict=True), name))
    columns = [column.strip() for column in next(rows, [])]
    for number, row in enumerate(rows, start=1):
        require(len(row) <= len(columns), f"{name}, row {number}: more cells than columns.")
        yield dict(zip_longest(columns, row, fillvalue=""))


def _jsonl(name: str, text: str) -> Iterator[dict[str, str]]:
    for row in limited_rows(_objects(name, text), name):
        yield {str(key): "" if cell is None else str(cell) for key, cell in row.items()}


def _objects(name: str, text: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines(io.StringIO(text, newline=None), name), start=1):
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        try:
            row = read_json_row(line, where)
        except MALFORMED:
            raise InputError(f"{where}: not JSON.") from None
        require(isinstance(row, dict), f"{where}: not an object in {{ }}.")
        yield row


def guess(columns: Sequence[str]) -> dict[str, str]:
    """Which column may hold which field; a field without a column is left out."""
    plain = {column.lower().replace(" ", "_"): column for column in reversed(columns)}
    found = {
        field: next((plain[name] for name in names if name in plain), "")
        for field, names in _KNOWN_AS.items()
    }
    return {field: column for field, column in found.items() if column}


def from_table(
    table: UploadedTable,
    mapping: Mapping[str, str],
    labels: Sequence[str],
    *,
    method: str = "",
    victim: str = "",
) -> Intake:
    """Items by a mapping of fields to columns; ``method`` and ``victim`` fill empty cells.

    A column of original texts brings them along as controls.
    """
    for field in NEEDED:
        require(field in mapping, f"Say which column holds the {field}.")
    for field, column in mapping.items():
        require(field in FIELDS, f'"{field}" is not a field of an item.')
        require(column in table.columns, f'There is no column "{column}".')

    def items_of(row: Mapping[str, str]) -> list[Item]:
        cells: dict[str, Any] = {
            field: row.get(column, "").strip() for field, column in mapping.items()
        }
        score = cells.pop("score", "")
        require(score in ("", *"01234"), "The score is 0, 1, 2, 3 or 4.")
        cells["score"] = int(score) if score else None
        cells["kind"] = cells.get("kind") or "adversarial"
        cells["method"] = cells.get("method") or method
        cells["victim"] = cells.get("victim") or victim
        original = cells.pop("original", "")
        if not original or cells["kind"] != "adversarial":
            return [Item(**cells)]
        context = cells.get("context", "")
        cells["source"] = cells.get("source") or source_of(f"{context}\n{original}")
        attacked = Item(**cells)
        control = Item(
            original, attacked.label, attacked.source, kind="original", context=attacked.context
        )
        return [attacked, control]

    return collect(table.rows, items_of, labels)


def from_textattack(
    table: UploadedTable,
    labels: Sequence[str],
    *,
    method: str,
    victim: str = "",
    controls: bool = True,
) -> Intake:
    """Successful attacks of a TextAttack result file, with their originals as controls."""
    require(table.is_textattack, "This is not a TextAttack result file: choose the columns.")

    def pair(row: Mapping[str, str]) -> list[Item]:
        outcome = row["result_type"]
        require(outcome == "Successful", f"Left out: the attack was {outcome.lower() or 'empty'}.")
        (context, text), (_, original) = _plain(row["perturbed_text"]), _plain(row["original_text"])
        label, source = row["ground_truth_output"], source_of(f"{context}\n{original}")
        attacked = Item(text, label, source, method, context=context, victim=victim)
        control = Item(original, label, source, kind="original", context=context)
        return [attacked, control] if controls else [attacked]

    return collect(table.rows, pair, labels)


def _plain(marked: str) -> tuple[str, str]:
    """The context and the text of a cell without its marks; a pair is written as keyed lines."""
    parts = _KEYED.split(marked.replace("<SPLIT>", "\n"))
    lines = parts[2::2] if len(parts) > 3 and not parts[0].strip() else [marked]
    *contexts, text = (re.sub(r"\[\[|\]\]", "", line).strip() for line in lines)
    return "\n".join(contexts), text


def collect(
    rows: Iterable[Any], make: Callable[[Any], list[Item]], labels: Sequence[str]
) -> Intake:
    """Make items row by row; a row that cannot be used is reported, and the rest goes on.

    Without labels every label will do.
    """
    items, faults, first = list[Item](), list[tuple[int, str]](), dict[tuple[str, ...], int]()
    for number, row in enumerate(rows, start=1):
        try:
            of_row = [relabelled(item, labels) for item in make(row)]
            for item in of_row:
                require(
                    not labels or item.label in labels,
                    f'The label "{item.label}" is not one of: {", ".join(labels)}.',
                )
            leading = of_row[0]
            same = first.setdefault((leading.context, leading.text, leading.group), number)
            require(same == number, f"The same text and method as row {same}.")
        except InputError as error:
            faults.append((number, str(error)))
        except MALFORMED as error:
            faults.append((number, f"This cannot be used as an item ({reason(error)})."))
        else:
            items += of_row
    return Intake(tuple(without_repeats(items)), tuple(faults))
