"""The organiser's side of a running study: links, pauses, exclusions, more raters."""

from collections import Counter
from dataclasses import replace
from typing import Literal

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from core.errors import InputError, require
from core.study.access import new_token, token_hash
from core.study.creating import add_rater
from core.study.database import Database
from core.study.design import Design, extra_orders, reorder
from core.study.events import record
from core.study.items import Item
from core.study.tables import Assignment, ItemRow, Rater, Rating, Study

StudyState = Literal["open", "paused", "closed"]


def new_link(database: Database, rater: str) -> str:
    """A fresh token for a rater's place; a link given out before stops working."""
    token = new_token()
    with database.writing() as session:
        place = _rater(session, rater)
        again = place.token_hash is not None
        place.token_hash = token_hash(token)
        record(session, place.study_id, "new link" if again else "link", rater)
    return token


def revoke(database: Database, rater: str) -> None:
    """The rater's link stops working; the ratings stay."""
    with database.writing() as session:
        place = _rater(session, rater)
        place.token_hash = None
        record(session, place.study_id, "revoked", rater)


def open_link(database: Database, study: str, places: int) -> str:
    """One link for many: it hands out free places up to a limit; an earlier one stops working."""
    require(places >= 1, "Hand out at least one place.")
    token = new_token()
    with database.writing() as session:
        row = _study(session, study)
        free = session.scalar(
            select(func.count())
            .select_from(Rater)
            .where(Rater.study_id == study, Rater.token_hash.is_(None))
            .where(Rater.excluded == "", Rater.seen_at.is_(None))
        )
        require(
            places <= (free or 0),
            f"Only {free or 0} places are free. Hand out fewer, or extend the study.",
        )
        row.open_hash, row.open_places = token_hash(token), places
        record(session, study, "open link", detail=f"{places} places")
    return token


def close_open_link(database: Database, study: str) -> None:
    """The open link stops handing out places; places taken stay."""
    with database.writing() as session:
        row = _study(session, study)
        row.open_hash, row.open_places = None, 0
        record(session, study, "open link closed")


def set_state(database: Database, study: str, state: StudyState) -> None:
    """Pause, go on, or close."""
    with database.writing() as session:
        _study(session, study).state = state
        record(session, study, state)


def rename_rater(database: Database, rater: str, name: str) -> None:
    """A name for the organiser's eyes only, by which the rater is chosen: no other one has it."""
    name = name.strip()
    require(bool(name), "Write a name.")
    with database.writing() as session:
        place = _rater_alone(session, rater)
        same = select(Rater.id).where(Rater.study_id == place.study_id, Rater.name == name)
        others = session.scalar(same.where(Rater.id != rater))
        require(others is None, f"There is a rater called {name} already.")
        place.name = name


def exclude(database: Database, rater: str, reason: str) -> None:
    """Leave a rater out of the results; nothing is deleted, and it can be undone."""
    with database.writing() as session:
        _exclude(session, _rater(session, rater), reason)


def include(database: Database, rater: str) -> None:
    """Undo an exclusion, unless somebody else counts in this rater's place now."""
    with database.writing() as session:
        place = _rater_alone(session, rater)
        _check_place_is_free(session, place)
        place.excluded = ""
        record(session, place.study_id, "included", rater)


def replace_rater(database: Database, rater: str, reason: str) -> str:
    """Exclude a rater, and give the same items in a new order to a new place."""
    with database.writing() as session:
        place = _rater_alone(session, rater)
        _check_place_is_free(session, place)
        _exclude(session, place, reason)
        items, ids, design = _items(session, place.study_id)
        numbers = {id: number for number, id in enumerate(ids)}
        lot = [
            numbers[item]
            for item in session.scalars(
                select(Assignment.item_id)
                .where(Assignment.rater_id == rater)
                .order_by(Assignment.position)
            )
        ]
        order = reorder(items, design, lot, design.seed + place.number)
        fresh = add_rater(session, place.study_id, [ids[number] for number in order], place.id)
        record(session, place.study_id, "replaces", fresh, place.name)
    return fresh


def extend(database: Database, study: str, raters: int, per_item: int | None = None) -> list[str]:
    """Add places until every item has its number of raters who count, or a larger number."""
    with database.writing() as session:
        items, ids, design = _items(session, study)
        wanted = per_item or design.per_item
        require(wanted >= design.per_item, "A study cannot get fewer raters for each item.")
        given = Counter(
            session.scalars(
                select(Assignment.item_id)
                .join(Rater, Rater.id == Assignment.rater_id)
                .where(Assignment.study_id == study, Rater.excluded == "")
            )
        )
        need = {
            number: wanted - given[id]
            for number, (item, id) in enumerate(zip(items, ids, strict=True))
            if item.is_judged and given[id] < wanted
        }
        require(bool(need), "Every item has its raters already. Ask for more raters per item.")
        places = session.scalar(select(func.count()).where(Rater.study_id == study)) or 0
        longer = replace(design, per_item=wanted, raters=raters, seed=design.seed + places)
        fresh = [
            add_rater(session, study, [ids[number] for number in order])
            for order in extra_orders(items, need, longer)
        ]
        grown = replace(design, per_item=wanted, raters=places + raters)
        session.execute(update(Study).where(Study.id == study).values(design=grown.to_json()))
        record(session, study, "extended", detail=f"{raters} raters, {wanted} per item")
    return fresh


def remove(database: Database, study: str) -> None:
    """Delete a study with all its ratings, for good."""
    with database.writing() as session:
        _study(session, study)
        session.execute(delete(Rating).where(Rating.study_id == study))
        session.execute(delete(ItemRow).where(ItemRow.study_id == study))
        session.execute(delete(Study).where(Study.id == study))


def _items(session: Session, study: str) -> tuple[list[Item], list[str], Design]:
    row = _study(session, study)
    rows = session.scalars(
        select(ItemRow).where(ItemRow.study_id == study).order_by(ItemRow.number)
    ).all()
    return [row.item() for row in rows], [row.id for row in rows], Design.from_json(row.design)


def _study(session: Session, study: str) -> Study:
    row = session.get(Study, study, with_for_update=True)
    if row is None:
        raise InputError("This study is not there any more. Reload the page.")
    return row


def _rater(session: Session, rater: str, *, hold: bool = True) -> Rater:
    row = session.get(Rater, rater, with_for_update=hold or None)
    if row is None:
        raise InputError("This rater is not there any more. Reload the page.")
    return row


def _rater_alone(session: Session, rater: str) -> Rater:
    """The rater, with the study held: two at once cannot both decide who counts in a place."""
    place = _rater(session, rater, hold=False)
    _study(session, place.study_id)
    return _rater(session, rater)


def _exclude(session: Session, place: Rater, reason: str) -> None:
    require(bool(reason.strip()), "Give a reason: it is part of the export.")
    place.excluded = reason.strip()
    record(session, place.study_id, "excluded", place.id, place.excluded)


def _check_place_is_free(session: Session, place: Rater) -> None:
    """Refuse if somebody counts who has taken over this rater's place, or had it before."""
    raters = session.scalars(
        select(Rater).where(Rater.study_id == place.study_id).order_by(Rater.number)
    ).all()
    links = [{rater.id, rater.replaces_id} for rater in raters if rater.replaces_id]
    same, before = {place.id}, set[str | None]()
    while same != before:
        before = set(same)
        same = same.union(*(link for link in links if link & same))
    for rater in raters:
        require(
            rater.id == place.id or rater.id not in same or bool(rater.excluded),
            f"{rater.name} has the place of {place.name} now. Exclude {rater.name} first.",
        )
