"""What happened in a study, kept for the organiser."""

import secrets
import time

from sqlalchemy.orm import Session

from core.study.tables import Event


def new_id() -> str:
    """A name for a row: random, so that it tells nothing and fits any database."""
    return secrets.token_hex(8)


def record(
    session: Session, study: str, kind: str, rater: str | None = None, detail: str = ""
) -> None:
    """Note that something happened, in the same transaction."""
    session.add(
        Event(id=new_id(), study_id=study, rater_id=rater, at=time.time(), kind=kind, detail=detail)
    )
