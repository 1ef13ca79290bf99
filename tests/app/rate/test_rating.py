"""The rater's page through Streamlit's own test harness."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, text
from streamlit.testing.v1 import AppTest

from core.study import organising, rating
from core.study.creating import create
from core.study.database import Database
from core.study.monitoring import rater_progress
from core.study.tables import Rating
from tests.toys.pages import press
from tests.toys.study import plan, start, tokens
from tests.toys.study_pages import answer, opened, send, shown


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    monkeypatch.setenv("SWAPSCOPE_DATABASE", f"sqlite:///{tmp_path / 'studies.sqlite'}")
    database = Database()
    yield database
    database.close()


def given(app: AppTest) -> list[str | None]:
    """The answers that are filled in when a text is shown."""
    return [
        None if question["given"] is None else question["options"][question["given"]]
        for question in shown(app)["questions"]
    ]


def saved(database: Database) -> int:
    with database.reading() as session:
        return session.scalar(select(func.count()).select_from(Rating)) or 0


def test_from_the_consent_to_the_code(database: Database) -> None:
    token = tokens(database, create(database, plan()))[0]
    app = opened(token)
    press(app, "I agree to take part")
    press(app, "I have read this")
    assert "Practice 1" in app.caption[0].value
    answer(app)
    assert "Most people see it like this" in app.info[0].value
    press(app, "Go on")
    for number in range(1, 6):
        assert saved(database) == number
        answer(app)
    assert "All your answers are saved" in app.success[0].value
    assert app.code[0].value == rater_progress(database, rating_study(database))[0].code


def rating_study(database: Database) -> str:
    with database.reading() as session:
        return str(session.execute(text("SELECT id FROM studies")).scalar())


def ready(database: Database) -> tuple[AppTest, str]:
    token = tokens(database, create(database, plan()))[0]
    start(database, token)
    practice = rating.visit(database, token).task
    assert practice is not None
    rating.save(database, token, practice, rating.GivenAnswer("positive", 4), 1.0)
    return opened(token), token


def test_labels_begin_with_the_key_1_and_points_with_0(database: Database) -> None:
    app, _ = ready(database)
    label, score = shown(app)["questions"]
    assert (label["options"], label["first"]) == (["negative", "positive"], 1)
    assert (score["options"][0], score["first"]) == ("Machine-generated", 0)
    assert given(app) == [None, None]


def test_back_corrects_and_a_reload_goes_on(database: Database) -> None:
    app, token = ready(database)
    answer(app, "positive", "Not sure")
    press(app, "Back to the previous one")
    assert given(app) == ["positive", "Not sure"]
    assert shown(app)["send"] == "Save the correction"
    press(app, "Leave it as it is")
    press(app, "Back to the previous one")
    answer(app, "negative", "Not sure")
    again = opened(token)
    assert rating.visit(database, token).done == 1
    press(again, "Back to the previous one")
    assert given(again) == ["negative", "Not sure"]


def test_two_tabs_keep_the_first_answer_and_say_so(database: Database) -> None:
    one, token = ready(database)
    other = opened(token)
    answer(one, "positive", "Not sure")
    answer(other, "negative", "Human-written")
    assert "another tab" in shown(other)["message"]
    assert saved(database) == 2


def test_a_tab_that_lags_behind_moves_on_and_says_so(database: Database) -> None:
    one, token = ready(database)
    other = opened(token)
    answer(one, "positive", "Not sure")
    other.run()  # as a browser does when its connection is back
    assert "another tab" in other.info[0].value
    assert shown(other)["id"] == shown(one)["id"]


def test_a_failing_database_is_told_and_nothing_is_shown_as_saved(database: Database) -> None:
    app, token = ready(database)
    before, asked = rating.visit(database, token).task, shown(app)
    with database.writing() as session:
        session.execute(
            text(
                "CREATE TRIGGER full BEFORE INSERT ON ratings BEGIN"
                " SELECT RAISE(FAIL, 'database or disk is full'); END"
            )
        )
    confirmed = set()
    for _ in range(2):
        answer(app)
        assert "not saved" in shown(app)["message"]
        confirmed.add(shown(app)["received"])  # or the browser would go on sending
    assert len(confirmed) == 2
    assert shown(app)["id"] == asked["id"]  # what was chosen is still there
    assert saved(database) == 1
    assert rating.visit(database, token).task == before
    with database.writing() as session:
        session.execute(text("DROP TRIGGER full"))
    answer(app)
    assert saved(database) == 2


@pytest.mark.parametrize("sent", [None, [], [0], [-1, 0], [2, 0], [0, 5], ["0", 0], [0, None]])
@pytest.mark.parametrize("marked", [True, False])
def test_what_no_button_sends_is_not_an_answer(database: Database, sent: Any, marked: bool) -> None:
    app, _ = ready(database)
    send(app, {"answers": sent, "mark": ["x"]} if marked else sent)
    assert "not saved" in shown(app)["message"]
    assert saved(database) == 1


def test_a_link_that_opens_nothing_is_a_sentence(database: Database) -> None:
    study = create(database, plan())
    token = tokens(database, study)[0]
    organising.revoke(database, rater_progress(database, study)[0].id)
    for wrong in (token, "x", "' OR ''='"):
        app = opened(wrong)
        assert "Ask whoever sent it" in app.error[0].value
        assert len(app.button) == 0


def told(app: AppTest) -> list[str]:
    """All boxes on the page."""
    return [box.value for kind in (app.warning, app.info, app.error, app.success) for box in kind]


def test_a_paused_or_closed_study_says_so_in_one_message(database: Database) -> None:
    app, token = ready(database)
    late = opened(token)
    study = rating_study(database)
    organising.set_state(database, study, "paused")
    (message,) = told(opened(token))
    assert message.startswith("The study is paused. What was saved before stays saved;")
    answer(app)  # on a page that was open before
    (message,) = told(app)
    assert message.startswith("Your answer was not saved. The study is paused.")
    assert message.count("paused") == 1
    organising.set_state(database, study, "closed")
    (message,) = told(opened(token))
    assert message.startswith("The study is closed.")
    answer(late)
    (message,) = told(late)
    assert message.startswith("Your answer was not saved. The study is closed.")
    assert saved(database) == 1


def test_an_excluded_rater_is_not_told_that_the_study_is_closed(database: Database) -> None:
    app, token = ready(database)
    organising.exclude(database, rater_progress(database, rating_study(database))[0].id, "x")
    (message,) = told(opened(token))
    assert "ended your part in it" in message
    assert "closed" not in message
    answer(app)
    (message,) = told(app)
    assert message.startswith("Your answer was not saved. Whoever runs the study has ended")


def test_a_correction_that_comes_too_late_leaves_the_answer_and_says_so(
    database: Database,
) -> None:
    app, _ = ready(database)
    for _ in range(5):
        answer(app)
    press(app, "Back to the previous one")
    organising.set_state(database, rating_study(database), "closed")
    answer(app, "negative", "Human-written")
    warning, success = told(app)
    assert warning.startswith(
        "Your correction was not saved; the answer that you gave before stays"
    )
    assert "closed" in warning
    assert "All your answers are saved" in success


def test_an_open_link_of_a_paused_study_says_so(database: Database) -> None:
    token = organising.open_link(database, create(database, plan()), 1)
    organising.set_state(database, rating_study(database), "paused")
    app = opened(token)
    press(app, "Join the study")
    assert "is paused" in app.error[0].value


def test_an_open_link_gives_a_place_with_an_address_of_its_own(database: Database) -> None:
    token = organising.open_link(database, create(database, plan()), 1)
    app = opened(token)
    press(app, "Join the study")
    own = app.query_params["a"]
    assert own != [token]
    assert app.button[0].label == "I agree to take part"
    late = opened(token)
    press(late, "Join the study")
    assert "taken" in late.error[0].value
