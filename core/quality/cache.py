"""Scores computed once, kept in the user's cache folder, shared by processes."""

import hashlib
import logging
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

log = logging.getLogger(__name__)

ENVIRONMENT = "SWAPSCOPE_CACHE"
MAX_ROWS = 2_000_000  # about 150 MB; the oldest rows go first
_AT_ONCE = 500  # keys looked up by one statement


def cache_folder() -> Path:
    """The folder named by SWAPSCOPE_CACHE, else the user's cache folder of this system."""
    if chosen := os.environ.get(ENVIRONMENT):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "swapscope"


class ScoreCache:
    """One number for each key, in an SQLite file that several processes may use at once.

    The cache only saves time: a locked, unwritable or damaged file costs a line in the log, never
    an answer.
    """

    def __init__(self, path: Path | None = None, max_rows: int = MAX_ROWS) -> None:
        self._path = path
        self._max_rows = max_rows

    @property
    def path(self) -> Path:
        """The file in use; looked up late, so that the environment may still change."""
        return self._path or cache_folder() / "scores.sqlite"

    def scores(
        self,
        maker: str,
        keys: Sequence[str],
        compute: Callable[[list[int]], Sequence[float] | NDArray[np.float64]],
    ) -> NDArray[np.float64]:
        """The score of every key; ``compute`` gets the indices of those not known yet.

        ``maker`` names what computes the score (metric, model, settings): the same text has a
        different score by another model.
        """
        digests = [_digest(maker, key) for key in keys]
        known = self._read(list(dict.fromkeys(digests)))
        first = {digest: index for index, digest in reversed(list(enumerate(digests)))}
        todo = sorted(index for digest, index in first.items() if digest not in known)
        if todo:
            fresh = dict(
                zip((digests[index] for index in todo), map(float, compute(todo)), strict=True)
            )
            self._write(fresh)
            known |= fresh
        return np.array([known[digest] for digest in digests], dtype=np.float64)

    def _read(self, digests: Sequence[bytes]) -> dict[bytes, float]:
        known: dict[bytes, float] = {}
        with self._forgiving():
            if not self.path.exists():
                return known
            with closing(self._connect()) as database:
                for start in range(0, len(digests), _AT_ONCE):
                    part = digests[start : start + _AT_ONCE]
                    marks = ",".join("?" * len(part))
                    rows = database.execute(
                        f"SELECT key, value FROM scores WHERE key IN ({marks})", part
                    )
                    # SQLite has no not-a-number: it comes back as NULL.
                    known.update((key, np.nan if value is None else value) for key, value in rows)
        return known

    def _write(self, fresh: dict[bytes, float]) -> None:
        with self._forgiving():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._connect()) as database, database:
                database.executemany(
                    "INSERT OR REPLACE INTO scores (key, value) VALUES (?, ?)", fresh.items()
                )
                database.execute(
                    "DELETE FROM scores WHERE id <= (SELECT MAX(id) FROM scores) - ?",
                    (self._max_rows,),
                )

    def _connect(self) -> sqlite3.Connection:
        database = sqlite3.connect(self.path, timeout=10)
        try:
            database.execute(
                "CREATE TABLE IF NOT EXISTS scores"
                " (id INTEGER PRIMARY KEY, key BLOB UNIQUE NOT NULL, value REAL)"
            )
        except sqlite3.Error:
            database.close()
            raise
        return database

    @contextmanager
    def _forgiving(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.OperationalError, OSError) as error:
            log.warning("The cache %s cannot be used now (%s); going on without.", self.path, error)
        except sqlite3.Error as error:
            log.warning("The cache %s is damaged (%s); starting a new one.", self.path, error)
            for suffix in ("", "-journal", "-wal", "-shm"):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)


def _digest(maker: str, key: str) -> bytes:
    content = f"{maker}\0{key}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=16).digest()
