"""A small study with ratings, and the rows of its tables."""

import csv
import io

from core.study import monitoring, organising, rating
from core.study.creating import create
from core.study.database import Database
from core.study.rating import GivenAnswer
from tests.toys.study import plan, rate_all, tokens


def small(database: Database) -> str:
    """A study with ratings of two raters, a correction, and one of them excluded."""
    study = create(database, plan())
    one, other, *_ = tokens(database, study)
    rate_all(database, one, "positive", 3)
    rate_all(database, other, "negative", 1)
    last = rating.visit(database, one).previous
    task = rating.visit(database, one, last).task
    assert task is not None
    rating.save(database, one, task, GivenAnswer("negative", 0), 2.0)
    second = monitoring.rater_progress(database, study)[1]
    organising.exclude(database, second.id, "asked to leave")
    return study


def rows(content: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content)))
