"""Files from strangers: the limits of what is read, and readers that measure before they unpack.

Every reader here looks at what a file declares, and at how it is built, before it takes memory for
it. What is too large is refused with a sentence, as an InputError; what is not built as it should
be raises one of ``MALFORMED``, since only the caller knows what the file should have been.
"""

import csv
import json
import re
import struct
import unicodedata
import zlib
from collections.abc import Collection, Iterable, Iterator, Sized
from dataclasses import dataclass
from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import Any, Final, TextIO, TypeVar
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np
import regex
from numpy.typing import NDArray

from core.errors import InputError, require

T = TypeVar("T", bound=Sized)

MEGABYTE: Final = 1_000_000


@dataclass(frozen=True)
class FileLimits:
    """How much one file may hold, and what to do about one that holds more."""

    size: int = 20 * MEGABYTE
    unpacked: int = 100 * MEGABYTE  # bytes after unpacking
    values: int = 4_000_000  # numbers, texts and names in JSON
    containers: int = 500_000  # lists and objects in JSON
    depth: int = 32  # lists within lists in JSON
    advice: str = "make it smaller, or split it"


# No larger than what may be uploaded (.streamlit/config.toml), so that what they say is true.
TRACE: Final = FileLimits(advice="save a shorter search")
TABLE: Final = FileLimits(advice="split it")
STUDY: Final = FileLimits(advice="move it by python -m core study backup")
RUN: Final = FileLimits(advice="run fewer sentences for a study")

ROWS: Final = 100_000  # of a table, and so on
COLUMNS: Final = 200
CELLS: Final = 1_000_000
LINE: Final = 1_000_000  # characters of a row, and so of a cell

# What data that are not built as expected make a reader raise.
MALFORMED: Final = (
    *(ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError),
)
_BAD_ARCHIVE: Final = (
    *(*MALFORMED, OSError, EOFError, RuntimeError, BadZipFile, struct.error, zlib.error),
)
_MEMBERS: Final = 64  # of an archive; a trace has two dozen
_LONGEST: Final = 200  # characters of an error's message
_LONGEST_NAME: Final = 100  # bytes of a file's name
_DEVICES: Final = frozenset(  # on Windows they are no files, whatever ending stands behind them
    ("con", "prn", "aux", "nul", *(kind + n for kind in ("com", "lpt") for n in "0123456789¹²³"))
)
_LARGEST: Final = 2**63  # whole numbers beyond this fit neither arrays nor databases

csv.field_size_limit(LINE)  # one limit for the whole process: the one of a row


def check_file_name(name: str) -> None:
    """Refuse a name from outside for a file if any system could take it for another one."""
    stem = name.partition(".")[0].strip().casefold()
    fine = (
        regex.fullmatch(r"[\p{L}\p{N}][\p{L}\p{N}._-]*", name)
        and len(name.encode()) <= _LONGEST_NAME
        and not name.endswith(".")
        and stem not in _DEVICES
    )
    require(
        bool(fine),
        f'The name "{name[:_LONGEST_NAME]}" cannot be used for a file; write up to '
        f"{_LONGEST_NAME} letters, digits, dots and hyphens, and end with a letter or digit.",
    )


def folded(name: str) -> str:
    """Equal for names that are the same file on some system, such as A and a."""
    return unicodedata.normalize("NFKC", name).casefold()


def is_unicode(text: str) -> bool:
    """Whether a text can be written and shown: it has no half characters, such as bytes leave."""
    return re.search("[\ud800-\udfff]", text) is None


def reason(error: object) -> str:
    """What an error says, short enough for a sentence; it may hold any amount of the file."""
    message = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
    return message if len(message) <= _LONGEST else f"{message[:_LONGEST]} …"


def check_size(size: int, name: str, limits: FileLimits) -> None:
    """Refuse a file by its number of bytes."""
    require(
        size <= limits.size,
        f"{name} is larger than {_megabytes(limits.size)}; {limits.advice}.",
    )


def read_file(path: Path, limits: FileLimits) -> bytes:
    """The bytes of a file that is not larger than it may be, whatever the disk says of its size."""
    try:
        check_size(path.stat().st_size, str(path), limits)
        with path.open("rb") as file:
            data = file.read(limits.size + 1)
    except OSError as error:
        raise InputError(f"Could not read {path}: {error.strerror or error}.") from error
    check_size(len(data), str(path), limits)
    return data


def read_json(data: bytes, name: str, limits: FileLimits) -> Any:
    """What a JSON file holds; numbers are finite, whole ones below 2^63, texts valid Unicode."""
    check_size(len(data), name, limits)
    _check_shape(data, name, limits)
    content = _DECODER.decode(data.decode("utf-8-sig"))
    if re.search(rb"\\u[dD][89a-fA-F]", data):  # halves of characters, which may stand alone
        json.dumps(content, ensure_ascii=False).encode()
    return content


def read_json_row(line: str, name: str) -> Any:
    """What one line of a JSONL table holds; its numbers are as Python reads them."""
    _check_shape(line.encode("utf-8", "surrogatepass"), name, TABLE)
    return json.loads(line)


def _check_shape(data: bytes, name: str, limits: FileLimits) -> None:
    """Refuse JSON that holds too much or is nested too deeply, before any of it is parsed."""
    opened = data.count(b"[") + data.count(b"{")
    if opened <= limits.depth and len(data) <= limits.values:
        return  # it cannot be too deep, nor too much
    # Without escapes each quote opens or closes a text; then only the marks of JSON are kept.
    bare = data.replace(rb"\\", b"").replace(rb"\"", b"").translate(None, _NO_MARKS)
    marks = np.frombuffer(bare, dtype=np.uint8)
    quotes = marks == ord('"')
    outside = marks[~(quotes | np.bitwise_xor.accumulate(quotes))]
    steps = _STEPS[outside]
    values = int(np.count_nonzero(steps == 0)) + 1  # one more than there are commas and colons
    containers = int(np.count_nonzero(steps == 1))
    for count, most, what in (
        (values, limits.values, "values"),
        (containers, limits.containers, "lists and objects"),
    ):
        require(count <= most, f"{name} holds more than {most:,} {what}; {limits.advice}.")
    depth = int(steps[steps != 0].cumsum(dtype=np.int32).max(initial=0))
    if depth > limits.depth:
        raise ValueError(f"it is nested deeper than {limits.depth} levels")


_MARKS: Final = b'"[]{},:'
_NO_MARKS: Final = bytes(set(range(256)) - set(_MARKS))
_STEPS: Final = np.array(
    [{"[": 1, "{": 1, "]": -1, "}": -1}.get(chr(byte), 0) for byte in range(256)], dtype=np.int8
)


def _whole_number(text: str) -> int:
    number = int(text)
    if not -_LARGEST <= number < _LARGEST:
        raise ValueError(f"{text[:20]} is too large a number")
    return number


def _finite_number(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text[:20]} is no finite number")
    return number


_DECODER: Final = json.JSONDecoder(
    parse_int=_whole_number, parse_float=_finite_number, parse_constant=_finite_number
)


def lines(file: TextIO, name: str) -> Iterator[str]:
    """The lines of a file, none of which is longer than a row may be."""
    number = 0
    while line := file.readline(LINE + 1):
        number += 1
        if len(line) > LINE:
            raise InputError(
                f"{name}, line {number:,}, is longer than {LINE:,} characters; put each row on a "
                "line of its own."
            )
        yield line


def csv_rows(
    file: TextIO, name: str, delimiter: str = ",", *, strict: bool = False
) -> Iterator[list[str]]:
    """The rows of a CSV file; a quote that is never closed ends at the limit of a row."""
    taken = 0

    def counted() -> Iterator[str]:
        nonlocal taken
        for line in lines(file, name):
            taken += len(line)
            if taken > LINE:
                raise InputError(
                    f"{name} has a row of more than {LINE:,} characters; look for a quote that is "
                    "never closed."
                )
            yield line

    reader = csv.reader(counted(), delimiter=delimiter, strict=strict)
    try:
        for row in reader:
            yield row
            taken = 0
    except csv.Error as error:
        raise InputError(f"{name} is not a table ({error}, line {reader.line_num}).") from error


def limited_rows(rows: Iterable[T], name: str) -> Iterator[T]:
    """The rows of a table, as long as they are not too many, too wide, or too much together."""
    cells = 0
    for number, row in enumerate(rows, start=1):
        cells += len(row)
        if number > ROWS:
            raise InputError(f"{name} has more than {ROWS:,} rows; split it.")
        if len(row) > COLUMNS:
            raise InputError(
                f"{name}, row {number:,}, has more than {COLUMNS:,} columns; keep those you need."
            )
        if cells > CELLS:
            raise InputError(f"{name} has more than {CELLS:,} cells; split it.")
        yield row


def read_npz(
    data: bytes, name: str, wanted: Collection[str], limits: FileLimits
) -> dict[str, NDArray[Any]]:
    """Arrays of numbers from an npz file, those that are wanted and there; others stay packed.

    The sizes that the archive declares are checked before anything is unpacked, and each array's
    own shape against what was unpacked, so that none takes more memory than was declared.
    """
    check_size(len(data), name, limits)
    if data.count(b"PK\x01\x02") > _MEMBERS:  # each entry begins so, and costs memory
        raise ValueError(f"it holds more than {_MEMBERS} arrays")
    try:
        with ZipFile(BytesIO(data)) as archive:
            listed = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
            members = {key: listed[key] for key in wanted if key in listed}
            size = sum(info.file_size for info in members.values())
            require(
                size <= limits.unpacked,
                f"{name} unpacks to more than {_megabytes(limits.unpacked)}; {limits.advice}.",
            )
            return {key: _array(_unpacked(archive, info)) for key, info in members.items()}
    except _BAD_ARCHIVE as error:
        raise ValueError(f"it cannot be unpacked: {reason(error)}") from error


def _unpacked(archive: ZipFile, member: ZipInfo) -> bytes:
    if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise ValueError("its arrays are packed in another way than numpy packs them")
    with archive.open(member) as file:
        return file.read(member.file_size)  # never more than was declared


_NPY: Final = re.compile(
    rb"\{'descr': '([|<>][biuf][1248])', 'fortran_order': (True|False), "
    rb"'shape': \(((?:\d{1,12}, ?)*\d{0,12})\), \} *\n"
)


def _array(data: bytes) -> NDArray[Any]:
    """An array as numpy saves it, read without numpy's own reader, which trusts the header."""
    (length,) = struct.unpack_from("<H", data, 8)
    header = _NPY.fullmatch(data, 10, 10 + length)
    if data[:8] != b"\x93NUMPY\x01\x00" or header is None:
        raise ValueError("one of its arrays has a header that is not numpy's")
    kind, fortran, listed = header.groups()
    shape = [int(number) for number in listed.split(b",") if number.strip()]
    numbers = np.frombuffer(data, np.dtype(kind.decode()), offset=10 + length)
    if numbers.dtype == bool:
        numbers = numbers.view(np.uint8) != 0  # any other byte than 0 and 1 would confuse numpy
    return numbers.reshape(shape, order="F" if fortran == b"True" else "C")


def _megabytes(size: int) -> str:
    return f"{size / MEGABYTE:,.0f} MB"
