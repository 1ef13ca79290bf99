"""All tables as lines of JSON: a backup of any database, taken while raters work.

The first line says what follows, the last one holds a checksum. A backup of SQLite can be restored
into PostgreSQL and the other way round, and one of an older schema is brought up to date.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import func, inspect, select, text
from sqlalchemy.orm import Session

from core.errors import InputError, require
from core.study import migrations
from core.study.database import Database
from core.study.tables import TABLES, Study, WrongTries
from core.untrusted import MALFORMED, MEGABYTE, FileLimits, read_json, reason

FORMAT = "swapscope-backup-1"
_ROW = FileLimits(size=500 * MEGABYTE)  # a file of our own; but its rows must be rows


def backup(database: Database, path: Path) -> int:
    """Write everything to a file, whole or not at all; gives the number of rows."""
    part = path.with_name(path.name + ".part")
    rows, digest = 0, hashlib.sha256()
    try:
        with database.reading() as session, part.open("wb") as file:
            for line in _lines(session):
                digest.update(line)
                file.write(line)
                rows += 1
            file.write(json.dumps({"sha256": digest.hexdigest()}).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise InputError(f"Could not write {path}: {error.strerror or error}.") from error
    return rows - 1


def _lines(session: Session) -> Iterator[bytes]:
    yield _line({"format": FORMAT, "version": migrations.version(session.connection())})
    for table in TABLES:
        if table is WrongTries:  # who mistyped a passphrase is nobody's business later
            continue
        for row in session.scalars(select(table)):
            yield _line({"table": table.__tablename__, **row.row()})


def _line(content: dict[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode() + b"\n"


def restore(database: Database, path: Path, *, replace: bool = False) -> int:
    """Fill the database from a backup in one transaction; gives the number of rows.

    A database that holds studies is only overwritten when ``replace`` says so.
    """
    version, rows = _read(path)
    with database.writing() as session:
        there = session.scalar(select(func.count()).select_from(Study)) or 0
        require(
            replace or there == 0,
            f"The database holds {there} studies. Restore into an empty one, or say --replace.",
        )
        connection = session.connection()
        for name in (*(table.__tablename__ for table in reversed(TABLES)), "migrations"):
            connection.execute(text(f"DROP TABLE {name}"))
        migrations.migrate(connection, version)
        connection.execute(text("DELETE FROM organiser"))
        look = inspect(connection)
        known = {
            name: {column["name"] for column in look.get_columns(name)}
            for name in (table.__tablename__ for table in TABLES)
            if look.has_table(name)  # in the schema of the backup
        }
        for name, row in rows:
            require(set(row) == known.get(name), f"{path} has a row that fits no table ({name}).")
            values = ", ".join(f":{column}" for column in row)
            statement = f"INSERT INTO {name} ({', '.join(row)}) VALUES ({values})"
            connection.execute(text(statement), row)
        migrations.migrate(connection)
    return len(rows)


def _read(path: Path) -> tuple[int, list[tuple[str, dict[str, Any]]]]:
    """The schema version and the rows of a backup by table; a damaged file is refused."""
    try:
        *lines, last = path.read_bytes().splitlines(keepends=True)
        require(
            json.loads(last).get("sha256") == hashlib.sha256(b"".join(lines)).hexdigest(),
            f"{path} is damaged or was not written to its end. Use another backup.",
        )
        header, *rows = (read_json(line, str(path), _ROW) for line in lines)
        version = header["version"]
        require(header["format"] == FORMAT, f"{path} is not a backup of this kind.")
        named = [(str(row.pop("table")), row) for row in rows]
        values = (value for _, row in named for value in row.values())
        if not all(value is None or isinstance(value, str | int | float) for value in values):
            raise TypeError("a column holds a list or an object")
    except OSError as error:
        raise InputError(f"Could not read {path}: {error.strerror or error}.") from error
    except MALFORMED as error:
        raise InputError(f"{path} is not a Swapscope backup ({reason(error)}).") from error
    require(
        version in range(1, len(migrations.MIGRATIONS) + 1),
        f"{path} was made by a newer Swapscope. Update Swapscope first.",
    )
    return version, named
