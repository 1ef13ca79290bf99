"""Parquet of strangers, read by another process."""

import json

import pyarrow
import pytest

from core import InputError
from core.experiment.parquet import as_json_lines
from tests.toys.memory import refusal
from tests.toys.uploads import WIDE, packed


def test_of_parquet_texts_and_numbers_are_kept() -> None:
    labels = pyarrow.array(["good", "bad"]).dictionary_encode()
    columns = {"text": ["a", None], "label": labels, "n": [1.5, float("nan")], "list": [[1], []]}
    lines = [json.loads(line) for line in as_json_lines(packed(columns)).splitlines()]
    assert lines[0] == {"text": "a", "label": "good", "n": 1.5}
    assert lines[1]["text"] is None
    assert lines[1].keys() == {"text", "label", "n"}


def test_parquet_that_unpacks_to_more_than_there_is_ends_its_own_process_only() -> None:
    """240 kB: one text of 5 MB, which each of 300 rows has."""
    repeated = pyarrow.array(["a" * 5_000_000])
    content = packed({"text": pyarrow.DictionaryArray.from_arrays([0] * 300, repeated)})
    said = refusal(lambda: as_json_lines(content), 1)
    assert "takes too much memory or time to read" in said


def test_what_parquet_declares_is_looked_at_before_anything_is_read() -> None:
    """All that stands before the footer is damaged, which nobody comes to see."""
    for columns, words in (
        ({"x": list(range(100_001))}, "more than 100,000 rows"),
        (WIDE, "more than 200 columns"),
    ):
        content = packed(columns)
        footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
        with pytest.raises(InputError, match=words):
            as_json_lines(b"PAR1" + b"\xff" * (footer - 4) + content[footer:])


def test_parquet_with_more_text_than_a_table_may_have_is_refused() -> None:
    content = packed({"text": ["a" * 1_000_000] * 110}, compression="zstd")
    with pytest.raises(InputError, match="holds more than 100 MB of text; split it"):
        as_json_lines(content)
