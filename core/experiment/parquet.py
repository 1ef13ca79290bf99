"""Parquet files: the user's own, and a stranger's, which is read in a process of its own.

What a Parquet file unpacks to cannot be known beforehand: its pages, dictionaries and prefixes may
say anything. So a stranger's file is turned into lines of JSON, once, by a process that may take
only so much memory and time; a file that takes more, or that breaks the reader, ends that process
and nothing else. Run as ``python -m core.experiment.parquet``.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from threading import Lock
from typing import Any, BinaryIO, Final

from core.assets import FOLDER
from core.errors import CoreError, InputError, require
from core.registry import find
from core.untrusted import COLUMNS, MALFORMED, MEGABYTE, ROWS, TABLE, limited_rows

_BATCH: Final = 1_000  # rows read at a time
_FOOTER: Final = 10 * MEGABYTE  # the most that the footer's texts and lists may hold
_MEMORY: Final = 1_000 * MEGABYTE  # what the process may take, the program itself included
_SECONDS: Final = 30  # of the processor
_PATIENCE: Final = 180  # seconds by the clock, for a busy machine
_PLAIN: Final = ("string", "large_string", "bool", "float", "double", "halffloat")
_turn = Lock()  # one such process at a time


def parquet_rows(
    file: BinaryIO, name: str, columns: Sequence[str] | None = None
) -> Iterator[Mapping[str, Any]]:
    """The rows of a file, of some columns or of all that hold texts and numbers."""
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    limits = {"thrift_string_size_limit": _FOOTER, "thrift_container_size_limit": _FOOTER}
    try:
        with ParquetFile(file, **limits) as table:
            kinds = {field.name: field.type for field in table.schema_arrow}
            for column in columns or ():
                find(kinds, column, "column called")
            chosen = columns or [column for column, kind in kinds.items() if _is_plain(str(kind))]
            for batch in table.iter_batches(_BATCH, columns=chosen, use_threads=False):
                yield from batch.to_pylist()
    except MemoryError:
        raise  # Arrow's own is one of its exceptions too
    except (ArrowException, OSError, *MALFORMED) as error:
        raise InputError(f"{name} cannot be read; write it anew, or as CSV.") from error


def _is_plain(kind: str) -> bool:
    return kind in _PLAIN or kind.startswith(("int", "uint", "dictionary<values=string"))


def as_json_lines(content: bytes) -> bytes:
    """A stranger's file as lines of JSON."""
    try:
        with _turn:
            done = subprocess.run(
                [sys.executable, "-m", __name__],
                input=content,
                capture_output=True,
                check=False,
                cwd=FOLDER.parent,
                env={**os.environ, "ARROW_DEFAULT_MEMORY_POOL": "system"},
                timeout=_PATIENCE,
            )
    except subprocess.TimeoutExpired:
        raise InputError(_TOO_MUCH) from None
    if done.returncode == 2:
        raise InputError(done.stderr.decode(errors="replace").strip())
    require(done.returncode == 0, _TOO_MUCH)
    return done.stdout


_TOO_MUCH: Final = (
    "The Parquet file takes too much memory or time to read; save fewer rows and columns, or save "
    "it as CSV."
)


def main() -> int:
    """Turn the file on stdin into lines of JSON; what cannot be used is said on stderr."""
    _limit_myself()
    try:
        for line in _lines(sys.stdin.buffer.read()):
            sys.stdout.buffer.write(line)
    except CoreError as error:
        sys.stderr.write(str(error))
        return 2
    return 0


def _lines(content: bytes) -> Iterator[bytes]:
    from pyarrow.parquet import read_metadata

    name, size = "The Parquet file", 0
    try:
        about = read_metadata(BytesIO(content))
    except (OSError, *MALFORMED) as error:
        raise InputError(f"{name} cannot be read; write it anew, or as CSV.") from error
    require(about.num_rows <= ROWS, f"{name} has more than {ROWS:,} rows; split it.")
    require(about.num_columns <= COLUMNS, f"{name} has more than {COLUMNS} columns; keep fewer.")
    for row in limited_rows(parquet_rows(BytesIO(content), name), name):
        line = json.dumps(row, ensure_ascii=False, default=str).encode() + b"\n"
        size += len(line)
        require(
            size <= TABLE.unpacked,
            f"{name} holds more than {TABLE.unpacked // MEGABYTE} MB of text; split it.",
        )
        yield line


def _limit_myself() -> None:
    try:
        import resource
    except ImportError:  # pragma: no cover  (Windows)
        return
    for what, most in ((resource.RLIMIT_CPU, _SECONDS), (resource.RLIMIT_AS, _MEMORY)):
        with suppress(OSError, ValueError):  # macOS knows no such limit; another may be lower
            resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    sys.exit(main())
