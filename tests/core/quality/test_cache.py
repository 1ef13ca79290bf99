"""The score cache saves work, survives damage and other processes, and is never in the way."""

import logging
import math
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.quality.cache import ScoreCache, cache_folder


def lengths(cache: ScoreCache, keys: list[str], maker: str = "length") -> tuple[list[float], int]:
    """Score keys by length and say how many had to be computed."""
    asked: list[int] = []

    def compute(indices: list[int]) -> list[float]:
        asked.extend(indices)
        return [len(keys[index]) for index in indices]

    return cache.scores(maker, keys, compute).tolist(), len(asked)


def test_computes_each_text_once(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "new" / "scores.sqlite")
    assert lengths(cache, ["a", "bb", "a"]) == ([1, 2, 1], 2)
    assert lengths(cache, ["bb", "a", "ccc"]) == ([2, 1, 3], 1)
    assert lengths(ScoreCache(cache.path), ["a", "bb", "ccc"]) == ([1, 2, 3], 0)


def test_another_maker_has_other_scores(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "scores.sqlite")
    lengths(cache, ["a"])
    assert lengths(cache, ["a"], maker="another") == ([1], 1)


def test_no_keys_no_work(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "scores.sqlite")
    assert lengths(cache, []) == ([], 0)
    assert not cache.path.exists()


def test_more_keys_than_one_statement_takes(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "scores.sqlite")
    keys = ["x" * size for size in range(1_300)]
    lengths(cache, keys)
    assert lengths(cache, keys) == ([float(size) for size in range(1_300)], 0)


def test_remembers_that_a_score_is_not_a_number(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "scores.sqlite")
    cache.scores("m", [""], lambda _: [np.nan])
    assert math.isnan(cache.scores("m", [""], lambda _: pytest.fail("asked again"))[0])


def test_any_string_can_be_a_key(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "scores.sqlite")
    odd = ["\ud800", "\0", "😀"]
    lengths(cache, odd)
    assert lengths(cache, odd) == ([1, 1, 1], 0)


def test_forgets_the_oldest_first(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "scores.sqlite", max_rows=3)
    lengths(cache, ["a", "b"])
    lengths(cache, ["c", "d"])
    assert lengths(cache, ["b", "c", "d"])[1] == 0
    assert lengths(cache, ["a"])[1] == 1


@pytest.mark.parametrize("damage", ["not a database", "cut short", "foreign table"])
def test_a_damaged_file_is_replaced_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    cache = ScoreCache(tmp_path / "scores.sqlite")
    lengths(cache, [str(number) for number in range(2_000)])
    content = cache.path.read_bytes()
    if damage == "not a database":
        cache.path.write_bytes(b"garbage" * 1_000)
    elif damage == "cut short":
        cache.path.write_bytes(content[: len(content) // 2])
    else:
        cache.path.unlink()
        with sqlite3.connect(cache.path) as database:
            database.execute("CREATE TABLE scores (other TEXT)")
        database.close()
    with caplog.at_level(logging.WARNING):
        assert lengths(cache, ["a", "bb"])[0] == [1, 2]
    assert "scores.sqlite" in caplog.text
    lengths(cache, ["a", "bb"])
    if damage != "foreign table":
        assert lengths(cache, ["a", "bb"])[1] == 0


def test_an_unusable_folder_costs_time_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = ScoreCache(tmp_path / "file" / "scores.sqlite")
    with caplog.at_level(logging.WARNING):
        assert lengths(cache, ["a"]) == ([1], 1)
    assert "going on without" in caplog.text


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "scores.sqlite"
    program = (
        "import sys; from pathlib import Path; from core.quality.cache import ScoreCache\n"
        "cache = ScoreCache(Path(sys.argv[1]))\n"
        "for i in range(60):\n"
        "    keys = [f'{sys.argv[2]} {i} {j}' for j in range(5)]\n"
        "    cache.scores('m', keys, lambda indices: [float(i)] * len(indices))\n"
    )
    both = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(path), name], stderr=subprocess.PIPE, text=True
        )
        for name in ("one", "two")
    ]
    assert [process.communicate()[1] for process in both] == ["", ""]
    keys = [f"{name} {i} {j}" for name in ("one", "two") for i in range(60) for j in range(5)]
    assert lengths(ScoreCache(path), keys, maker="m")[1] == 0


def test_the_environment_chooses_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SWAPSCOPE_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    assert ScoreCache().path == tmp_path / "scores.sqlite"


@pytest.mark.parametrize(
    ("system", "variable", "expected"),
    [
        ("linux", "XDG_CACHE_HOME", "base/swapscope"),
        ("win32", "LOCALAPPDATA", "base/swapscope"),
        ("linux", "", "home/.cache/swapscope"),
        ("win32", "", "home/AppData/Local/swapscope"),
        ("darwin", "", "home/Library/Caches/swapscope"),
    ],
)
def test_each_system_has_its_cache_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, variable: str, expected: str
) -> None:
    for name in ("SWAPSCOPE_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    if variable:
        monkeypatch.setenv(variable, str(tmp_path / "base"))
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    assert cache_folder() == tmp_path / expected
