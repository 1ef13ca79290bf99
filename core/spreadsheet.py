"""CSV that is safe to open in a spreadsheet: a text in it is never run as a formula.

A text that begins as a formula does gets an apostrophe in front, which spreadsheets read as "this
is text". Programs that read such a file want the raw cells, which can be had too.
"""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_NUMBER: Final = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")


def csv_text(
    rows: Iterable[Mapping[str, Any]], columns: Sequence[str] = (), *, raw: bool = False
) -> str:
    """Rows as CSV; the columns are those of the rows if not given, and a row may lack some."""
    listed = list(rows)
    names = columns or list(dict.fromkeys(name for row in listed for name in row))
    out = io.StringIO(newline="")
    writer = csv.writer(out)  # its line ends are \r\n, so that it quotes a cell with either
    writer.writerow(names if raw else map(safe, names))
    for row in listed:
        cells = (row.get(name, "") for name in names)
        writer.writerow(cells if raw else map(safe, cells))
    return out.getvalue()


def safe(cell: Any) -> Any:
    """A cell that no spreadsheet takes for a formula; a number stays one, also as a text."""
    if isinstance(cell, str) and cell.startswith(_STARTS) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell
