"""The wall of the day's finds."""

import codecs
import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from app.booth import wall
from app.booth.wall import WallEntry

GOOD = WallEntry(1, 1, 12, "The acting is flawless.", "The acting is faultless.")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(wall, "data_folder", lambda: tmp_path)
    return tmp_path


def test_the_best_find_comes_first_and_none_twice() -> None:
    worse, worst = WallEntry(1, 2, 3, "a", "b"), WallEntry(2, 1, 1, "c", "d")
    assert all(map(wall.add, (worst, GOOD, worse, GOOD)))
    assert wall.entries() == (GOOD, worse, worst)
    wall.remove(worse)
    assert wall.entries() == (GOOD, worst)


def test_it_holds_so_many_finds_and_no_more() -> None:
    for queries in range(wall.MOST + 5):
        wall.add(WallEntry(1, 1, queries + 1, f"text {queries}", "other"))
    assert len(wall.entries()) == wall.MOST
    assert wall.entries()[-1].queries == wall.MOST
    assert not wall.add(WallEntry(3, 9, 99, "the worst of all", "other"))


@pytest.mark.parametrize(
    "text", ["mail me@example.org", "see https://example.org", "call 555 1234", "x" * 301]
)
def test_addresses_numbers_and_long_texts_are_not_shown(text: str) -> None:
    assert not wall.add(WallEntry(1, 1, 1, text, "harmless"))
    assert not wall.add(WallEntry(1, 1, 1, "harmless", text))
    assert wall.entries() == ()


def test_a_blocked_word_is_not_shown_and_it_is_masked_here_too() -> None:
    rude = codecs.decode("Gur npgvat vf n fyhg.", "rot13")
    assert not wall.add(WallEntry(1, 1, 1, rude, "The acting is fine."))
    assert wall.entries() == ()


def test_it_is_empty_on_the_next_day(folder: Path) -> None:
    wall.add(GOOD)
    kept = json.loads((folder / "wall.json").read_text())
    yesterday = (date.today() - timedelta(days=1)).isoformat()
    (folder / "wall.json").write_text(json.dumps({**kept, "day": yesterday}))
    assert wall.entries() == ()


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        "null",
        " " * 200_000,
        json.dumps({"day": date.today().isoformat(), "entries": [{"level": 1}]}),
        json.dumps({"day": date.today().isoformat(), "entries": 7}),
        json.dumps({"day": date.today().isoformat(), "entries": [[1, 2]]}),
    ],
)
def test_a_damaged_file_is_an_empty_wall(folder: Path, content: str) -> None:
    (folder / "wall.json").write_text(content)
    assert wall.entries() == ()
    assert wall.add(GOOD)
    assert wall.entries() == (GOOD,)


def test_rows_of_other_kinds_are_left_out(folder: Path) -> None:
    wall.add(GOOD)
    kept = json.loads((folder / "wall.json").read_text())
    kept["entries"].append({**kept["entries"][0], "level": "1"})
    (folder / "wall.json").write_text(json.dumps(kept))
    assert wall.entries() == (GOOD,)


def test_markup_stays_text() -> None:
    shown = wall.html(WallEntry(1, 1, 1, "<img src=x onerror=alert(1)>", "<b>"))
    assert "<img" not in shown
    assert "<b>" not in shown
