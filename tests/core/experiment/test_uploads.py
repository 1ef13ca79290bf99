"""Tables that strangers send for an experiment are measured."""

import io
from typing import Any

import pyarrow
import pytest

from core import InputError
from core.experiment.data import FileRow, Source
from core.experiment.readers import Broken, rows_in
from core.experiment.uploads import Upload, read_upload
from tests.toys.memory import refusal
from tests.toys.uploads import WIDE, packed


def rows(upload: Upload, **source: Any) -> list[FileRow | Broken]:
    name = f"a.{upload.kind}"
    return list(rows_in(io.BytesIO(upload.content), name, Source(file=name, **source)))


def test_every_kind_is_read_by_the_rules_of_the_run() -> None:
    wanted = [FileRow('so "fine', "1"), FileRow("bad, bad", "0")]
    for name, content in (
        ("A.CSV", b'\xef\xbb\xbftext,label\r\n"so ""fine",1\r\n"bad, bad",0\r\n'),
        ("a.tsv", b'text\tlabel\nso "fine\t1\nbad, bad\t0\n'),
        ("a.jsonl", b'{"text": "so \\"fine", "label": "1"}\n\n{"text": "bad, bad", "label": "0"}'),
        ("a.parquet", packed({"text": ['so "fine', "bad, bad"], "label": ["1", "0"]})),
    ):
        upload = read_upload(name, content)
        assert upload.columns == ("text", "label")
        assert rows(upload) == wanted, name
        assert upload.kind != "parquet"


def test_names_in_later_rows_are_columns_too() -> None:
    upload = read_upload("a.jsonl", b'{"a": 1}\nbroken\n[1]\n{"b": 2, "a": 3}\n')
    assert upload.columns == ("a", "b")
    assert rows(upload, text="a", reference="b") == [
        *(Broken('no "b"'), Broken("not JSON"), Broken("not a row")),
        FileRow(3, 2),
    ]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.exe", b"", 'no kind of data file "exe"'),
        ("a", b"", "no kind of data file"),
        ("a.csv.gz", b"", 'no kind of data file "gz"'),
        ("a.csv", b"text\nfine\n", "needs a column of texts and one of labels"),
        ("a.csv", b"", "needs a column of texts"),
        ("a.csv", b"te\xfft,label\n", "names that are not UTF-8"),
        ("a.csv", b"x" * 20_000_001, "larger than 20 MB; split it"),
        ("a.csv", b"," * 500_000, "more than 200 columns"),
        ("a.tsv", b"\t" * 500_000, "more than 200 columns"),
        ("a.tsv", b"x\n" * 100_001, "more than 100,000 rows"),
        ("a.jsonl", b"{}\n" * 100_001, "more than 100,000 rows"),
        ("a.jsonl", b"broken\n" * 100_001, "more than 100,000 rows"),
        ("a.jsonl", b"\n".join(b'{"%d": 1}' % n for n in range(201)), "more than 200 columns"),
        ("a.parquet", b"no", "cannot be read"),
        ("a.parquet", b"PAR1" + b"\0" * 100 + b"PAR1", "cannot be read"),
        ("a.parquet", packed({"x": pyarrow.nulls(100_001, pyarrow.int8())}), "100,000 rows"),
        ("a.parquet", packed(WIDE), "more than 200 columns"),
        ("a.parquet", packed({"list": [[1]]}), "needs a column of texts"),
    ],
)
def test_a_table_that_cannot_be_used_is_a_sentence(name: str, content: bytes, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_upload(name, content)


def test_millions_of_columns_take_no_memory() -> None:
    said = refusal(lambda: read_upload("a.csv", b"," * 15_000_000), 30)
    assert "longer than 1,000,000 characters" in said
