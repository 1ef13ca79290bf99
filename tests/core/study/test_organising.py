"""Raters and links while a study runs."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest
from sqlalchemy import select, update

from core.errors import CoreError, InputError
from core.study import monitoring, organising, rating
from core.study.creating import create
from core.study.database import Database
from core.study.design import Design
from core.study.rating import LinkError
from core.study.tables import Assignment, ItemRow, Study
from tests.toys.raters import BAD, GOOD, task_of
from tests.toys.study import plan, rate_all, start, tokens


def test_a_link_expires_with_its_study_or_its_time(database: Database) -> None:
    with pytest.raises(InputError, match="last day of the study is over"):
        create(database, replace(plan(), closes_at=time.time() - 1))
    study = create(database, replace(plan(), closes_at=time.time() + 600))
    token, done, *_ = tokens(database, study)
    rate_all(database, done)
    assert rating.visit(database, token).stage == "consent"
    with database.writing() as session:
        session.execute(update(Study).values(closes_at=time.time() - 1))
    assert rating.visit(database, token).stage == "closed"
    assert rating.visit(database, done).stage == "done"
    with database.writing() as session:
        session.execute(update(Study).values(closes_at=None))
    organising.set_state(database, study, "closed")
    assert rating.visit(database, token).stage == "closed"


def test_a_revoked_link_opens_nothing_and_a_new_one_goes_on(database: Database) -> None:
    study = create(database, plan())
    token = tokens(database, study)[0]
    start(database, token)
    task = task_of(database, token)
    rating.save(database, token, task, GOOD, 1.0)
    rater = monitoring.rater_progress(database, study)[0]
    organising.revoke(database, rater.id)
    for call in (
        lambda: rating.visit(database, token),
        lambda: rating.save(database, token, task, BAD, 1.0),
        lambda: rating.feedback(database, token, task.id),
        lambda: rating.consent(database, token),
        lambda: rating.visit(database, ""),
        lambda: rating.visit(database, "' OR 1=1 --"),
    ):
        with pytest.raises(LinkError, match="Ask whoever sent it"):
            call()
    fresh = organising.new_link(database, rater.id)
    assert rating.visit(database, fresh).stage == "items"


def test_an_open_link_hands_out_places_up_to_its_limit(database: Database) -> None:
    study = create(database, plan())
    with pytest.raises(InputError, match="Only 6 places"):
        organising.open_link(database, study, 7)
    with pytest.raises(InputError, match="at least one"):
        organising.open_link(database, study, 0)
    token = organising.open_link(database, study, 4)
    assert rating.is_open_link(database, token)
    assert not rating.is_open_link(database, "x")

    def visitor(_: int) -> str:
        try:
            return rating.take_place(database, token)
        except LinkError:
            return ""

    with ThreadPoolExecutor(8) as pool:
        own = [place for place in pool.map(visitor, range(12)) if place]
    assert len(set(own)) == 4
    with pytest.raises(LinkError, match="places of this study are taken"):
        rating.take_place(database, token)
    numbers = [rater.number for rater in monitoring.rater_progress(database, study) if rater.linked]
    assert numbers == [1, 2, 3, 4]
    assert all(rating.visit(database, place).stage == "consent" for place in own)
    organising.close_open_link(database, study)
    with pytest.raises(LinkError):
        rating.take_place(database, token)


def test_a_study_runs_on_when_a_rater_is_excluded_replaced_or_added(database: Database) -> None:
    study = create(database, plan(design=Design(2, 6, seed=1)))
    token, unfinished, *_ = tokens(database, study)
    start(database, token)
    first = task_of(database, token)
    rate_all(database, token)
    rater, other, *_ = monitoring.rater_progress(database, study)
    organising.exclude(database, other.id, "tested")
    assert rating.visit(database, unfinished).stage == "excluded"
    organising.include(database, other.id)
    assert rating.visit(database, unfinished).stage == "consent"
    assert (rater.done, rater.total, rater.checks, rater.checks_right) == (5, 5, 1, 0)
    assert rater.seconds == 5.0
    with pytest.raises(InputError, match="reason"):
        organising.exclude(database, rater.id, " ")
    organising.exclude(database, rater.id, "in a hurry")
    with pytest.raises(InputError, match="ended your part in it"):
        rating.save(database, token, first, BAD, 1.0)
    last = rating.visit(database, token).previous
    assert rating.visit(database, token, last).stage == "done"  # nothing to correct any more
    assert monitoring.study(database, study).done == 0
    organising.include(database, rater.id)
    assert monitoring.study(database, study).done == 5
    fresh = organising.replace_rater(database, rater.id, "in a hurry")
    assert texts(database, fresh) == texts(database, rater.id)
    with pytest.raises(InputError, match="its raters already"):
        organising.extend(database, study, 1)
    with pytest.raises(InputError, match="fewer"):
        organising.extend(database, study, 1, per_item=1)
    added = organising.extend(database, study, 3, per_item=3)
    assert len(added) == 3
    given = {item.given for item in monitoring.item_progress(database, study)}
    assert given == {3}
    assert monitoring.study(database, study).design == Design(3, 10, 1)
    for _ in range(2):
        organising.rename_rater(database, fresh, " Bea ")
    for name, why in ((" ", "Write a name"), ("Bea", "a rater called Bea already")):
        with pytest.raises(InputError, match=why):
            organising.rename_rater(database, rater.id, name)
    names = [event["what"] for event in monitoring.events(database, study)]
    assert {"created", "link", "consent", "excluded", "included", "replaces", "extended"} <= set(
        names
    )


def test_only_one_rater_counts_in_a_place(database: Database) -> None:
    study = create(database, plan())

    def names() -> list[str]:
        raters = monitoring.rater_progress(database, study)
        return [rater.name for rater in raters if not rater.excluded]

    first = monitoring.rater_progress(database, study)[0].id
    second = organising.replace_rater(database, first, "in a hurry")
    for act in (
        lambda: organising.replace_rater(database, first, "in a hurry"),
        lambda: organising.include(database, first),
    ):
        with pytest.raises(InputError, match=r"^Rater 7 has the place of Rater 1 now\. Exclude"):
            act()
    third = organising.replace_rater(database, second, "too")
    for earlier in (first, second):
        with pytest.raises(InputError, match="Rater 8 has the place"):
            organising.include(database, earlier)
    organising.exclude(database, third, "as well")
    organising.include(database, first)
    with pytest.raises(InputError, match="Rater 1 has the place of Rater 8"):
        organising.include(database, third)
    with pytest.raises(InputError, match="Rater 1 has the place of Rater 7"):
        organising.replace_rater(database, second, "again")
    assert names() == [f"Rater {number}" for number in range(1, 7)]
    organising.replace_rater(database, first, "once more")
    assert names() == [*(f"Rater {number}" for number in range(2, 7)), "Rater 9"]
    assert {item.given for item in monitoring.item_progress(database, study)} == {2}


def test_organisers_at_once_cannot_replace_a_rater_twice(database: Database) -> None:
    study = create(database, plan())
    at_once = Barrier(4)

    def replace_it(rater: str) -> bool:
        at_once.wait()
        try:
            return bool(organising.replace_rater(database, rater, "in a hurry"))
        except InputError:
            return False

    with ThreadPoolExecutor(4) as pool:
        for rater in monitoring.rater_progress(database, study):
            assert sum(pool.map(replace_it, [rater.id] * 4)) == 1
    assert len(monitoring.rater_progress(database, study)) == 12


def test_a_rater_is_not_excluded_when_the_replacement_is_refused(database: Database) -> None:
    study = create(database, plan())
    rater = monitoring.rater_progress(database, study)[0].id
    with pytest.raises(InputError, match="reason"):
        organising.replace_rater(database, rater, " ")
    assert len(monitoring.rater_progress(database, study)) == 6
    assert monitoring.rater_progress(database, study)[0].excluded == ""


@pytest.mark.parametrize("state", ["paused", "closed"])
def test_an_open_link_tells_why_it_gives_no_place(
    database: Database, state: organising.StudyState
) -> None:
    study = create(database, plan())
    token = organising.open_link(database, study, 1)
    organising.set_state(database, study, state)
    with pytest.raises(LinkError, match=f"The study is {state}"):
        rating.take_place(database, token)
    organising.set_state(database, study, "open")
    with database.writing() as session:
        session.execute(update(Study).values(closes_at=1.0))
    with pytest.raises(LinkError, match="The study is closed"):
        rating.take_place(database, token)


def texts(database: Database, rater: str) -> set[str]:
    with database.reading() as session:
        query = select(ItemRow.text).join(Assignment, Assignment.item_id == ItemRow.id)
        return set(session.scalars(query.where(Assignment.rater_id == rater)))


def test_what_is_gone_is_a_sentence(database: Database) -> None:
    calls = (
        lambda: organising.new_link(database, "none"),
        lambda: organising.set_state(database, "none", "open"),
        lambda: organising.remove(database, "none"),
        lambda: monitoring.study(database, "none"),
    )
    for call in calls:
        with pytest.raises(CoreError, match="not there any more"):
            call()
