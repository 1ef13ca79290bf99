"""The results of an experiment: one file of JSON lines that is only ever appended to.

Each line carries a checksum of its record. A process that is killed can at most leave half a line
at the end, which the next one cuts off; a line that was damaged is left out and its work is done
again. One process writes at a time; any number may read meanwhile.
"""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, Final, TypeAlias
from zlib import crc32

from core.errors import InputError

try:
    import fcntl
except ImportError:  # pragma: no cover  (Windows)
    fcntl = None  # type: ignore[assignment]

StoredLine: TypeAlias = dict[str, Any]  # what a line says; records.py knows what it means

_BINARY: Final = getattr(os, "O_BINARY", 0)  # Windows would write other ends of lines
_HEAD: Final = '{{"check":"{:08x}","record":'
_START: Final = len(_HEAD.format(0))
_SYNC: Final = (
    1.0  # seconds between two calls that make the disk write: only a power cut needs them
)


def line_of(record: Mapping[str, Any]) -> bytes:
    """A record as a line with its checksum."""
    body = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
    return _HEAD.format(crc32(body)).encode() + body + b"}\n"


def record_of(line: bytes, parse: Callable[[bytes], Any] = json.loads) -> StoredLine | None:
    """The record of a line, or None if the line is damaged."""
    body = line[_START:-2]
    if line[:_START] != _HEAD.format(crc32(body)).encode() or line[-2:] != b"}\n":
        return None
    record: StoredLine = parse(body)
    return record


@dataclass
class Contents:
    """What a file of results holds."""

    records: list[StoredLine] = field(default_factory=list)
    damaged: list[int] = field(default_factory=list)  # numbers of the lines, from 1


def read(path: Path) -> Contents:
    """Everything that is whole; half a line at the end is work that was never finished."""
    try:
        with path.open("rb") as lines:
            return contents_of(lines)
    except OSError as error:
        raise InputError(f"Could not read {path}: {error.strerror}.") from error


def contents_of(lines: Iterable[bytes], parse: Callable[[bytes], Any] = json.loads) -> Contents:
    contents = Contents()
    for number, line in enumerate(lines, start=1):
        record = record_of(line, parse)
        if record is not None:
            contents.records.append(record)
        elif line.endswith(b"\n"):
            contents.damaged.append(number)
    return contents


class Writer:
    """Appends records to a file that no other process writes to meanwhile."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | _BINARY, 0o644)
        except OSError as error:
            raise InputError(f"Could not write {path}: {error.strerror}.") from error
        self._lock()
        self._end = self._whole_lines()
        os.ftruncate(self._file, self._end)
        self._synced = monotonic()

    def append(self, *records: Mapping[str, Any]) -> None:
        """Write records, all or none."""
        data = b"".join(map(line_of, records))
        try:
            written = 0
            while written < len(data):
                written += os.write(self._file, data[written:])
            if monotonic() - self._synced > _SYNC:
                os.fsync(self._file)
                self._synced = monotonic()
        except OSError as error:
            os.ftruncate(self._file, self._end)
            raise InputError(
                f"Could not write {self.path}: {error.strerror}. What was finished before is safe; "
                "make room and run the same command again."
            ) from error
        self._end += len(data)

    def close(self) -> None:
        """Let other processes write."""
        os.close(self._file)

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _lock(self) -> None:
        if fcntl is None:  # pragma: no cover  (Windows)
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise InputError(
                f"Another run is writing to {self.path}; wait for it, or stop it first."
            ) from None

    def _whole_lines(self) -> int:
        """Where the last whole line ends."""
        end = os.fstat(self._file).st_size
        while end:
            start = max(0, end - 65_536)
            os.lseek(self._file, start, os.SEEK_SET)
            newline = os.read(self._file, end - start).rfind(b"\n")
            if newline >= 0:
                return start + newline + 1
            end = start
        return 0
