"""Files from strangers: what is too large or wrong is refused before memory is taken for it."""

import io
import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import InputError
from core.untrusted import (
    CELLS,
    COLUMNS,
    LINE,
    MALFORMED,
    ROWS,
    TABLE,
    TRACE,
    FileLimits,
    check_file_name,
    csv_rows,
    folded,
    limited_rows,
    lines,
    read_file,
    read_json,
    read_json_row,
    read_npz,
)
from tests.toys.memory import peak, refusal

SMALL = FileLimits(size=1_000, unpacked=1_000, values=20, containers=5, depth=3)


def archive(members: dict[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", packing) as written:
        for name, content in members.items():
            written.writestr(name, content)
    return file.getvalue()


def npy(header: str, content: bytes = b"") -> bytes:
    text = header.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + content


def saved(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=True, **arrays)
    return file.getvalue()


# JSON


def test_json_is_read_as_it_is() -> None:
    content = {"text": 'a "quoted" [[mark]] {x}, 😀 \\', "n": [1, -2.5, 2**63 - 1, None, True]}
    for data in (json.dumps(content), json.dumps(content, ensure_ascii=False)):
        assert read_json(data.encode("utf-8-sig"), "a.json", TABLE) == content


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"[" * 40 + b"]" * 40, "deeper than 32"),
        (b'{"a":' * 33 + b"1" + b"}" * 33, "deeper than 32"),
        (b'["]]]]]]]]", "\\"", "\\\\", ' + b"[" * 40 + b"]" * 40 + b"]", "deeper than 32"),
        (b"NaN", "no finite number"),
        (b"[-Infinity]", "no finite number"),
        (b"[1e999]", "no finite number"),
        (b"[9223372036854775808]", "too large a number"),
        (b"[-" + b"9" * 4_000 + b"]", "too large a number"),
        (b"[" + b"9" * 5_000 + b"]", "digits"),
        (b'["\\ud800"]', "surrogates"),
        (b"\xff\xfe[\x00]\x00", "utf-8"),
        (b"{", "Expecting"),
    ],
)
def test_json_that_no_file_of_ours_has_is_malformed(data: bytes, words: str) -> None:
    with pytest.raises(MALFORMED, match=words):
        read_json(data, "a.json", TABLE)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b" " * 1_001, "larger than 0 MB"),
        (b"[" + b"1," * 20 + b"1]", "more than 20 values"),
        (b"{" + b'"a":1,' * 10 + b'"a":1}', "more than 20 values"),
        (b"[[],[],{},{},[]]", "more than 5 lists"),
    ],
)
def test_json_that_holds_too_much_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_json(data, "a.json", SMALL)
    assert read_json(b'[1, [2], {"a,b:[[{{": 3}]', "a.json", SMALL) == [1, [2], {"a,b:[[{{": 3}]


def test_millions_of_objects_are_counted_before_they_are_made() -> None:
    data = b"[" + b"{}," * 3_000_000 + b"{}]"
    assert "lists and objects" in refusal(lambda: read_json(data, "a.json", TRACE), 60)


def test_depth_cannot_hide_behind_a_quote_that_is_escaped() -> None:
    for escape in (b'"\\\\"', b'"\\""', b'"\\\\\\""'):
        with pytest.raises(MALFORMED):
            read_json(b"[" + escape + b"," + b"[" * 50_000, "a.json", TRACE)


def test_a_row_of_a_table_may_hold_any_number() -> None:
    row = f'{{"id": {10**30}, "x": NaN}}'
    assert read_json_row(row, "a.jsonl")["id"] == 10**30
    with pytest.raises(MALFORMED):
        read_json_row("[" * 100_000, "a.jsonl")


# Tables


def test_lines_and_rows_are_read_as_they_are() -> None:
    file = io.StringIO('a,b\r\n"x\ny",2\r\n\r\nlast,3', newline="")
    rows = list(limited_rows(csv_rows(file, "a.csv"), "a.csv"))
    assert rows == [["a", "b"], ["x\ny", "2"], [], ["last", "3"]]
    assert list(lines(io.StringIO("a\n\nb"), "a.txt")) == ["a\n", "\n", "b"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("x" * (LINE + 1), "line 1, is longer than 1,000,000 characters"),
        ('a\n"' + ("x" * 999 + "\n") * 1_001, "a quote that is never closed"),
        ('"a"b\n', "not a table"),
    ],
)
def test_an_endless_field_is_refused(content: str, words: str) -> None:
    file = io.StringIO(content, newline="")
    said = refusal(lambda: list(csv_rows(file, "a.csv", strict=True)), 40)
    assert words in said


def test_a_line_that_never_ends_is_not_read_to_its_end(tmp_path: Path) -> None:
    with (tmp_path / "a.csv").open("wb") as file:
        file.truncate(60_000_000)
    with (tmp_path / "a.csv").open(encoding="utf-8") as text:
        assert "line 1, is longer" in refusal(lambda: list(lines(text, "a.csv")), 10)


def test_a_table_has_only_so_many_rows_columns_and_cells() -> None:
    full = list(limited_rows([[""] * 10] * ROWS, "a"))
    assert len(full) * 10 == CELLS
    for rows, words in (
        ([{}] * (ROWS + 1), "more than 100,000 rows"),
        ([[""] * (COLUMNS + 1)], "row 1, has more than 200 columns"),
        ([[""] * COLUMNS] * (CELLS // COLUMNS + 1), "more than 1,000,000 cells"),
    ):
        with pytest.raises(InputError, match=words):
            list(limited_rows(rows, "a"))


# Archives


def test_arrays_come_back_as_numpy_saved_them() -> None:
    arrays = {
        "ints": np.arange(6, dtype=np.int32).reshape(2, 3),
        "turned": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        "switches": np.array([True, False]),
        "none": np.zeros((0, 4), dtype=np.int64),
        "bytes": np.frombuffer(b"text", dtype=np.uint8),
    }
    found = read_npz(saved(**arrays), "a.npz", [*arrays, "more"], TRACE)
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        assert np.array_equal(found[name], array)


def test_what_is_not_wanted_stays_packed() -> None:
    data = archive({"big.npy": b"\0" * 60 * 1_000_000, "a.npy": saved_array(np.arange(3))})
    assert peak(lambda: read_npz(data, "a.npz", ["a"], TRACE)) < 5


def saved_array(array: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def test_an_archive_that_declares_too_much_is_never_unpacked() -> None:
    """The ratio of the file that took 3 GB of a server: 13 MB became 230 times as much."""
    data = archive({"a.npy": b"\0" * 150_000_000})
    assert len(data) < 200_000
    said = refusal(lambda: read_npz(data, "a.npz", ["a"], TRACE), 5)
    assert said == "a.npz unpacks to more than 100 MB; save a shorter search."


def test_an_archive_cannot_unpack_to_more_than_it_declares() -> None:
    """The sizes in the directory are changed to a small one."""
    data = archive({"a.npy": b"\0" * 50_000_000})
    real, told = struct.pack("<L", 50_000_000), struct.pack("<L", 100)

    def read() -> None:
        with pytest.raises(MALFORMED):
            read_npz(data.replace(real, told), "a.npz", ["a"], TRACE)

    assert peak(read) < 5


SHAPE = "{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}"


@pytest.mark.parametrize(
    "content",
    [
        npy(SHAPE.format("<i8", "(10000000000000,)")),
        npy(SHAPE.format("<i8", "(999999999999, 999999999999)")),
        npy(SHAPE.format("|O", "(1,)"), b"\x80\x04N."),
        npy(SHAPE.format("<U100000000", "(1,)")),
        npy(SHAPE.format("<i8", "(-1,)"), b"\0" * 8),
        npy(SHAPE.format("<i8", "(2,)"), b"\0" * 8),
        npy(SHAPE.format("<i4", "(2,)"), b"\0" * 9),
        npy("-" * 9_000 + "1"),
        npy("(" * 9_000),
        b"\x93NUMPY\x01\x00\xff\xff",
        b"\x93NUMPY\x02\x00" + b"\xff" * 8,
        b"\x93NUMPY",
        b"",
    ],
)
def test_an_array_that_is_not_what_its_header_says_is_malformed(content: bytes) -> None:
    data = archive({"a.npy": content})
    with pytest.raises(MALFORMED):
        read_npz(data, "a.npz", ["a"], TRACE)


def test_an_archive_that_numpy_would_not_write_is_malformed() -> None:
    good = saved_array(np.arange(3))
    encrypted = bytearray(archive({"a.npy": good}))
    for mark, at in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        encrypted[encrypted.index(mark) + at] |= 1
    for data in (
        archive({"a.npy": good}, zipfile.ZIP_BZIP2),
        archive({"a.npy": good}, zipfile.ZIP_LZMA),
        archive({f"{n}.npy": b"" for n in range(100)} | {"a.npy": good}),
        bytes(encrypted),
        b"",
        b"PK",
    ):
        with pytest.raises(MALFORMED):
            read_npz(data, "a.npz", ["a"], TRACE)


def test_a_byte_that_is_neither_true_nor_false_is_true() -> None:
    content = npy(SHAPE.format("|b1", "(3,)"), b"\x00\x01\xff")
    found = read_npz(archive({"a.npy": content}), "a.npz", ["a"], TRACE)
    assert found["a"].view(np.uint8).tolist() == [0, 1, 1]


# Files and their names


def test_a_file_is_measured_on_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(TRACE.size + 1)
    assert "larger than 20 MB" in refusal(lambda: read_file(path, TRACE), 1)
    path.write_bytes(b"x")
    assert read_file(path, TRACE) == b"x"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a device that never ends")
def test_a_file_that_says_it_is_empty_and_never_ends_is_refused() -> None:
    assert "larger than 0 MB" in refusal(lambda: read_file(Path("/dev/zero"), SMALL), 1)


@pytest.mark.parametrize("name", ["a", "my-experiment", "v1.2_b", "Été", "実験", "9", "x" * 100])
def test_names_that_every_system_keeps(name: str) -> None:
    check_file_name(name)


@pytest.mark.parametrize(
    "name",
    [
        *("", ".", "..", ".a", "a/b", "../a", "a\\b", "/etc/passwd", "C:a", "a\0b", "a b", "a\n"),
        *("a.", "a..", "con", "CON", "nul.txt", "Com1", "lpt¹", "a:b", "a*", "~a", "$HOME", "-a"),
        *("x" * 101, "é" * 60, "e\u0301", "\ud800"),
    ],
)
def test_names_that_some_system_takes_for_another_file(name: str) -> None:
    with pytest.raises(InputError, match="cannot be used for a file"):
        check_file_name(name)


def test_names_that_differ_only_in_case_or_in_how_letters_are_put_together() -> None:
    assert folded("Mine") == folded("mine")
    assert folded("Å") == folded("\u212b")
    assert folded("mine") != folded("mine2")
