"""The tables as Python classes; their rules are written in ``core.study.migrations``."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from sqlalchemy import Double, inspect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from core.study.items import Item


class Base(DeclarativeBase):
    """What all tables share: numbers with a point are double precision."""

    type_annotation_map = {float: Double}  # noqa: RUF012 (SQLAlchemy reads it from the class)

    def row(self) -> dict[str, object]:
        """The columns as a plain row."""
        return {column.key: getattr(self, column.key) for column in inspect(type(self)).columns}


class Study(Base):
    """A study: what is asked, how items are given to raters, and whether it is running."""

    __tablename__ = "studies"
    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    state: Mapped[str]
    wording: Mapped[str]  # JSON of core.study.wording.Wording
    design: Mapped[str]  # JSON of core.study.design.Design
    simulated: Mapped[int]
    created_at: Mapped[float]
    closes_at: Mapped[float | None]
    open_hash: Mapped[str | None]
    open_places: Mapped[int]  # how many more places the open link may hand out


class Label(Base):
    """A label that raters of a study can choose."""

    __tablename__ = "labels"
    study_id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int]


class ItemRow(Base):
    """A text to judge, with everything that raters must not know."""

    __tablename__ = "items"
    id: Mapped[str] = mapped_column(primary_key=True)
    study_id: Mapped[str]
    number: Mapped[int]
    kind: Mapped[str]
    text: Mapped[str]
    context: Mapped[str]
    source: Mapped[str]
    method: Mapped[str]
    victim: Mapped[str]
    label: Mapped[str]
    score: Mapped[int | None]
    feedback: Mapped[str]
    trace: Mapped[str]

    def item(self) -> Item:
        """The item without its place in the database."""
        return Item(**{field.name: getattr(self, field.name) for field in fields(Item)})


class Rater(Base):
    """A place in a study; without a token nobody can take it."""

    __tablename__ = "raters"
    id: Mapped[str] = mapped_column(primary_key=True)
    study_id: Mapped[str]
    number: Mapped[int]
    name: Mapped[str]
    token_hash: Mapped[str | None]
    code: Mapped[str]  # shown at the end
    consented_at: Mapped[float | None]
    ready_at: Mapped[float | None]  # has read the instructions
    seen_at: Mapped[float | None]
    excluded: Mapped[str]  # the reason; empty if the rater counts
    replaces_id: Mapped[str | None]  # the rater whose items and place this one has taken over


class Assignment(Base):
    """A rater is to judge an item, at this place of the rater's own order."""

    __tablename__ = "assignments"
    id: Mapped[str] = mapped_column(primary_key=True)
    study_id: Mapped[str]
    rater_id: Mapped[str]
    item_id: Mapped[str]
    position: Mapped[int]


class Rating(Base):
    """The answer to an assignment, as it stands now."""

    __tablename__ = "ratings"
    assignment_id: Mapped[str] = mapped_column(primary_key=True)
    rater_id: Mapped[str]
    study_id: Mapped[str]
    label: Mapped[str]
    score: Mapped[int]
    seconds: Mapped[float]
    rated_at: Mapped[float]
    revision: Mapped[int]  # how often it was corrected


class Correction(Base):
    """An answer that was corrected later."""

    __tablename__ = "corrections"
    assignment_id: Mapped[str] = mapped_column(primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True)
    label: Mapped[str]
    score: Mapped[int]
    seconds: Mapped[float]
    rated_at: Mapped[float]


class Event(Base):
    """Something that happened in a study."""

    __tablename__ = "events"
    id: Mapped[str] = mapped_column(primary_key=True)
    study_id: Mapped[str]
    rater_id: Mapped[str | None]
    at: Mapped[float]
    kind: Mapped[str]
    detail: Mapped[str]


class Organiser(Base):
    """The one passphrase that opens Organise."""

    __tablename__ = "organiser"
    id: Mapped[int] = mapped_column(primary_key=True)
    passphrase: Mapped[str | None]  # scrypt hash with its salt
    failures: Mapped[int]  # of a lock that is gone; not used any more
    locked_until: Mapped[float]  # the same
    salt: Mapped[str | None]  # of the sources in WrongTries


class WrongTries(Base):
    """How often a session or an address has typed a wrong passphrase lately."""

    __tablename__ = "wrong_tries"
    source: Mapped[str] = mapped_column(primary_key=True)  # a salted hash
    wrong: Mapped[int]
    at: Mapped[float]  # when the last one was judged, or will be


class DraftField(Base):
    """One answer of the form for a new study, kept until the study is created."""

    __tablename__ = "draft"
    name: Mapped[str] = mapped_column(primary_key=True)
    content: Mapped[str]  # JSON
    version: Mapped[str]  # another one at every change


# In an order in which rows can be inserted: what is referred to comes first.
TABLES: tuple[type[Base], ...] = (
    *(Study, Label, ItemRow, Rater, Assignment, Rating, Correction, Event, Organiser),
    *(WrongTries, DraftField),
)


_LAST: Final = 253_402_300_799  # the last second of the year 9999, beyond which there are no dates
_TIMES: Final = ("at", "created_at", "closes_at", "consented_at", "ready_at", "seen_at", "rated_at")


def check_row(table: type[Base], row: Mapping[str, Any]) -> None:
    """Refuse a row of a file whose values do not fit their columns; SQLite takes anything."""
    for key in inspect(table).primary_key:
        if key.name not in row:
            raise KeyError(f"{table.__tablename__}.{key.name} is missing")
    for name, value in row.items():
        column = table.__table__.columns[name]
        kind = column.type.python_type
        fits = isinstance(value, (int, float) if kind is float else kind)
        if isinstance(value, bool) or not (fits or (value is None and column.nullable)):
            raise TypeError(f"{table.__tablename__}.{name} holds a value of another kind")
        if name in _TIMES and value is not None and not 0 <= value <= _LAST:
            raise ValueError(f"{table.__tablename__}.{name} is no time")
