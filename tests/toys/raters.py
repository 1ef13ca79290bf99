"""What raters are asked and what they answer."""

from sqlalchemy import func, select

from core.study import rating
from core.study.database import Database
from core.study.rating import GivenAnswer, RatingTask
from core.study.tables import Correction, Rating

GOOD, BAD = GivenAnswer("positive", 3), GivenAnswer("negative", 1)


def task_of(database: Database, token: str, task: str | None = None) -> RatingTask:
    found = rating.visit(database, token, task).task
    assert found is not None
    return found


def count(database: Database, table: type[Rating] | type[Correction]) -> int:
    with database.reading() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0
