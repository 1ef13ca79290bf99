"""The database: where it is, and what becomes of a user when it fails."""

import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from core.errors import InputError, ResourceMissingError
from core.study import rating
from core.study.creating import create
from core.study.database import Database, StorageError, database_url
from core.study.rating import GivenAnswer
from tests.toys.study import LABELS, plan, start, tokens


def test_a_newer_database_is_left_alone(url: str) -> None:
    database = Database(url)
    with database.writing() as session:
        session.execute(text("INSERT INTO migrations (number, name) VALUES (999, 'later')"))
    database.close()
    with pytest.raises(InputError, match="newer Swapscope"):
        Database(url)


@pytest.mark.parametrize("address", ["nonsense", "mysql://x/y", "sqlite:////proc/none/x.sqlite"])
def test_a_wrong_address_is_a_sentence(address: str) -> None:
    with pytest.raises(ResourceMissingError, match="SWAPSCOPE_DATABASE"):
        Database(address)


def test_a_server_that_is_not_there_is_a_sentence() -> None:
    with pytest.raises(StorageError, match="the database failed"):
        Database("postgresql://nobody@127.0.0.1:1/none")


@pytest.mark.parametrize(
    ("system", "variable"), [("linux", "XDG_DATA_HOME"), ("win32", "APPDATA"), ("darwin", "HOME")]
)
def test_the_file_is_in_the_users_data_folder(
    system: str, variable: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.delenv("SWAPSCOPE_DATABASE", raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    assert database_url().startswith(f"sqlite:///{tmp_path}")
    assert database_url().endswith("swapscope/studies.sqlite")
    monkeypatch.setenv("SWAPSCOPE_DATABASE", "sqlite:///here.sqlite")
    assert database_url() == "sqlite:///here.sqlite"


def test_a_full_disk_is_told_and_nothing_is_saved(sqlite: Database) -> None:
    (token, *_) = tokens(sqlite, create(sqlite, plan(sources=60, extra=False)))
    start(sqlite, token)
    with sqlite._engine.connect() as connection:  # no page may be added, as on a full disk
        connection.exec_driver_sql("PRAGMA max_page_count = 1")
    saved: list[str] = []

    def go_on() -> None:
        while task := rating.visit(sqlite, token).task:
            saved.append(rating.save(sqlite, token, task, GivenAnswer(LABELS[0], 1), 1.0))

    with pytest.raises(StorageError, match=r"Nothing was saved.*full"):
        go_on()
    assert rating.visit(sqlite, token).done == len(saved)


def test_a_read_only_file_is_told(sqlite: Database, tmp_path: Path) -> None:
    study = create(sqlite, plan())
    (token, *_) = tokens(sqlite, study)
    start(sqlite, token)
    locked = Database(f"sqlite:///file:{tmp_path}/one.sqlite?mode=ro&uri=true")
    task = rating.visit(locked, token).task
    assert task is not None
    with pytest.raises(StorageError, match="readonly"):
        rating.save(locked, token, task, GivenAnswer(LABELS[0], 1), 1.0)
    assert rating.visit(locked, token).task == task
    locked.close()
