"""CSV that no spreadsheet runs, and raw CSV for programs."""

import csv
import io
from typing import Any

import pytest

from core.spreadsheet import csv_text, safe


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize(
    "text",
    [
        *("=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(1)", "\t=1", "\r=1", "\n=1", "＝1+1", "＠x"),
        *("-", "- not bad", "-1-1", "+", "-5 stars", "=", "1=", "- 1", "-1e", "--1"),
    ],
)
def test_a_text_that_begins_as_a_formula_gets_an_apostrophe(text: str) -> None:
    expected = text if text == "1=" else f"'{text}"
    assert safe(text) == expected
    assert read(csv_text([{"text": text, "more": 1}])) == [{"text": expected, "more": "1"}]
    assert read(csv_text([{"text": text, "more": 1}], raw=True)) == [{"text": text, "more": "1"}]


@pytest.mark.parametrize(
    "cell", [-0.5, -3, 1e-7, None, True, "-0.5", "+3", "-1e-07", "a=b", "", "'"]
)
def test_numbers_and_other_texts_stay_as_they_are(cell: Any) -> None:
    assert safe(cell) is cell


def test_names_of_columns_are_cells_too() -> None:
    assert csv_text([{"=HYPERLINK(1)": 1}]) == "'=HYPERLINK(1)\r\n1\r\n"
    assert csv_text([{"=HYPERLINK(1)": 1}], raw=True) == "=HYPERLINK(1)\r\n1\r\n"


def test_a_line_end_within_a_text_begins_no_row() -> None:
    """Python leaves a lone carriage return bare if lines end in a newline alone."""
    for end in ("\r", "\n", "\r\n"):
        text = csv_text([{"a": f"good{end}=1+1", "b": "x"}])
        assert text == f'a,b\r\n"good{end}=1+1",x\r\n'
        assert read(text) == [{"a": f"good{end}=1+1", "b": "x"}]


def test_every_row_is_there_even_where_columns_are_missing() -> None:
    rows = [{"a": 1, "b": "x, y"}, {"a": 2, "c": '"q"'}]
    assert read(csv_text(rows)) == [
        {"a": "1", "b": "x, y", "c": ""},
        {"a": "2", "b": "", "c": '"q"'},
    ]
    assert read(csv_text(rows, ["b"])) == [{"b": "x, y"}, {"b": ""}]
    assert csv_text([], ["a", "b"]) == "a,b\r\n"
