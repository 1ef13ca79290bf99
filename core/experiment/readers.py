"""Read rows from CSV, TSV, JSONL and Parquet files, the bundled sentences, or a hub's data sets.

A row that is broken does not stop the reading; bytes that are not UTF-8 come through as lone
surrogates, so that whoever judges the row can say so.
"""

import csv
import gzip
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Final, TextIO

from core.assets import FOLDER
from core.errors import InputError, ResourceMissingError
from core.experiment.plan import Column, Source
from core.pretrained import first_line
from core.registry import find

SENTENCES: Final = FOLDER / "sentences"


@dataclass(frozen=True)
class Row:
    """What the file says, unchecked."""

    text: Any
    reference: Any
    context: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Broken:
    """A row that is not a row of its file."""

    why: str


def rows_of(source: Source, folder: Path) -> Iterator[Row | Broken]:
    """The rows of a data set, in order; a file name is relative to the folder."""
    if source.hub:
        return _from_hub(source)
    path = SENTENCES / f"{source.bundled}.jsonl" if source.bundled else folder / source.file
    if not path.is_file():
        raise InputError(f"There is no data file {path}; correct the name in the plan.")
    kind = path.name.removesuffix(".gz").rpartition(".")[2].lower()
    return _safely(find(_READERS, kind, "kind of data file")(path, source), path)


def _safely(rows: Iterator[Row | Broken], path: Path) -> Iterator[Row | Broken]:
    """Errors of the file itself, such as a damaged archive, as a sentence."""
    try:
        yield from rows
    except (OSError, EOFError, csv.Error) as error:
        raise InputError(f"{path} cannot be read: {first_line(error)}.") from error


def _open(path: Path) -> TextIO:
    raw = gzip.GzipFile(path) if path.suffix == ".gz" else path.open("rb")
    return TextIOWrapper(raw, "utf-8-sig", errors="surrogateescape", newline="")


def _csv(path: Path, source: Source) -> Iterator[Row | Broken]:
    csv.field_size_limit(sys.maxsize)  # a quote that is never closed makes one very long field
    with _open(path) as lines:
        yield from _listed(csv.reader(lines), source, path)


def _tsv(path: Path, source: Source) -> Iterator[Row | Broken]:
    """Tabs divide columns and quotes mean nothing, as in GLUE's files."""
    with _open(path) as lines:
        yield from _listed((line.rstrip("\r\n").split("\t") for line in lines), source, path)


def _listed(rows: Iterator[list[str]], source: Source, path: Path) -> Iterator[Row | Broken]:
    """Rows as lists: columns by the names in the header, or by numbers where there is none."""
    numbers = isinstance(source.text, int)
    header = [] if numbers else next(rows, [])
    places = {column: _place(column, header, path) for column in _columns(source)}
    for row in rows:
        if not row:
            continue  # a blank line
        if len(row) <= max(places.values()) or (header and len(row) > len(header)):
            yield Broken(f"{len(row)} columns")
        else:
            yield _row(source, lambda column, row=row: row[places[column]])  # type: ignore[misc]


def _place(column: Column, header: Sequence[str], path: Path) -> int:
    if isinstance(column, int):
        if column >= 1:
            return column - 1
        raise InputError(f"Column {column} is named in the plan; columns count from 1.")
    if column in header:
        return header.index(column)
    find(dict.fromkeys(header), column, f"column in {path.name} called")
    raise AssertionError  # find has refused it


def _jsonl(path: Path, source: Source) -> Iterator[Row | Broken]:
    with _open(path) as lines:
        for line in lines:
            if not line.strip():
                continue
            yield _parsed(line, source)


def _parsed(line: str, source: Source) -> Row | Broken:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return Broken("not JSON")
    if not isinstance(row, dict):
        return Broken("not a row")
    missing = [column for column in _columns(source) if column not in row]
    return Broken(f'no "{missing[0]}"') if missing else _row(source, row.__getitem__)


def _parquet(path: Path, source: Source) -> Iterator[Row | Broken]:
    import pyarrow.parquet as parquet
    from pyarrow import ArrowException

    columns = list(_columns(source))
    try:
        with parquet.ParquetFile(path) as file:
            for column in columns:
                find(dict.fromkeys(file.schema_arrow.names), str(column), "column called")
            for batch in file.iter_batches(columns=columns):
                for row in batch.to_pylist():
                    yield _row(source, row.__getitem__)
    except ArrowException as error:
        raise InputError(f"{path} cannot be read: {first_line(error)}.") from error


def _from_hub(source: Source) -> Iterator[Row | Broken]:
    """A data set of the Hugging Face hub; classes come by their names."""
    try:
        import datasets
    except ImportError:
        raise ResourceMissingError(
            f'The data set "{source.hub}" needs a package; get it with: '
            "python -m pip install datasets"
        ) from None
    try:
        table = datasets.load_dataset(source.hub, source.subset or None, split=source.split)
    except Exception as error:  # the package raises whatever its many parts raise
        raise ResourceMissingError(
            f'The data set "{source.hub}" cannot be loaded ({first_line(error)}); check the name, '
            "the split and the network, or save it as a file and name that."
        ) from error
    for column in _columns(source):
        find(dict.fromkeys(table.column_names), str(column), "column called")
    names = getattr(table.features[source.reference], "names", ())
    for row in table:
        number = row[source.reference]
        known = isinstance(number, int) and 0 <= number < len(names)
        by_name = known and str(number) not in dict(source.labels)
        label = names[number] if by_name else number
        yield _row(source, {**row, source.reference: label}.__getitem__)


def _columns(source: Source) -> tuple[Column, ...]:
    """The columns the plan names."""
    return (source.text, source.reference, *(column for _, column in source.context))


def _row(source: Source, value: Callable[[Any], Any]) -> Row:
    text, reference, *rest = map(value, _columns(source))
    return Row(text, reference, dict(zip(dict(source.context), rest, strict=True)))


_READERS: Final[Mapping[str, Callable[[Path, Source], Iterator[Row | Broken]]]] = {
    "csv": _csv,
    "tsv": _tsv,
    "jsonl": _jsonl,
    "parquet": _parquet,
}
