"""Both kinds of database: every test that takes ``database`` runs on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

from core.study.database import Database
from tests.toys import postgres

_numbers = count()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    if not (postgres.program("initdb") and postgres.program("pg_ctl")):
        pytest.skip("PostgreSQL is not here; on Debian: apt-get install postgresql")
    with postgres.running() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'studies.sqlite'}"
    server: str = request.getfixturevalue("postgres_server")
    name = f"test{next(_numbers)}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())  # a database of its own takes a second
    return f"{server}/postgres?options=-csearch_path%3D{name}"


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    database = Database(url)
    yield database
    database.close()


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Database]:
    database = Database(f"sqlite:///{tmp_path / 'one.sqlite'}")
    yield database
    database.close()
