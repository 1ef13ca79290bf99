"""A stranger's table for an experiment: measured, and kept under a name of our own."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final, TextIO

from core.errors import require
from core.experiment.parquet import as_json_lines
from core.experiment.readers import Broken, json_rows, text_of, tsv_rows
from core.registry import find
from core.untrusted import COLUMNS, TABLE, check_size, csv_rows, is_unicode, limited_rows

KINDS: Final = ("csv", "tsv", "jsonl", "parquet")  # what may be sent


@dataclass(frozen=True)
class Upload:
    """A table that was sent: its bytes, which are within all limits, and their kind."""

    kind: str  # one of KINDS, and never parquet: that was turned into jsonl
    content: bytes
    columns: tuple[str, ...]


def read_upload(name: str, content: bytes) -> Upload:
    """Measure a table by going through all of it once; the name only tells its kind."""
    check_size(len(content), name, TABLE)
    kind = name.rpartition(".")[2].lower()
    find(dict.fromkeys(KINDS), kind, "kind of data file")
    if kind == "parquet":
        kind, content = "jsonl", as_json_lines(content)
    columns = dict[str, None]()
    with text_of(BytesIO(content)) as text:
        for number, row in enumerate(limited_rows(_MEASURED[kind](text, name), name)):
            if number == 0 or isinstance(row, dict):  # a header, or the names in each row
                columns |= dict.fromkeys(row)
                require(len(columns) <= COLUMNS, f"{name} has more than {COLUMNS} columns.")
    require(len(columns) >= 2, f"{name} needs a column of texts and one of labels.")
    named = is_unicode("".join(columns))
    require(named, f"The columns of {name} have names that are not UTF-8; save it as UTF-8.")
    return Upload(kind, content, tuple(columns))


def _json(text: TextIO, name: str) -> Iterator[Mapping[str, Any]]:
    """Rows that are broken count too, but have no columns."""
    return ({} if isinstance(row, Broken) else row for row in json_rows(text, name))


_MEASURED: Final[Mapping[str, Callable[[TextIO, str], Iterator[Any]]]] = {
    "csv": csv_rows,
    "tsv": tsv_rows,
    "jsonl": _json,
}
