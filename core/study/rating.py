"""The rater's side: what to show next, and saving an answer exactly once.

Nothing here hands out a method, a true label, a victim or the kind of an item.
"""

import time
from dataclasses import dataclass
from statistics import median
from typing import Literal

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from core.errors import CoreError, require
from core.study.access import new_token, token_hash
from core.study.checking import SECONDS
from core.study.database import Database
from core.study.events import record
from core.study.tables import Assignment, Correction, ItemRow, Label, Rater, Rating, Study
from core.study.wording import POINTS, Wording

RaterStage = Literal[
    "consent", "instructions", "practice", "items", "done", "paused", "closed", "excluded"
]
ASKING: tuple[RaterStage, ...] = ("practice", "items")
# What a rater reads whose study takes no answers now.
NO_ANSWERS: dict[RaterStage, str] = {
    "paused": "The study is paused. What was saved before stays saved; "
    "please open this link again later.",
    "closed": "The study is closed. What was saved before stays saved. Thank you for your time.",
    "excluded": "Whoever runs the study has ended your part in it. What was saved before stays "
    "saved, but is not counted. Thank you for your time.",
}
Saved = Literal["saved", "already", "changed"]
LONGEST_SECONDS = 3600.0
ENOUGH = 5  # answers before the rater's own pace says how long the rest takes
NO_LINK = "This link does not open a study (any more). Ask whoever sent it for a new one."


class LinkError(CoreError):
    """The link does not open anything."""


@dataclass(frozen=True)
class GivenAnswer:
    """What a rater said about a text."""

    label: str
    score: int


@dataclass(frozen=True)
class RatingTask:
    """One screen: the text to judge, and the answer if there is one already."""

    id: str
    text: str
    context: str
    number: int  # from 1; practice and the rest are counted apart
    answer: GivenAnswer | None
    revision: int | None  # how often the answer was corrected


@dataclass(frozen=True)
class Visit:
    """Where a rater stands; everything a page needs to show it."""

    stage: RaterStage
    wording: Wording
    labels: tuple[str, ...]
    done: int  # of the items that follow the practice
    total: int
    task: RatingTask | None
    previous: str | None  # the task before this one
    seconds: float  # what an item takes this rater
    code: str  # only when all is done


@dataclass(frozen=True)
class Feedback:
    """What is told after a practice item."""

    label_right: bool
    score_right: bool
    label: str
    score: int | None
    item: str  # the text that was judged
    text: str


def visit(database: Database, token: str, task: str | None = None) -> Visit:
    """What this link shows now: the first open task, or an earlier one to correct."""
    with database.reading() as session:
        rater, study = _enter(session, token)
        labels = session.scalars(
            select(Label.name).where(Label.study_id == study.id).order_by(Label.position)
        )
        rows = session.execute(
            select(Assignment.id, ItemRow.kind == "practice", Rating.seconds)
            .join(ItemRow, ItemRow.id == Assignment.item_id)
            .outerjoin(Rating, Rating.assignment_id == Assignment.id)
            .where(Assignment.rater_id == rater.id)
            .order_by(Assignment.position)
        ).all()
        ids = [id for id, _, _ in rows]
        practice = {id for id, is_practice, _ in rows if is_practice}
        rated = {id for id, _, seconds in rows if seconds is not None}
        pace = [seconds for _, _, seconds in rows if seconds is not None]
        following = next((id for id in ids if id not in rated), None)
        stage = _stage(rater, study, following, practice)
        shown = following
        back = task in rated - practice and _stage(rater, study, task, practice) == "items"
        if stage in ("items", "done") and back:
            stage, shown = "items", task
        place = ids.index(shown) if shown else len(ids)
        before = ids[place - 1] if place else None
        return Visit(
            stage,
            Wording.from_json(study.wording),
            tuple(labels),
            done=len(rated - practice),
            total=len(ids) - len(practice),
            task=_task(session, shown, ids, practice) if shown and stage in ASKING else None,
            previous=before if before not in practice else None,
            seconds=median(pace) if len(pace) >= ENOUGH else SECONDS,
            code=rater.code if stage == "done" else "",
        )


def _stage(rater: Rater, study: Study, following: str | None, practice: set[str]) -> RaterStage:
    if following is None:
        return "done"
    if rater.excluded:
        return "excluded"
    if _is_closed(study):
        return "closed"
    if study.state == "paused":
        return "paused"
    if rater.consented_at is None:
        return "consent"
    if rater.ready_at is None:
        return "instructions"
    return "practice" if following in practice else "items"


def _is_closed(study: Study) -> bool:
    over = study.closes_at is not None and study.closes_at < time.time()
    return study.state == "closed" or over


def _task(session: Session, shown: str, ids: list[str], practice: set[str]) -> RatingTask:
    item, rating = session.execute(
        select(ItemRow, Rating)
        .join(Assignment, Assignment.item_id == ItemRow.id)
        .outerjoin(Rating, Rating.assignment_id == Assignment.id)
        .where(Assignment.id == shown)
    ).one()
    alike = [id for id in ids if (id in practice) == (shown in practice)]
    number = alike.index(shown) + 1
    if rating is None:
        return RatingTask(shown, item.text, item.context, number, None, None)
    answer = GivenAnswer(rating.label, rating.score)
    return RatingTask(shown, item.text, item.context, number, answer, rating.revision)


def consent(database: Database, token: str) -> None:
    """The rater agrees to take part."""
    _step(database, token, "consent")


def ready(database: Database, token: str) -> None:
    """The rater has read the instructions."""
    _step(database, token, "ready")


def _step(database: Database, token: str, kind: Literal["consent", "ready"]) -> None:
    with database.writing() as session:
        rater, study = _enter(session, token)
        now = time.time()
        if kind == "consent" and rater.consented_at is None:
            rater.consented_at = now
            record(session, study.id, "consent", rater.id)
        if kind == "ready" and rater.consented_at is not None and rater.ready_at is None:
            rater.ready_at = now
        rater.seen_at = now


def save(
    database: Database, token: str, task: RatingTask, answer: GivenAnswer, seconds: float
) -> Saved:
    """Save an answer; it is saved for good when this returns.

    ``task`` is what the rater saw. The same click twice changes nothing, and of two tabs that
    answer differently the later one is told instead of winning unseen.
    """
    require(answer.score in range(POINTS), "The score is 0, 1, 2, 3 or 4.")
    seconds = min(max(float(seconds), 0.0), LONGEST_SECONDS)
    try:
        with database.writing() as session:
            return _save(session, token, task, answer, seconds)
    except IntegrityError:
        pass  # refused by a rule of the schema: either it was saved a moment ago, or it never can
    with database.writing() as session:
        rater, _ = _enter(session, token)
        known = session.get(Rating, task.id)
        require(
            known is not None and known.rater_id == rater.id,
            "This answer does not fit this link. Reload the page and try again.",
        )
        return _save(session, token, task, answer, seconds)


def _save(
    session: Session, token: str, task: RatingTask, answer: GivenAnswer, seconds: float
) -> Saved:
    rater, study = _enter(session, token)
    known = session.get(Rating, task.id, with_for_update=True)
    own = known is not None and known.rater_id == rater.id
    if known and own and (known.label, known.score) == (answer.label, answer.score):
        return "already"
    stage = _stage(rater, study, task.id, set())
    require(stage not in NO_ANSWERS, NO_ANSWERS.get(stage, ""))
    require(stage == "items", "Agree to take part and read the instructions before you answer.")
    now = time.time()
    rater.seen_at = now
    if known is None or not own:
        session.execute(
            insert(Rating).values(
                assignment_id=task.id,
                rater_id=rater.id,
                study_id=study.id,
                label=answer.label,
                score=answer.score,
                seconds=seconds,
                rated_at=now,
                revision=0,
            )
        )
        return "saved"
    if known.revision != task.revision:
        return "changed"
    old = {name: getattr(known, name) for name in ("label", "score", "seconds", "rated_at")}
    session.execute(
        insert(Correction).values(assignment_id=task.id, revision=known.revision, **old)
    )
    known.label, known.score, known.seconds, known.rated_at = (
        answer.label,
        answer.score,
        seconds,
        now,
    )
    known.revision += 1
    return "saved"


def feedback(database: Database, token: str, task: str) -> Feedback | None:
    """What to tell about a practice item that was answered; nothing about any other item."""
    with database.reading() as session:
        rater, _ = _enter(session, token)
        found = session.execute(
            select(ItemRow, Rating)
            .join(Assignment, Assignment.item_id == ItemRow.id)
            .join(Rating, Rating.assignment_id == Assignment.id)
            .where(
                Assignment.id == task, Assignment.rater_id == rater.id, ItemRow.kind == "practice"
            )
        ).one_or_none()
        if found is None:
            return None
        item, rating = found
        return Feedback(
            rating.label == item.label,
            item.score is None or rating.score == item.score,
            item.label,
            item.score,
            item.text,
            item.feedback,
        )


def take_place(database: Database, token: str) -> str:
    """A visitor of an open link takes the next free place and gets a link of their own."""
    with database.writing() as session:
        study = session.scalar(
            select(Study).where(Study.open_hash == token_hash(token)).with_for_update()
        )
        if study is None:
            raise LinkError(NO_LINK)
        if _is_closed(study):
            raise LinkError("The study is closed. Thank you for your interest.")
        if study.state == "paused":
            raise LinkError("The study is paused. Please open this link again later.")
        rater = session.scalar(
            select(Rater)
            .where(Rater.study_id == study.id, Rater.token_hash.is_(None))
            .where(Rater.excluded == "", Rater.seen_at.is_(None))
            .order_by(Rater.number)
            .limit(1)
        )
        if study.open_places < 1 or rater is None:
            raise LinkError("All places of this study are taken. Thank you for your interest.")
        own = new_token()
        study.open_places -= 1
        rater.token_hash, rater.seen_at = token_hash(own), time.time()
        record(session, study.id, "place taken", rater.id)
        return own


def is_open_link(database: Database, token: str) -> bool:
    """Whether a token belongs to an open link, which hands out places."""
    with database.reading() as session:
        hashed = token_hash(token)
        return session.scalar(select(Study.id).where(Study.open_hash == hashed)) is not None


def _enter(session: Session, token: str) -> tuple[Rater, Study]:
    found = session.execute(
        select(Rater, Study)
        .join(Study, Study.id == Rater.study_id)
        .where(Rater.token_hash == token_hash(token))
    ).one_or_none()
    if found is None:
        raise LinkError(NO_LINK)
    rater, study = found
    return rater, study
