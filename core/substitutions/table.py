"""A user's own substitutes, from a CSV table or any function."""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.substitutions import Column
from core.substitutions.columns import column


@dataclass(frozen=True)
class Table:
    """Substitutes looked up in a table, whatever the capitals of the word."""

    rows: Mapping[str, tuple[str, ...]]
    name: str = "table"

    def __call__(self, words: Sequence[str]) -> tuple[Column, ...]:
        return tuple(self._column(word) for word in words)

    def _column(self, word: str) -> Column:
        found = ((form, f"listed in {self.name}") for form in self.rows.get(word.lower(), ()))
        return column(word, found, f"not in {self.name}")


def from_csv(path: Path) -> Table:
    """Read a table with the columns ``word`` and ``substitute``, one pair in a row."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if not {"word", "substitute"} <= set(reader.fieldnames or ()):
                raise InputError(f"{path} needs a header line with the columns word,substitute.")
            rows: dict[str, list[str]] = {}
            for row in reader:
                word, substitute = (row["word"] or "").strip(), (row["substitute"] or "").strip()
                if not word or not substitute:
                    raise InputError(
                        f"{path}, line {reader.line_num}: give both a word and a substitute."
                    )
                rows.setdefault(word.lower(), []).append(substitute)
    except FileNotFoundError:
        raise InputError(f"{path} is not there; give the path of a CSV table.") from None
    except (UnicodeDecodeError, IsADirectoryError, csv.Error):
        raise InputError(f"{path} is not a CSV table in UTF-8.") from None
    return Table({word: tuple(found) for word, found in rows.items()}, path.name)


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
