"""Read rows from files, the bundled sentences, or a hub's data sets.

Files are CSV, TSV, JSONL or Parquet, the JSON of SQuAD, or two files of parallel sentences.

A row that is broken does not stop the reading; bytes that are not UTF-8 come through as lone
surrogates, so that whoever judges the row can say so.
"""

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from gzip import GzipFile
from io import TextIOWrapper
from itertools import zip_longest
from pathlib import Path
from typing import Any, BinaryIO, Final, TextIO, cast

from core.assets import FOLDER
from core.errors import InputError, ResourceMissingError, first_line
from core.experiment import held_out
from core.experiment.data import ColumnName, FileRow, Source
from core.experiment.parquet import parquet_rows
from core.registry import find
from core.tasks.answering import NO_ANSWER
from core.untrusted import (
    MALFORMED,
    MEGABYTE,
    FileLimits,
    csv_rows,
    lines,
    read_json,
    read_json_row,
    reason,
)

SENTENCES: Final = FOLDER / "sentences"
SQUAD: Final = FileLimits(100 * MEGABYTE, containers=2_000_000, advice="split it by articles")


@dataclass(frozen=True)
class Broken:
    """A row that is not a row of its file."""

    why: str


def rows_of(source: Source, folder: Path) -> Iterator[FileRow | Broken]:
    """The rows of a data set, in order; a file name is relative to the folder."""
    if source.hub:
        return _from_hub(source)
    if source.held_out:
        return held_out.rows(source.held_out, folder)
    if source.parallel:
        return _parallel(folder / source.file, folder / source.parallel)
    path = SENTENCES / f"{source.bundled}.jsonl" if source.bundled else folder / source.file
    return _from_path(path, source)


def _from_path(path: Path, source: Source) -> Iterator[FileRow | Broken]:
    with _opened(path) as file:
        yield from rows_in(file, path.name.removesuffix(".gz"), source)


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """A file, unpacked; its own errors, such as a damaged archive, as a sentence."""
    if not path.is_file():
        raise InputError(f"There is no data file {path}; correct the name in the plan.")
    try:
        with path.open("rb") as file:
            yield cast(BinaryIO, GzipFile(fileobj=file)) if path.suffix == ".gz" else file
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be read: {reason(error)}.") from error


def _parallel(texts: Path, references: Path) -> Iterator[FileRow | Broken]:
    """A sentence in each line of one file, and what is right in the same line of the other."""
    with (
        _opened(texts) as first,
        _opened(references) as second,
        text_of(first) as one,
        text_of(second) as other,
    ):
        read = lines(one, texts.name), lines(other, references.name)
        for text, reference in zip_longest(*read):
            if text is None or reference is None:
                short, long = (texts, references) if text is None else (references, texts)
                raise InputError(
                    f"{short.name} has fewer lines than {long.name}; they belong to other data."
                )
            yield FileRow(text.rstrip("\r\n"), reference.rstrip("\r\n"))


def rows_in(file: BinaryIO, name: str, source: Source) -> Iterator[FileRow | Broken]:
    """The rows of an open file; the end of its name says what kind it is."""
    kind = name.rpartition(".")[2].lower()
    return find(_READERS, kind, "kind of data file")(file, name, source)


def text_of(file: BinaryIO) -> TextIO:
    """A file as text; bytes that are not UTF-8 come through as lone surrogates."""
    return TextIOWrapper(file, "utf-8-sig", errors="surrogateescape", newline="")


def tsv_rows(file: TextIO, name: str) -> Iterator[list[str]]:
    """Tabs divide columns and quotes mean nothing, as in GLUE's files."""
    return (line.rstrip("\r\n").split("\t") for line in lines(file, name))


def json_rows(file: TextIO, name: str) -> Iterator[Mapping[str, Any] | Broken]:
    """The object in each line that is not blank."""
    for line in filter(str.strip, lines(file, name)):
        try:
            row = read_json_row(line, name)
        except MALFORMED:
            yield Broken("not JSON")
        else:
            yield row if isinstance(row, dict) else Broken("not a row")


def _csv(file: BinaryIO, name: str, source: Source) -> Iterator[FileRow | Broken]:
    with text_of(file) as text:
        yield from _listed(csv_rows(text, name), source, name)


def _tsv(file: BinaryIO, name: str, source: Source) -> Iterator[FileRow | Broken]:
    with text_of(file) as text:
        yield from _listed(tsv_rows(text, name), source, name)


def _listed(rows: Iterator[list[str]], source: Source, name: str) -> Iterator[FileRow | Broken]:
    """Rows as lists: columns by the names in the header, or by numbers where there is none."""
    numbers = isinstance(source.text, int)
    header = [] if numbers else next(rows, [])
    places = {column: _place(column, header, name) for column in _columns(source)}
    for row in rows:
        if not row:
            continue  # a blank line
        if len(row) <= max(places.values()) or (header and len(row) > len(header)):
            yield Broken(f"{len(row)} columns")
        else:
            yield _row(source, lambda column, row=row: row[places[column]])  # type: ignore[misc]


def _place(column: ColumnName, header: Sequence[str], name: str) -> int:
    if isinstance(column, int):
        if column >= 1:
            return column - 1
        raise InputError(f"Column {column} is named in the plan; columns count from 1.")
    if column in header:
        return header.index(column)
    find(dict.fromkeys(header), column, f"column in {name} called")
    raise AssertionError  # find has refused it


def _jsonl(file: BinaryIO, name: str, source: Source) -> Iterator[FileRow | Broken]:
    with text_of(file) as text:
        for row in json_rows(text, name):
            yield row if isinstance(row, Broken) else _named(row, source)


def _named(row: Mapping[str, Any], source: Source) -> FileRow | Broken:
    missing = [column for column in _columns(source) if column not in row]
    return Broken(f'no "{missing[0]}"') if missing else _row(source, row.__getitem__)


def _parquet(file: BinaryIO, name: str, source: Source) -> Iterator[FileRow | Broken]:
    for row in parquet_rows(file, name, [str(column) for column in _columns(source)]):
        yield _row(source, lambda column, row=row: row[str(column)])  # type: ignore[misc]


def _squad(file: BinaryIO, name: str, source: Source) -> Iterator[FileRow | Broken]:
    """The questions of a file of SQuAD, 1.1 or 2.0, as rows with named columns."""
    try:
        for article in read_json(file.read(SQUAD.size + 1), name, SQUAD)["data"]:
            for paragraph in article["paragraphs"]:
                for question in paragraph["qas"]:
                    yield _named(_question(article, paragraph, question), source)
    except MALFORMED as error:
        raise InputError(f"{name} is not a file of SQuAD ({reason(error)}).") from error


def _question(
    article: Mapping[str, Any], paragraph: Mapping[str, Any], question: Mapping[str, Any]
) -> Mapping[str, Any]:
    answers = [answer["text"] for answer in question["answers"]]
    return {
        "question": question["question"],
        "passage": paragraph["context"],
        "title": article.get("title", ""),
        "answers": answers,
        "answers_or_none": answers or [NO_ANSWER],
    }


def _from_hub(source: Source) -> Iterator[FileRow | Broken]:
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


def _columns(source: Source) -> tuple[ColumnName, ...]:
    """The columns the plan names."""
    return (source.text, source.reference, *(column for _, column in source.context))


def _row(source: Source, value: Callable[[Any], Any]) -> FileRow:
    text, reference, *rest = map(value, _columns(source))
    return FileRow(text, reference, dict(zip(dict(source.context), rest, strict=True)))


_READERS: Final[Mapping[str, Callable[[BinaryIO, str, Source], Iterator[FileRow | Broken]]]] = {
    "csv": _csv,
    "tsv": _tsv,
    "jsonl": _jsonl,
    "parquet": _parquet,
    "json": _squad,
}
