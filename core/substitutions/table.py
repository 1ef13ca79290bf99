"""A user's own substitutes, from a CSV table or any function."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from pathlib import Path
from typing import Final

from core.errors import InputError, require
from core.substitutions.columns import column
from core.substitutions.protocol import Column
from core.untrusted import TABLE, check_size, csv_rows, limited_rows, read_file

SHAPE: Final = "a CSV table with the columns word,substitute and one pair in each row"


@dataclass(frozen=True)
class SubstituteTable:
    """Substitutes looked up in a table, whatever the capitals of the word."""

    rows: Mapping[str, tuple[str, ...]]
    name: str = "table"

    def __call__(self, words: Sequence[str]) -> tuple[Column, ...]:
        return tuple(self._column(word) for word in words)

    def _column(self, word: str) -> Column:
        found = ((form, f"listed in {self.name}") for form in self.rows.get(word.lower(), ()))
        return column(word, found, f"not in {self.name}")


@dataclass(frozen=True)
class OwnTable:
    """The substitutes in a file of yours, which is read when they are first asked for."""

    file: str = ""

    @property
    def source(self) -> str:
        """Where the substitutes come from."""
        return self._table.name

    def __call__(self, words: Sequence[str]) -> tuple[Column, ...]:
        return self._table(words)

    @cached_property
    def _table(self) -> SubstituteTable:
        require(bool(self.file), f"Say which file holds the table: file=PATH, {SHAPE}.")
        return from_csv(Path(self.file))


def from_csv(path: Path) -> SubstituteTable:
    """Read a table with the columns ``word`` and ``substitute``, one pair in a row."""
    require(path.is_file(), f"{path} is not there; give the path of {SHAPE}.")
    return read(read_file(path, TABLE), path.name)


def read(data: bytes, name: str) -> SubstituteTable:
    """The table in the bytes of a file; the name is only shown."""
    check_size(len(data), name, TABLE)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{name} is not a CSV table in UTF-8; save it as one.") from None
    table = limited_rows(csv_rows(StringIO(text, newline=""), name), name)
    header = next(table, [])
    require({"word", "substitute"} <= {*header}, f"{name} needs to be {SHAPE}.")
    places = header.index("word"), header.index("substitute")
    rows: dict[str, list[str]] = {}
    for number, row in enumerate(table, start=2):
        if not row:
            continue
        pair = [row[place].strip() if place < len(row) else "" for place in places]
        require(all(pair), f"{name}, row {number:,}: give both a word and a substitute.")
        rows.setdefault(pair[0].lower(), []).append(pair[1])
    return SubstituteTable({word: tuple(found) for word, found in rows.items()}, name)


@dataclass(frozen=True)
class Function:
    """Substitutes from a function of one word, such as a dictionary look-up or a model."""

    find: Callable[[str], Iterable[str]]
    name: str = "your function"

    def __call__(self, words: Sequence[str]) -> tuple[Column, ...]:
        return tuple(
            column(
                word,
                ((form, f"from {self.name}") for form in self.find(word)),
                f"nothing from {self.name}",
            )
            for word in words
        )
