"""Making a study: everything is checked, then stored in one go."""

import secrets
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from core.errors import InputError, require
from core.study.checking import explain
from core.study.database import Database
from core.study.design import Design, orders
from core.study.events import new_id, record
from core.study.items import Item, check_set
from core.study.tables import Assignment, ItemRow, Label, Rater, Study
from core.study.wording import Wording


@dataclass(frozen=True)
class StudyPlan:
    """Everything a study is made of before anybody rates."""

    name: str
    labels: tuple[str, ...]
    items: tuple[Item, ...]
    wording: Wording = field(default_factory=Wording)
    design: Design = field(default_factory=Design)
    simulated: bool = False
    closes_at: float | None = None

    def check(self) -> None:
        """Refuse what could not be carried out, in a sentence."""
        require(bool(self.name.strip()), "Give the study a name.")
        over = self.closes_at is not None and self.closes_at < time.time()
        require(not over, "The last day of the study is over. Choose a later one, or none.")
        check_set(self.items, self.labels)
        problems = explain(self.items, self.design).problems
        require(not problems, " ".join(problems))


def create(database: Database, plan: StudyPlan) -> str:
    """Store a study with its raters' places and orders; gives its id."""
    plan.check()
    try:
        with database.writing() as session:
            return _create(session, plan)
    except IntegrityError:
        raise InputError(
            f'There is a study called "{plan.name}" already. Choose another name.'
        ) from None


def _create(session: Session, plan: StudyPlan) -> str:
    study = new_id()
    session.add(
        Study(
            id=study,
            name=plan.name.strip(),
            state="open",
            wording=plan.wording.to_json(),
            design=plan.design.to_json(),
            simulated=int(plan.simulated),
            created_at=time.time(),
            closes_at=plan.closes_at,
            open_hash=None,
            open_places=0,
        )
    )
    session.flush()
    for position, name in enumerate(plan.labels):
        session.add(Label(study_id=study, name=name, position=position))
    session.flush()
    ids = [new_id() for _ in plan.items]
    session.add_all(
        ItemRow(
            id=id,
            study_id=study,
            number=number,
            **asdict(item),
        )
        for number, (id, item) in enumerate(zip(ids, plan.items, strict=True), start=1)
    )
    session.flush()
    for order in orders(plan.items, plan.design):
        add_rater(session, study, [ids[number] for number in order])
    record(session, study, "created")
    return study


def add_rater(
    session: Session, study: str, order: Sequence[str], replaces: str | None = None
) -> str:
    """Add a place with its items in order, or take over another rater's; gives its id."""
    rater = new_id()
    last = session.scalar(select(func.max(Rater.number)).where(Rater.study_id == study)) or 0
    session.add(
        Rater(
            id=rater,
            study_id=study,
            number=last + 1,
            name=f"Rater {last + 1}",
            token_hash=None,
            code=secrets.token_hex(4).upper(),
            consented_at=None,
            ready_at=None,
            seen_at=None,
            excluded="",
            replaces_id=replaces,
        )
    )
    session.flush()
    session.add_all(
        Assignment(id=new_id(), study_id=study, rater_id=rater, item_id=item, position=position)
        for position, item in enumerate(order, start=1)
    )
    session.flush()
    return rater
