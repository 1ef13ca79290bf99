"""Making a study, and what is refused."""

from dataclasses import replace
from typing import Any

import pytest

from core.errors import InputError
from core.study import monitoring, organising
from core.study.creating import create
from core.study.database import Database
from core.study.design import Design
from core.study.items import Item
from core.study.tables import Rating
from tests.toys.raters import count
from tests.toys.study import LABELS, plan, rate_all, tokens


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": " "}, "name"),
        ({"labels": ("one",)}, "two labels"),
        ({"items": (Item("x", "neutral", method="m"),)}, "not one of the labels"),
        ({"design": Design(2, 2)}, "that needs 6 raters"),
    ],
)
def test_a_plan_that_cannot_work_is_refused(
    sqlite: Database, change: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        create(sqlite, replace(plan(), **change))
    assert monitoring.studies(sqlite) == []


def test_two_studies_of_one_name_are_refused_and_one_can_be_removed(database: Database) -> None:
    study = create(database, plan())
    with pytest.raises(InputError, match="already"):
        create(database, plan())
    rate_all(database, tokens(database, study)[0])
    other = create(database, plan("Other"))
    organising.remove(database, study)
    assert [left.id for left in monitoring.studies(database)] == [other]
    assert count(database, Rating) == 0
    assert monitoring.study(database, other).labels == LABELS
