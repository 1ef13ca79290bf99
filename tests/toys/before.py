"""What was written before the redesign, by commit b29e043: traces, an experiment and a study.

``*.table.txt``, ``pairs.export.csv`` and ``study.*.csv`` are what that commit showed of them.
"""

import sqlite3
from pathlib import Path
from typing import Final

from core.study.database import Database
from tests.toys.places import DATA

BEFORE: Final = DATA / "before_spec"
# What `core table` showed of these results then.
TABLES: Final = {
    BEFORE / "experiment" / "pairs.results.jsonl": BEFORE / "experiment" / "pairs.table.txt",
    BEFORE / "sentiment.results.jsonl": BEFORE / "sentiment.table.txt",
}


def old_study(folder: Path) -> tuple[Database, str]:
    """The database of that time, brought up to date, and the study in it."""
    file = folder / "studies.sqlite"
    old = sqlite3.connect(file)
    old.executescript((BEFORE / "studies.sql").read_text(encoding="utf-8"))
    (study,) = old.execute("select id from studies").fetchone()
    old.close()
    return Database(f"sqlite:///{file}"), study
