"""A study as files: long and wide CSV, and JSON from which it can be made again."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Select, insert, select
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from core.errors import InputError, require
from core.spreadsheet import csv_text
from core.study.database import Database
from core.study.design import Design
from core.study.events import new_id, record
from core.study.tables import (
    Assignment,
    Base,
    Correction,
    Event,
    ItemRow,
    Label,
    Rater,
    Rating,
    Study,
    check_row,
)
from core.study.wording import Wording
from core.untrusted import MALFORMED, STUDY, read_json, reason

FORMAT = "swapscope-study-1"
_PARTS: tuple[type[Base], ...] = (Label, ItemRow, Rater, Assignment, Rating, Correction, Event)
_SECRET = ("token_hash", "open_hash", "open_places")  # links are made anew, never copied
_BLANK: Final[Mapping[type[Base], Mapping[str, Any]]] = {
    Study: {"open_hash": None, "open_places": 0},
    Rater: {"token_hash": None},
}
MOST_RATERS: Final = 100  # per item, as many as Organise lets a study have
_LONG = (
    *("study", "simulated", "item", "kind", "source", "method", "victim", "true_label", "text"),
    *("context", "rater", "excluded", "position", "label", "score", "seconds", "rated_at"),
    "corrections",
)


def long_rows(database: Database, study: str) -> list[dict[str, Any]]:
    """One row a rating, checks and practice too, also of raters who do not count."""
    with database.reading() as session:
        rows = session.execute(
            select(Study, ItemRow, Rater, Assignment, Rating)
            .join(Rater, Rater.id == Rating.rater_id)
            .join(Study, Study.id == Rating.study_id)
            .join(Assignment, Assignment.id == Rating.assignment_id)
            .join(ItemRow, ItemRow.id == Assignment.item_id)
            .where(Rating.study_id == study)
            .order_by(ItemRow.number, Rater.number)
        ).all()
    cells = [
        (
            *(study.name, study.simulated, item.number, item.kind, item.source, item.method),
            *(item.victim, item.label, item.text, item.context, rater.number, rater.excluded),
            *(place.position, rating.label, rating.score, round(rating.seconds, 3)),
            *(_time(rating.rated_at), rating.revision),
        )
        for study, item, rater, place, rating in rows
    ]
    return [dict(zip(_LONG, row, strict=True)) for row in cells]


def long_csv(database: Database, study: str, *, raw: bool = False) -> str:
    """All ratings, one per line; raw cells may be run as formulas by a spreadsheet."""
    return csv_text(long_rows(database, study), _LONG, raw=raw)


def wide_csv(database: Database, study: str, *, raw: bool = False) -> str:
    """One line per item, two columns per rater who counts; raw as in ``long_csv``."""
    about = ("item", "kind", "source", "method", "victim", "true_label", "text", "context")
    counted = [row for row in long_rows(database, study) if not row["excluded"]]
    raters = sorted({row["rater"] for row in counted})
    answers = [f"rater_{rater}_{part}" for rater in raters for part in ("label", "score")]
    lines: dict[int, dict[str, Any]] = {}
    for row in counted:
        line = lines.setdefault(row["item"], {name: row[name] for name in about})
        for part in ("label", "score"):
            line[f"rater_{row['rater']}_{part}"] = row[part]
    return csv_text(lines.values(), (*about, *answers), raw=raw)


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def study_json(database: Database, study: str) -> str:
    """The whole study: design, seed, texts, orders, ratings and their history; no links."""
    with database.reading() as session:
        row = session.get_one(Study, study)
        parts: dict[str, list[dict[str, Any]]] = {}
        for table in _PARTS:
            rows = session.scalars(_of_study(table, study))
            parts[table.__tablename__] = [_open(one) for one in rows]
        about = _open(row)
    about |= {name: json.loads(about[name]) for name in ("wording", "design")}
    return json.dumps({"format": FORMAT, "study": about, **parts}, ensure_ascii=False, indent=1)


def _of_study(table: type[Base], study: str) -> Select[Base]:
    if table is Correction:
        rated = select(Rating.assignment_id).where(Rating.study_id == study)
        return select(table).where(Correction.assignment_id.in_(rated))
    return select(table).where(table.__table__.c.study_id == study)


def _open(row: Base) -> dict[str, Any]:
    return {name: value for name, value in row.row().items() if name not in _SECRET}


def import_json(database: Database, content: str | bytes, name: str = "") -> str:
    """Make a study again from ``study_json``; the links of raters have to be made anew."""
    data = content.encode() if isinstance(content, str) else content
    try:
        rows = _rows(read_json(data, "The file", STUDY), name)
        fresh = {row["id"]: new_id() for _, row in rows if "id" in row}  # old ids may be in use
        with database.writing() as session:
            for table, row in rows:
                session.execute(insert(table).values(**_renamed(row, fresh)))
            (study,) = (row["id"] for table, row in rows if table is Study)
            record(session, fresh[study], "imported")
    except IntegrityError as error:
        twice = "name" in str(error.orig) and "studies" in str(error.orig)
        raise InputError(
            "A study of this name is there already. Give the import another name."
            if twice
            else f"The export is damaged: it breaks a rule of the database ({reason(error)})."
        ) from None
    except (*MALFORMED, SQLAlchemyError) as error:
        raise InputError(f"This is not an exported study ({reason(error)}).") from error
    return fresh[study]


def _rows(data: Any, name: str) -> list[tuple[type[Base], dict[str, Any]]]:
    """The rows of an export in an order in which they can be inserted, each checked."""
    require(data["format"] == FORMAT, "This is not an exported study of this kind.")
    about = dict(data["study"])
    wording = Wording(**{**about["wording"], "scale": tuple(about["wording"]["scale"])})
    design = Design(**about["design"])
    numbers = [number for number in asdict(design).values() if number is not None]
    if not all(isinstance(number, int) for number in numbers) or design.per_item > MOST_RATERS:
        raise ValueError("its design has numbers that no study has")
    about |= {"wording": wording.to_json(), "design": design.to_json()}
    about["name"] = name or about["name"]
    rows: list[tuple[type[Base], dict[str, Any]]] = [(Study, about)]
    rows += [(table, dict(row)) for table in _PARTS for row in data[table.__tablename__]]
    for table, row in rows:
        check_row(table, row)
        if table is ItemRow:
            ItemRow(**row).item()  # its own rules
    return [(table, {**row, **_BLANK.get(table, {})}) for table, row in rows]


def _renamed(row: Mapping[str, Any], fresh: Mapping[str, str]) -> dict[str, Any]:
    """The row with its own and other rows' ids replaced."""
    return {
        column: fresh[value] if value is not None and _is_id(column) else value
        for column, value in row.items()
    }


def _is_id(column: str) -> bool:
    return column == "id" or column.endswith("_id")
