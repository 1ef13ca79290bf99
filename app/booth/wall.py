"""The wall: the best finds of today that visitors wanted to show, in one small file."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass
from datetime import date
from html import escape
from pathlib import Path
from threading import Lock
from typing import Final

import regex

from core.assets import data_folder
from core.ladder import NAMES
from core.substitutions.blocked import is_blocked
from core.untrusted import MALFORMED

MOST: Final = 30  # finds
LONGEST: Final = 300  # characters of a sentence
_LARGEST: Final = 100_000  # bytes of the file
_PRIVATE: Final = regex.compile(r"@|://|www\.|\d{4}", regex.IGNORECASE)  # addresses, numbers
_turn = Lock()


@dataclass(frozen=True, order=True)
class WallEntry:
    """A sentence and what it became; the lesser one is the better find."""

    level: int
    changed: int
    queries: int
    original: str
    attacked: str


def may_be_shown(text: str) -> bool:
    """Whether strangers may see a sentence: no blocked word, address or long number in it."""
    return len(text) <= LONGEST and not _PRIVATE.search(text) and not is_blocked(text)


def file() -> Path:
    return data_folder() / "wall.json"


def entries() -> tuple[WallEntry, ...]:
    """What hangs there today, the best first; a damaged file is an empty wall."""
    try:
        if file().stat().st_size > _LARGEST:
            return ()
        kept = json.loads(file().read_text(encoding="utf-8"))
        if kept["day"] != date.today().isoformat():
            return ()
        rows = [WallEntry(**row) for row in kept["entries"][:MOST]]
        return tuple(sorted(row for row in rows if _is_sound(row)))
    except (OSError, *MALFORMED):
        return ()


def add(entry: WallEntry) -> bool:
    """Hang a find up; the worst of too many is taken down. Gives whether it hangs there."""
    if not (may_be_shown(entry.original) and may_be_shown(entry.attacked)):
        return False
    with _turn:
        kept = sorted({*entries(), entry})[:MOST]
        _write(kept)
    return entry in kept


def remove(entry: WallEntry) -> None:
    with _turn:
        _write([other for other in entries() if other != entry])


def html(entry: WallEntry) -> str:
    """Both sentences, one under the other."""
    style = "margin:0;overflow-wrap:anywhere"
    lines = (entry.original, entry.attacked)
    return "".join(f'<p dir="auto" style="{style}">{escape(line)}</p>' for line in lines)


def _is_sound(row: WallEntry) -> bool:
    kinds = (int, int, int, str, str)
    typed = all(type(value) is kind for value, kind in zip(astuple(row), kinds, strict=True))
    return typed and row.level in NAMES


def _write(kept: Sequence[WallEntry]) -> None:
    """The whole file or nothing of it."""
    plain = {"day": date.today().isoformat(), "entries": [asdict(entry) for entry in kept]}
    file().parent.mkdir(parents=True, exist_ok=True)
    part = file().with_name("wall.json.part")
    part.write_text(json.dumps(plain, ensure_ascii=False), encoding="utf-8")
    os.replace(part, file())
