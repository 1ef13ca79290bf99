"""The form for a new study, kept field by field: a reload or a restart loses nothing.

Each field has a version, so that two tabs can tell what the other has changed, and only fields that
changed are written.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any, Final

from sqlalchemy import delete, func, select

from core.errors import require
from core.study.database import Database
from core.study.events import new_id
from core.study.tables import DraftField

LARGEST: Final = 20_000_000  # characters of all fields together


def versions(database: Database) -> dict[str, str]:
    """The fields that are kept, each with its version."""
    with database.reading() as session:
        rows = session.execute(select(DraftField.name, DraftField.version))
        return dict(rows.all())


def read(database: Database, names: Collection[str]) -> dict[str, tuple[str, Any]]:
    """Some fields with version and content; the content of a damaged one is None."""
    with database.reading() as session:
        rows = session.scalars(select(DraftField).where(DraftField.name.in_(names))).all()
    return {row.name: (row.version, _parsed(row.content)) for row in rows}


def save(database: Database, fields: Mapping[str, Any]) -> dict[str, str]:
    """Keep some fields, whole or not at all; gives their new versions."""
    contents = {name: json.dumps(value, ensure_ascii=False) for name, value in fields.items()}
    fresh = {name: new_id() for name in fields}
    with database.writing() as session:
        session.execute(delete(DraftField).where(DraftField.name.in_(contents)))
        others = session.scalar(select(func.sum(func.length(DraftField.content)))) or 0
        require(
            others + sum(map(len, contents.values())) <= LARGEST,
            f"This draft is larger than {LARGEST // 10**6} million characters: what you changed "
            "last is not kept. Take some items out, or create the study before you leave.",
        )
        session.add_all(
            DraftField(name=name, content=content, version=fresh[name])
            for name, content in contents.items()
        )
    return fresh


def drop(database: Database) -> None:
    """Keep nothing any more."""
    with database.writing() as session:
        session.execute(delete(DraftField))


def _parsed(content: str) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None
