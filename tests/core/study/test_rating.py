"""A rater's way through a study: exactly one rating an item, whatever is clicked or reloaded."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import func, select, update

from core.errors import CoreError, InputError
from core.study import monitoring, organising, rating
from core.study.creating import create
from core.study.database import Database
from core.study.design import Design
from core.study.items import Item
from core.study.rating import GivenAnswer, LinkError, RatingTask
from core.study.tables import Assignment, Correction, ItemRow, Rating, Study
from tests.toys.study import LABELS, items, plan, rate_all, start, tokens

GOOD, BAD = GivenAnswer("positive", 3), GivenAnswer("negative", 1)


def first_token(database: Database) -> str:
    return tokens(database, create(database, plan()))[0]


def task_of(database: Database, token: str, task: str | None = None) -> RatingTask:
    found = rating.visit(database, token, task).task
    assert found is not None
    return found


def count(database: Database, table: type[Rating] | type[Correction]) -> int:
    with database.reading() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def test_a_rater_goes_through_every_stage(database: Database) -> None:
    token = first_token(database)
    stages = [rating.visit(database, token).stage]
    rating.ready(database, token)  # without consent nothing happens
    stages.append(rating.visit(database, token).stage)
    rating.consent(database, token)
    stages.append(rating.visit(database, token).stage)
    rating.ready(database, token)
    while task := rating.visit(database, token).task:
        stages.append(rating.visit(database, token).stage)
        rating.save(database, token, task, GOOD, 4.0)
    visit = rating.visit(database, token)
    assert stages[:4] == ["consent", "consent", "instructions", "practice"]
    assert set(stages[4:]) == {"items"}
    assert (visit.stage, visit.done, visit.total) == ("done", 5, 5)
    assert len(visit.code) == 8


def test_the_code_is_shown_only_at_the_end(database: Database) -> None:
    token = first_token(database)
    start(database, token)
    assert rating.visit(database, token).code == ""


def test_practice_gives_feedback_and_nothing_else_does(database: Database) -> None:
    token = first_token(database)
    start(database, token)
    practice = task_of(database, token)
    assert rating.feedback(database, token, practice.id) is None
    rating.save(database, token, practice, GOOD, 1.0)
    told = rating.feedback(database, token, practice.id)
    assert told is not None
    assert (told.label_right, told.score_right, told.score) == (True, False, 4)
    assert told.text == "A person wrote it."
    item = task_of(database, token)
    rating.save(database, token, item, GOOD, 1.0)
    assert rating.feedback(database, token, item.id) is None


def test_nothing_a_rater_gets_tells_what_is_hidden(database: Database) -> None:
    secret = [
        replace(
            item, method="m3thod", victim="v1ctim", source=f"{item.source}s0urce", trace="tr4ce"
        )
        if item.kind == "adversarial"
        else item
        for item in items()
    ]
    study = create(database, replace(plan(), items=tuple(secret)))
    for token in tokens(database, study):
        start(database, token)
        while task := (visit := rating.visit(database, token)).task:
            shown = repr(visit)
            for word in ("m3thod", "v1ctim", "s0urce", "tr4ce", "adversarial", "original", "check"):
                assert word not in shown
            assert {field.name for field in fields(task)} == {
                *("id", "text", "context", "number", "answer", "revision")
            }
            rating.save(database, token, task, GOOD, 1.0)


def test_the_same_click_twice_is_one_rating(database: Database) -> None:
    token = first_token(database)
    start(database, token)
    task = task_of(database, token)
    assert [rating.save(database, token, task, GOOD, 1.0) for _ in range(3)] == [
        *("saved", "already", "already")
    ]
    assert (count(database, Rating), count(database, Correction)) == (1, 0)


def test_two_tabs_that_differ_are_told(database: Database) -> None:
    token = first_token(database)
    start(database, token)
    task = task_of(database, token)
    assert rating.save(database, token, task, GOOD, 1.0) == "saved"
    assert rating.save(database, token, task, BAD, 1.0) == "changed"
    again = task_of(database, token)
    assert rating.save(database, token, again, GOOD, 1.0) == "saved"
    seen = task_of(database, token, again.id)
    assert rating.save(database, token, seen, BAD, 1.0) == "saved"
    assert rating.save(database, token, seen, replace(BAD, score=2), 1.0) == "changed"
    assert task_of(database, token, again.id).answer == BAD


def test_many_clicks_at_once_are_one_rating(database: Database) -> None:
    token = first_token(database)
    start(database, token)
    task = task_of(database, token)

    def click(number: int) -> str:
        return rating.save(database, token, task, GivenAnswer("positive", number % 5), 1.0)

    with ThreadPoolExecutor(10) as pool:
        outcomes = list(pool.map(click, range(30)))
    assert outcomes.count("saved") == 1
    assert (count(database, Rating), count(database, Correction)) == (1, 0)


def test_every_correction_is_kept(database: Database) -> None:
    token = first_token(database)
    rate_all(database, token)
    last = rating.visit(database, token).previous
    for score in (0, 1, 2):
        task = task_of(database, token, last)
        assert task.answer is not None
        assert rating.save(database, token, task, GivenAnswer("negative", score), 2.0) == "saved"
    with database.reading() as session:
        kept = session.execute(
            select(Correction.revision, Correction.label, Correction.score).order_by(
                Correction.revision
            )
        ).all()
        now = session.get_one(Rating, last)
    assert [tuple(row) for row in kept] == [
        (0, "positive", 3),
        (1, "negative", 0),
        (2, "negative", 1),
    ]
    assert (now.score, now.revision) == (2, 3)
    assert rating.visit(database, token).stage == "done"


def test_back_goes_to_earlier_items_but_not_to_practice(database: Database) -> None:
    token = first_token(database)
    start(database, token)
    practice = task_of(database, token)
    rating.save(database, token, practice, GOOD, 1.0)
    assert rating.visit(database, token).previous is None
    first = task_of(database, token)
    rating.save(database, token, first, GOOD, 1.0)
    assert rating.visit(database, token).previous == first.id
    back = rating.visit(database, token, first.id)
    assert back.task is not None
    assert (back.task.number, back.task.answer, back.previous) == (1, GOOD, None)
    for other in (practice.id, "nonsense"):
        assert rating.visit(database, token, other).task == task_of(database, token)


def test_the_same_link_goes_on_where_it_was(url: str) -> None:
    database = Database(url)
    token = first_token(database)
    start(database, token)
    for _ in range(3):
        rating.save(database, token, task_of(database, token), GOOD, 1.0)
    expected = task_of(database, token)
    database.close()
    database = Database(url)
    assert task_of(database, token) == expected
    database.close()


def test_another_raters_task_cannot_be_read_or_answered(database: Database) -> None:
    one, other, *_ = tokens(database, create(database, plan()))
    start(database, one)
    start(database, other)
    foreign = task_of(database, other)
    assert rating.visit(database, one, foreign.id).task != foreign
    with pytest.raises(InputError, match="does not fit this link"):
        rating.save(database, one, foreign, GOOD, 1.0)
    rating.save(database, other, foreign, GOOD, 1.0)
    with pytest.raises(InputError, match="does not fit this link"):
        rating.save(database, one, foreign, BAD, 1.0)
    assert rating.feedback(database, one, foreign.id) is None
    assert count(database, Rating) == 1


@pytest.mark.parametrize("answer", [GivenAnswer("neutral", 1), GivenAnswer("positive", 5)], ids=str)
def test_an_answer_that_was_not_offered_is_refused(database: Database, answer: GivenAnswer) -> None:
    token = first_token(database)
    start(database, token)
    with pytest.raises(InputError):
        rating.save(database, token, task_of(database, token), answer, 1.0)
    assert count(database, Rating) == 0


def test_odd_durations_are_brought_into_range(database: Database) -> None:
    token = first_token(database)
    start(database, token)
    for seconds in (-5.0, 1e9):
        rating.save(database, token, task_of(database, token), GOOD, seconds)
    with database.reading() as session:
        stored = sorted(session.scalars(select(Rating.seconds)))
    assert stored == [0.0, rating.LONGEST_SECONDS]


def test_nothing_is_taken_before_consent_or_while_paused(database: Database) -> None:
    study = create(database, plan())
    token = tokens(database, study)[0]
    start(database, token)
    task = task_of(database, token)
    fresh = tokens(database, study)[0]
    assert rating.visit(database, fresh).stage == "practice"
    organising.set_state(database, study, "paused")
    assert rating.visit(database, fresh).stage == "paused"
    with pytest.raises(InputError, match=r"^The study is paused\. .* open this link again later"):
        rating.save(database, fresh, task, GOOD, 1.0)
    organising.set_state(database, study, "open")
    assert rating.save(database, fresh, task, GOOD, 1.0) == "saved"
    organising.set_state(database, study, "paused")  # the click comes once more: nothing is lost
    assert rating.save(database, fresh, task, GOOD, 1.0) == "already"


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


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": " "}, "name"),
        ({"labels": ("one",)}, "two labels"),
        ({"items": (Item("x", "neutral", method="m"),)}, "not one of the labels"),
        ({"design": Design(2, 2)}, "that needs 6 raters"),
    ],
)
def test_a_plan_that_cannot_work_is_refused(
    sqlite: Database, change: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        create(sqlite, replace(plan(), **change))
    assert monitoring.studies(sqlite) == []


def test_two_studies_of_one_name_are_refused_and_one_can_be_removed(database: Database) -> None:
    study = create(database, plan())
    with pytest.raises(InputError, match="already"):
        create(database, plan())
    rate_all(database, tokens(database, study)[0])
    other = create(database, plan("Other"))
    organising.remove(database, study)
    assert [left.id for left in monitoring.studies(database)] == [other]
    assert count(database, Rating) == 0
    assert monitoring.study(database, other).labels == LABELS
