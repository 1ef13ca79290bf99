"""Nothing lost, nothing doubled: many raters at once, and a program killed again and again."""

import random
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sqlalchemy import func, select

from core.study import rating
from core.study.creating import StudyPlan, create
from core.study.database import Database
from core.study.design import Design
from core.study.items import Item
from core.study.rating import GivenAnswer
from core.study.tables import Assignment, Correction, ItemRow, Rater, Rating
from tests.toys.study import LABELS, plan, start, tokens

RATERS, ITEMS, EACH = 50, 100, 100


def answer_of(token: str, text: str) -> GivenAnswer:
    """An answer that can be computed again when the test looks at what was stored."""
    drawn = random.Random(f"{token} {text}")
    return GivenAnswer(drawn.choice(LABELS), drawn.randrange(5))


def test_fifty_raters_at_once_give_5000_ratings(database: Database) -> None:
    items = tuple(Item(f"text {n}", LABELS[n % 2], f"s{n}", "ls") for n in range(ITEMS))
    study = create(database, StudyPlan("Big", LABELS, items, design=Design(RATERS, RATERS)))
    links = tokens(database, study)

    def rate(token: str) -> int:
        start(database, token)
        acknowledged = 0
        while task := rating.visit(database, token).task:
            answer = answer_of(token, task.text)
            saved = rating.save(database, token, task, answer, 1.0)
            acknowledged += saved == "saved"
            if acknowledged % 5 == 0:  # a nervous finger
                assert rating.save(database, token, task, answer, 1.0) == "already"
        return acknowledged

    with ThreadPoolExecutor(RATERS) as pool:
        acknowledged = list(pool.map(rate, links))
    assert acknowledged == [EACH] * RATERS
    with database.reading() as session:
        rows = session.execute(
            select(Rating.rater_id, ItemRow.text, Rating.label, Rating.score)
            .join(Assignment, Assignment.id == Rating.assignment_id)
            .join(ItemRow, ItemRow.id == Assignment.item_id)
        ).all()
        assert session.scalar(select(func.count()).select_from(Correction)) == 0
    by_rater = {rater: token for token, rater in zip(links, raters(database), strict=True)}
    assert len(rows) == RATERS * EACH
    assert len({(rater, text) for rater, text, _, _ in rows}) == RATERS * EACH
    for rater, text, label, score in rows:
        assert answer_of(by_rater[rater], text) == GivenAnswer(label, score)


def raters(database: Database) -> list[str]:
    with database.reading() as session:
        return list(session.scalars(select(Rater.id).order_by(Rater.number)))


WRITER = """
import sys
from core.study import rating
from core.study.database import Database

database, token = Database(sys.argv[1]), sys.argv[2]
while task := rating.visit(database, token).task:
    rating.save(database, token, task, rating.GivenAnswer("positive", 3), 1.0)
    print(task.id, flush=True)
"""


def test_what_was_acknowledged_survives_twenty_kills(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'studies.sqlite'}"
    database = Database(url)
    sources = tuple(Item(f"text {n}", "positive", f"s{n}", "ls") for n in range(4_000))
    study = create(database, StudyPlan("Kill", LABELS, sources, design=Design(1, 1)))
    (token,) = tokens(database, study)
    start(database, token)
    database.close()
    acknowledged: list[str] = []
    for kill in range(20):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, url, token], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        acknowledged.append(writer.stdout.readline().strip())  # it is writing now
        time.sleep(random.Random(kill).uniform(0, 0.1))
        writer.send_signal(signal.SIGKILL)
        acknowledged += [line.strip() for line in writer.stdout if line.endswith("\n")]
        assert writer.wait() == -signal.SIGKILL
        writer.stdout.close()
    with sqlite3.connect(tmp_path / "studies.sqlite") as raw:
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
    raw.close()
    database = Database(url)
    with database.reading() as session:
        stored = set(session.scalars(select(Rating.assignment_id)))
    database.close()
    assert len(acknowledged) == len(set(acknowledged))
    assert set(acknowledged) <= stored
    assert len(stored) - len(acknowledged) <= 20  # saved, but killed before saying so


def test_a_writer_does_not_hinder_a_reader(sqlite: Database) -> None:
    (token, *_) = tokens(sqlite, create(sqlite, plan()))
    with sqlite.writing():
        assert rating.visit(sqlite, token).stage == "consent"
