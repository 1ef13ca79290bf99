"""A rater's way through a study: exactly one rating an item, whatever is clicked or reloaded."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace

import pytest
from sqlalchemy import select

from core.errors import InputError
from core.study import organising, rating
from core.study.creating import create
from core.study.database import Database
from core.study.rating import GivenAnswer
from core.study.tables import Correction, Rating
from tests.toys.raters import BAD, GOOD, count, task_of
from tests.toys.study import items, plan, rate_all, start, tokens


def first_token(database: Database) -> str:
    return tokens(database, create(database, plan()))[0]


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
