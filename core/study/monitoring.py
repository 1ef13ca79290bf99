"""How a study is going: rater by rater, item by item."""

from collections import defaultdict
from dataclasses import dataclass
from statistics import median

from sqlalchemy import func, select

from core.errors import InputError
from core.study.database import Database
from core.study.design import Design
from core.study.tables import Assignment, Event, ItemRow, Label, Rater, Rating, Study
from core.study.wording import Wording


@dataclass(frozen=True)
class Overview:
    """A study in a list, and what it asks."""

    id: str
    name: str
    state: str
    simulated: bool
    created_at: float
    closes_at: float | None
    open_places: int | None  # None if there is no open link
    wording: Wording
    design: Design
    labels: tuple[str, ...]
    expected: int  # ratings, of raters who count
    done: int


@dataclass(frozen=True)
class RaterProgress:
    """How far a rater is, and whether the answers look careful."""

    id: str
    number: int
    name: str
    linked: bool
    total: int  # without practice
    done: int
    seconds: float | None  # the median of an item
    answered_at: tuple[float, ...]  # the first and the last answer; empty without any
    checks: int  # attention checks answered
    checks_right: int
    seen_at: float | None
    excluded: str
    code: str
    replaces: str  # the name of the rater whose place it is, if it was taken over


@dataclass(frozen=True)
class ItemProgress:
    """How many ratings an item has, of raters who count."""

    number: int
    text: str
    group: str
    given: int  # raters it is given to
    rated: int


def studies(database: Database) -> list[Overview]:
    """All studies, the newest first."""
    with database.reading() as session:
        labels: dict[str, list[str]] = defaultdict(list)
        for label in session.scalars(select(Label).order_by(Label.position)):
            labels[label.study_id].append(label.name)
        counts = session.execute(
            select(Assignment.study_id, func.count(), func.count(Rating.assignment_id))
            .join(Rater, Rater.id == Assignment.rater_id)
            .join(ItemRow, ItemRow.id == Assignment.item_id)
            .outerjoin(Rating, Rating.assignment_id == Assignment.id)
            .where(Rater.excluded == "", ItemRow.kind != "practice")
            .group_by(Assignment.study_id)
        ).all()
        expected = {study: total for study, total, _ in counts}
        done = {study: rated for study, _, rated in counts}
        rows = session.scalars(select(Study).order_by(Study.created_at.desc(), Study.name))
        return [
            Overview(
                row.id,
                row.name,
                row.state,
                bool(row.simulated),
                row.created_at,
                row.closes_at,
                row.open_places if row.open_hash else None,
                Wording.from_json(row.wording),
                Design.from_json(row.design),
                tuple(labels[row.id]),
                expected.get(row.id, 0),
                done.get(row.id, 0),
            )
            for row in rows
        ]


def study(database: Database, id: str) -> Overview:
    found = next((one for one in studies(database) if one.id == id), None)
    if found is None:
        raise InputError("This study is not there any more. Reload the page.")
    return found


def rater_progress(database: Database, study: str) -> list[RaterProgress]:
    """Every rater of a study, by number."""
    with database.reading() as session:
        raters = session.scalars(
            select(Rater).where(Rater.study_id == study).order_by(Rater.number)
        ).all()
        rows = session.execute(
            select(
                *(Assignment.rater_id, ItemRow.kind, ItemRow.label, ItemRow.score),
                *(Rating.label, Rating.score, Rating.seconds, Rating.rated_at),
            )
            .join(ItemRow, ItemRow.id == Assignment.item_id)
            .outerjoin(Rating, Rating.assignment_id == Assignment.id)
            .where(Assignment.study_id == study, ItemRow.kind != "practice")
        ).all()
    names = {rater.id: rater.name for rater in raters}
    total, seconds = defaultdict[str, int](int), defaultdict[str, list[float]](list)
    checks, times = defaultdict[str, list[bool]](list), defaultdict[str, list[float]](list)
    for rater, kind, label, score, said, given, took, at in rows:
        total[rater] += 1
        if took is not None:
            seconds[rater].append(took)
            times[rater].append(at)
            if kind == "check":
                checks[rater].append(said == label and score in (None, given))
    return [
        RaterProgress(
            rater.id,
            rater.number,
            rater.name,
            rater.token_hash is not None,
            total[rater.id],
            len(seconds[rater.id]),
            median(seconds[rater.id]) if seconds[rater.id] else None,
            (min(times[rater.id]), max(times[rater.id])) if times[rater.id] else (),
            len(checks[rater.id]),
            sum(checks[rater.id]),
            rater.seen_at,
            rater.excluded,
            rater.code,
            names.get(rater.replaces_id or "", ""),
        )
        for rater in raters
    ]


def item_progress(database: Database, study: str) -> list[ItemProgress]:
    """Every item that is judged, by number."""
    with database.reading() as session:
        counts = {
            item: (given, rated)
            for item, given, rated in session.execute(
                select(Assignment.item_id, func.count(), func.count(Rating.assignment_id))
                .join(Rater, Rater.id == Assignment.rater_id)
                .outerjoin(Rating, Rating.assignment_id == Assignment.id)
                .where(Assignment.study_id == study, Rater.excluded == "")
                .group_by(Assignment.item_id)
            )
        }
        rows = session.scalars(
            select(ItemRow).where(ItemRow.study_id == study).order_by(ItemRow.number)
        )
        return [
            ItemProgress(row.number, row.text, item.group, *counts.get(row.id, (0, 0)))
            for row in rows
            if (item := row.item()).is_judged
        ]


def events(database: Database, study: str, most: int = 200) -> list[dict[str, object]]:
    """What happened last, the newest first."""
    with database.reading() as session:
        rows = session.execute(
            select(Event, Rater.name)
            .outerjoin(Rater, Rater.id == Event.rater_id)
            .where(Event.study_id == study)
            .order_by(Event.at.desc())
            .limit(most)
        )
        return [
            {"at": event.at, "what": event.kind, "rater": name or "", "detail": event.detail}
            for event, name in rows
        ]
