"""Results on disk: half lines, damaged lines, a full disk, two writers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core import InputError
from core.experiment.store import Contents, Writer, line_of, read, record_of

ONE = {"kind": "result", "text": "Schön — “quoted”\n\u2028", "row": 1}
TWO = {"kind": "skip", "row": 2}


def test_records_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with Writer(path) as writer:
        writer.append(ONE, TWO)
        writer.append(ONE)
    contents = read(path)
    assert contents == Contents([ONE, TWO, ONE], [])


def test_half_a_line_is_cut_off_by_the_next_writer(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    whole = line_of(ONE)
    for cut in range(len(whole)):
        path.write_bytes(whole + whole[:cut])
        assert read(path) == Contents([ONE], [])
        with Writer(path) as writer:
            writer.append(TWO)
        assert read(path) == Contents([ONE, TWO], [])
    path.write_bytes(b"x" * 200_000)
    with Writer(path) as writer:
        writer.append(TWO)
    assert path.read_bytes() == line_of(TWO)


def test_a_damaged_line_is_left_out_and_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    line = line_of(ONE)
    for place in range(len(line) - 1):
        damaged = bytearray(line)
        damaged[place] ^= 0x04
        assert record_of(bytes(damaged)) is None
        path.write_bytes(line_of(TWO) + bytes(damaged) + line_of(TWO))
        found = read(path)
        assert found.records == [TWO, TWO]
        assert found.damaged[0] == 2


FULL = """
import resource, sys
from pathlib import Path
from core.errors import InputError
from core.experiment.store import Writer
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
writer = Writer(Path(sys.argv[1]))
try:
    for row in range(100):
        writer.append({"kind": "result", "row": row, "text": "x" * 70})
except InputError as error:
    print(row, error)
"""


def test_a_full_disk_loses_nothing_that_was_finished(tmp_path: Path) -> None:
    """The system refuses to let the file grow: a write is cut short, the next one fails."""
    path = tmp_path / "a.jsonl"
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=True
    )
    count, _, sentence = done.stdout.partition(" ")
    assert "File too large. What was finished before is safe; make room" in sentence
    assert [record["row"] for record in read(path).records] == list(range(int(count)))
    assert int(count) > 3
    assert path.read_bytes().endswith(b"}\n")


def test_only_one_process_writes_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with Writer(path) as writer:
        writer.append(ONE)
        with pytest.raises(InputError, match="Another run is writing"):
            Writer(path)
    with Writer(path) as writer:
        writer.append(TWO)
    assert read(path).records == [ONE, TWO]


def test_a_place_that_cannot_be_written_or_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Could not write"):
        Writer(tmp_path / "none" / "a.jsonl")
    with pytest.raises(InputError, match="Could not read"):
        read(tmp_path / "a.jsonl")


def test_the_disk_is_made_to_write_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    monkeypatch.setattr("core.experiment.store._SYNC", -1.0)
    with Writer(tmp_path / "a.jsonl") as writer:
        writer.append(ONE)
    assert len(synced) == 1
