"""The rules that the database itself keeps, and the way from the first schema to this one."""

import time
from typing import Any

import pytest
from sqlalchemy import create_engine, insert, inspect, select, text
from sqlalchemy.exc import IntegrityError

from core.study import access, migrations, monitoring
from core.study.creating import create
from core.study.database import Database
from core.study.judgements import judged_items
from core.study.tables import TABLES, Assignment, Correction, Label, Rater, Rating, Study
from tests.toys.study import LABELS, plan


def place(database: Database, study: str, number: int = 1) -> dict[str, Any]:
    """A rating that fits the first assignment of a rater."""
    with database.reading() as session:
        found = session.execute(
            select(Assignment)
            .join(Rater, Rater.id == Assignment.rater_id)
            .where(Rater.study_id == study, Rater.number == number)
            .order_by(Assignment.position)
        ).scalars()
        assignment = next(iter(found))
    return {
        "assignment_id": assignment.id,
        "rater_id": assignment.rater_id,
        "study_id": study,
        "label": LABELS[0],
        "score": 2,
        "seconds": 1.0,
        "rated_at": time.time(),
        "revision": 0,
    }


def add(database: Database, row: dict[str, Any]) -> None:
    with database.writing() as session:
        session.execute(insert(Rating).values(**row))


def test_a_rating_that_fits_is_taken_once(database: Database) -> None:
    row = place(database, create(database, plan()))
    add(database, row)
    with pytest.raises(IntegrityError):
        add(database, {**row, "label": LABELS[1]})


@pytest.mark.parametrize(
    "change",
    [
        {"label": "neutral"},
        {"score": 5},
        {"score": -1},
        {"score": None},
        {"seconds": -0.1},
        {"revision": -1},
        {"rater_id": "nobody"},
        {"assignment_id": "nothing"},
    ],
    ids=str,
)
def test_a_rating_that_breaks_a_rule_is_refused(database: Database, change: dict[str, Any]) -> None:
    row = place(database, create(database, plan()))
    with pytest.raises(IntegrityError):
        add(database, {**row, **change})


def test_half_a_point_is_refused(sqlite: Database) -> None:
    row = place(sqlite, create(sqlite, plan()))
    with pytest.raises(IntegrityError):
        add(sqlite, {**row, "score": 2.5})


def test_nobody_rates_for_another_or_into_another_study(database: Database) -> None:
    study, other = create(database, plan()), create(database, plan("Another"))
    own, foreign = place(database, study), place(database, study, 2)
    elsewhere = place(database, other)
    for wrong in (
        {**own, "rater_id": foreign["rater_id"]},
        {**own, "study_id": other},
        {**own, "rater_id": elsewhere["rater_id"], "study_id": other},
    ):
        with pytest.raises(IntegrityError):
            add(database, wrong)


def test_an_item_of_another_study_cannot_be_assigned(database: Database) -> None:
    study, other = create(database, plan()), create(database, plan("Another"))
    own, elsewhere = place(database, study), place(database, other)
    with database.reading() as session:
        item = session.get_one(Assignment, elsewhere["assignment_id"]).item_id
    for where in (study, other):
        row = {"id": "x", "study_id": where, "rater_id": own["rater_id"], "item_id": item}
        with pytest.raises(IntegrityError), database.writing() as session:
            session.execute(insert(Assignment).values(**row, position=999))


@pytest.mark.parametrize("again", [{"position": 998}, {"item_id": None}])
def test_nobody_gets_an_item_or_a_position_twice(database: Database, again: dict[str, Any]) -> None:
    own = place(database, create(database, plan()))
    with database.reading() as session:
        row = session.get_one(Assignment, own["assignment_id"]).row()
        other = session.scalars(
            select(Assignment.item_id).where(Assignment.rater_id != own["rater_id"])
        ).all()
    change = {"item_id": other[0]} if "item_id" in again else again
    with pytest.raises(IntegrityError), database.writing() as session:
        session.execute(insert(Assignment).values(**{**row, "id": "x", **change}))


def test_ready_needs_consent_and_a_study_needs_a_name(database: Database) -> None:
    create(database, plan())
    with pytest.raises(IntegrityError), database.writing() as session:
        session.execute(text("UPDATE raters SET ready_at = 1"))
    with pytest.raises(IntegrityError), database.writing() as session:
        session.execute(text("UPDATE studies SET name = ''"))
    with pytest.raises(IntegrityError), database.writing() as session:
        session.execute(text("UPDATE studies SET state = 'lost'"))
    with pytest.raises(IntegrityError), database.writing() as session:
        session.execute(insert(Label).values(study_id="none", name="x", position=0))


def test_the_classes_name_every_column(database: Database) -> None:
    with database.reading() as session:
        look = inspect(session.connection())
        assert set(look.get_table_names()) == {t.__tablename__ for t in TABLES} | {"migrations"}
        for table in TABLES:
            there = {
                column["name"]: column["nullable"]
                for column in look.get_columns(table.__tablename__)
            }
            mapped = {c.name: bool(c.nullable) for c in inspect(table).columns}
            keys = {c.name for c in inspect(table).primary_key}
            assert set(there) == set(mapped)
            assert {n: there[n] for n in there if n not in keys} == {
                n: mapped[n] for n in mapped if n not in keys
            }


FIRST = {
    "studies": {
        "id": "s", "name": "Old", "state": "open", "simulated": 0, "created_at": 1.0,
        "closes_at": None,
        "wording": '{"title": "T", "consent": "C", "instructions": "I", "label_question": "L",'
        ' "score_question": "S", "scale": ["a", "b", "c", "d", "e"]}',
        "design": '{"per_item": 1, "raters": 1, "seed": 7, "gap": null}',
    },
    "labels": {"study_id": "s", "name": "good", "position": 0},
    "items": {
        "id": "i", "study_id": "s", "number": 1, "kind": "adversarial", "text": "A text",
        "context": "", "source": "q", "method": "ls", "victim": "", "label": "good",
        "score": None, "feedback": "", "trace": "",
    },
    "raters": {
        "id": "r", "study_id": "s", "number": 1, "name": "Ann", "token_hash": None, "code": "X",
        "consented_at": 1.0, "ready_at": 2.0, "seen_at": 3.0, "excluded": "",
    },
    "assignments": {"id": "a", "study_id": "s", "rater_id": "r", "item_id": "i", "position": 1},
    "ratings": {
        "assignment_id": "a", "rater_id": "r", "study_id": "s", "label": "good", "score": 4,
        "seconds": 2.5, "rated_at": 4.0, "revision": 1,
    },
    "corrections": {
        "assignment_id": "a", "revision": 0, "label": "good", "score": 1, "seconds": 2.0,
        "rated_at": 3.5,
    },
}  # fmt: skip


def test_a_database_of_the_first_schema_keeps_its_data(url: str) -> None:
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        migrations.migrate(connection, upto=1)
        for table, row in FIRST.items():
            values = ", ".join(f":{column}" for column in row)
            connection.execute(
                text(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({values})"), row
            )
    engine.dispose()
    database = Database(url)
    (study,) = monitoring.studies(database)
    assert (study.name, study.design.seed, study.open_places, study.done) == ("Old", 7, None, 1)
    (item,) = judged_items(database, "s")
    assert [(j.label, j.score) for j in item.judgements] == [("good", 4)]
    with database.reading() as session:
        assert session.scalars(select(Correction.score)).all() == [1]
        assert session.get_one(Study, "s").open_places == 0
        assert migrations.version(session.connection()) == len(migrations.MIGRATIONS)
    database.close()
    Database(url).close()  # a second start changes nothing


def test_what_an_older_database_knows_of_replacements_and_locks_is_brought_along(url: str) -> None:
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    names = {"a": "Ann", "b": "Bea", "c": "Cem", "d": "Ann"}  # one name twice tells nothing
    with engine.begin() as connection:
        migrations.migrate(connection, upto=2)
        rows = {"studies": [FIRST["studies"]], "raters": [], "events": []}
        for number, (rater, name) in enumerate(names.items()):
            new = {"id": rater, "number": number, "name": name, "code": rater}
            rows["raters"].append({**FIRST["raters"], **new})
        for rater, detail in (("c", "Bea"), ("b", "Ann")):
            event = {"id": rater, "study_id": "s", "rater_id": rater, "at": 1.0}
            rows["events"].append({**event, "kind": "replaces", "detail": detail})
        for table, some in rows.items():
            for row in some:
                values = ", ".join(f":{column}" for column in row)
                connection.execute(
                    text(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({values})"), row
                )
        connection.execute(text("UPDATE organiser SET failures = 99, locked_until = 1e12"))
    engine.dispose()
    database = Database(url)
    with database.reading() as session:
        known = session.execute(select(Rater.id, Rater.replaces_id).order_by(Rater.id)).all()
    assert [tuple(row) for row in known] == [("a", None), ("b", None), ("c", "b"), ("d", None)]
    access.set_passphrase(database, "correct horse")
    assert access.count_try(database, "192.0.2.1", "s") == 0
    assert access.passphrase_fits(database, "correct horse")
    database.close()
