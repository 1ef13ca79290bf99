"""Where studies are kept: an SQLite file by default, any PostgreSQL by its address."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session

from core.assets import data_folder
from core.errors import CoreError, ResourceMissingError
from core.study.migrations import migrate

ENVIRONMENT = "SWAPSCOPE_DATABASE"
PATIENCE = 30  # seconds to wait for another writer
OVERFLOW = 75  # connections above the five that are kept; PostgreSQL allows 100 unless told


class StorageError(CoreError):
    """The database could not do it; nothing was saved."""


def database_url() -> str:
    """What SWAPSCOPE_DATABASE says, else a file in the user's data folder."""
    return os.environ.get(ENVIRONMENT) or f"sqlite:///{data_folder() / 'studies.sqlite'}"


class Database:
    """Transactions on one database, brought to the current schema when it is opened.

    An answer is acknowledged only after its commit: SQLite writes through to the disk
    (``synchronous=FULL``) and a writer takes the lock at once, so that it cannot lose a race later.
    """

    def __init__(self, url: str | None = None) -> None:
        self._engine = _engine(url or database_url())
        # SQLite has one writer at a time; to wait here is quicker and fairer than to ask the file.
        self._turn = Lock() if self.is_sqlite else nullcontext()
        try:
            with self._failing_in_words(), self._engine.begin() as connection:
                migrate(connection)
        except CoreError:
            self.close()
            raise

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file on this machine."""
        return self._engine.dialect.name == "sqlite"

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A consistent view of the data, whatever others write meanwhile."""
        engine = self._engine.execution_options(reading=True)
        if not self.is_sqlite:
            engine = engine.execution_options(isolation_level="REPEATABLE READ")
        with self._failing_in_words(), Session(engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A transaction: committed at the end of the block, or nothing of it happened."""
        with (
            self._failing_in_words(),
            self._turn,
            Session(self._engine, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def _failing_in_words(self) -> Iterator[None]:
        try:
            yield
        except IntegrityError:
            raise  # a rule of the schema; the caller knows what it means
        except (DBAPIError, PoolTimeout) as error:
            cause = str(getattr(error, "orig", None) or error).splitlines()[0]
            raise StorageError(
                f"Nothing was saved, because the database failed ({cause}). "
                "Check that its disk has space and can be written, then try again."
            ) from error


@contextmanager
def opened() -> Iterator[Database]:
    """The database of this user, for one command."""
    database = Database()
    try:
        yield database
    finally:
        database.close()


def _engine(url: str) -> Engine:
    if url.startswith("postgresql://"):
        url = url.replace("postgresql://", "postgresql+psycopg://", 1)
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite" and parsed.database:
            Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
        wait = {"timeout" if parsed.get_backend_name() == "sqlite" else "connect_timeout": PATIENCE}
        engine = create_engine(
            parsed,
            pool_timeout=PATIENCE,
            max_overflow=OVERFLOW,
            pool_pre_ping=True,
            connect_args=wait,
        )
    except (ArgumentError, ImportError) as error:
        raise ResourceMissingError(
            f"{ENVIRONMENT} does not name a database that can be used ({error}). Write "
            "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME."
        ) from error
    except OSError as error:
        raise ResourceMissingError(
            f"The folder of the database cannot be made ({error.strerror}). "
            f"Name another place in {ENVIRONMENT}, as sqlite:///FILE."
        ) from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: Any, record: object) -> None:
    connection.isolation_level = None  # transactions are begun below, not by the driver
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    reads = connection.get_execution_options().get("reading")
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")
