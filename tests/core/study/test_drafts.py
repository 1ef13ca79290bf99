"""The form for a new study is kept field by field."""

import pytest
from sqlalchemy import update

from core.errors import InputError
from core.study import drafts
from core.study.database import Database
from core.study.tables import DraftField


def test_fields_are_kept_and_dropped(database: Database) -> None:
    assert drafts.versions(database) == {}
    first = drafts.save(database, {"name": "One", "items": [{"text": "<b>"}], "closes": None})
    assert drafts.versions(database) == first
    assert drafts.read(database, ["name", "items", "none"]) == {
        "name": (first["name"], "One"),
        "items": (first["items"], [{"text": "<b>"}]),
    }
    drafts.drop(database)
    assert drafts.versions(database) == {}


def test_another_version_tells_a_change_and_other_fields_stay(database: Database) -> None:
    first = drafts.save(database, {"name": "One", "labels": "a, b"})
    second = drafts.save(database, {"name": "Two"})
    drafts.drop(database)
    third = drafts.save(database, {"name": "One"})  # begun anew, and the same as before
    assert len({first["name"], second["name"], third["name"]}) == 3
    assert drafts.versions(database) == third


def test_a_damaged_field_is_nothing(database: Database) -> None:
    kept = drafts.save(database, {"name": "One", "labels": "a, b"})
    for damage in ("{", "[" * 100_000, ""):
        with database.writing() as session:
            session.execute(
                update(DraftField).where(DraftField.name == "name").values(content=damage)
            )
        assert drafts.read(database, ["name", "labels"]) == {
            "name": (kept["name"], None),
            "labels": (kept["labels"], "a, b"),
        }


def test_a_draft_has_a_largest_size(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "LARGEST", 1_000)
    kept = drafts.save(database, {"name": "x" * 600})
    with pytest.raises(InputError, match="Take some items out"):
        drafts.save(database, {"items": "y" * 600})
    assert drafts.versions(database) == kept
    drafts.save(database, {"name": "y" * 900})  # in the place of the old one


def test_signs_that_databases_refuse_are_kept(database: Database) -> None:
    odd = "\x00 \u202e \U0001f600 '; DROP TABLE draft; --"
    drafts.save(database, {"name": odd})
    assert drafts.read(database, ["name"])["name"][1] == odd
