"""Who may do what, on an own machine and on an open server; forged clicks do nothing."""

from collections.abc import Generator, Iterator
from pathlib import Path
from threading import Event

import pytest
from streamlit import config
from streamlit.testing.v1 import AppTest

from app.results import experiments
from app.shared import door, visitor
from app.shared.visitor import Visitor
from core.experiment import runner
from core.experiment.results import Results
from core.experiment.runner import RunProgress
from core.objective import Cancelled
from core.study import access, drafts, monitoring
from core.study.creating import create
from core.study.database import Database
from tests.toys.experiment import plan as experiment_plan
from tests.toys.pages import ended, fill, harness, labels, press
from tests.toys.study import plan
from tests.toys.turns import Clock

WORD = "correct horse battery"


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(door, "clock", clock)
    # The test harness knows no addresses.
    monkeypatch.setattr(visitor, "current", lambda: Visitor("192.0.2.1", "this tab"))
    return clock


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    monkeypatch.setenv("SWAPSCOPE_DATABASE", f"sqlite:///{tmp_path / 'studies.sqlite'}")
    monkeypatch.setenv("SWAPSCOPE_EXPERIMENTS", str(tmp_path))
    monkeypatch.delenv("SWAPSCOPE_PASSPHRASE", raising=False)
    database = Database()
    yield database
    database.close()


@pytest.fixture
def known(database: Database) -> Database:
    """A database with a passphrase."""
    access.set_passphrase(database, WORD)
    return database


def page(name: str = "organise") -> AppTest:
    app = harness(name).run()
    assert not app.exception
    return app


def enter(app: AppTest, word: str = WORD, code: str = "") -> AppTest:
    if code:
        app.text_input(key="organise.code").input(code)
    app.text_input(key="organise.passphrase").input(word)
    (button,) = [name for name in labels(app) if name in ("Open", "Set the passphrase")]
    press(app, button)
    return app


def is_in(app: AppTest) -> bool:
    return door._ENTERED in app.session_state


def test_a_wrong_passphrase_makes_the_next_wait_and_the_right_one_gets_in(
    known: Database, clock: Clock
) -> None:
    app = enter(page(), "wrong one")
    assert app.error[0].value == "This is not the passphrase."
    for wait in (2, 4, 8):
        enter(app, "wrong one")
        assert f"checked in {wait} seconds" in app.info[0].value
        assert not app.error
        assert not app.button  # one try at a time
        clock.now += wait - 1
        app.run()
        assert "checked in 1 second;" in app.info[0].value
        clock.now += 1
        app.run()
        assert app.error[0].value == "This is not the passphrase."
    enter(app)
    assert "checked in 16 seconds" in app.info[0].value
    assert not is_in(app)
    clock.now += 16
    app.run()
    assert is_in(app)
    assert app.selectbox(key="organise.study")
    assert access.forget_tries(known) == 0  # they count no more


def test_wrong_tries_of_others_keep_the_right_passphrase_out_for_seconds_only(
    known: Database, clock: Clock
) -> None:
    for number in range(500):
        access.count_try(known, "192.0.2.1", f"session {number % 7}", clock.now)
    app = enter(page())
    assert "checked in 5 seconds" in app.info[0].value
    clock.now += 5
    app.run()
    assert is_in(app)


def test_on_an_own_machine_the_first_visitor_chooses_without_a_code(database: Database) -> None:
    app = page()
    assert [box.label for box in app.text_input] == ["Passphrase"]
    enter(app, "short")
    assert "at least 8" in app.error[0].value
    assert is_in(enter(app, "12345678"))


@pytest.mark.usefixtures("open_server")
def test_on_an_open_server_the_first_visitor_never_chooses_a_passphrase(
    database: Database, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    door._tell_setup_code.cache_clear()
    app = page()
    assert "terminal" in app.markdown[0].value
    assert access.setup_code() in caplog.text
    assert access.setup_code() not in str(app)
    enter(app, "short", access.setup_code())
    assert "at least 12" in app.error[0].value
    enter(app, WORD, "AAAA-AAAA")
    assert "This is not the set-up code" in app.error[0].value
    enter(app, WORD, "BBBB-BBBB")
    assert "checked in 2 seconds" in app.info[0].value
    clock.now += 2
    app.run()
    assert "This is not the set-up code" in app.error[0].value
    enter(app, WORD)
    clock.now += 4
    app.run()
    assert not is_in(app)
    assert not access.passphrase_is_set(database)
    enter(app, WORD, access.setup_code().lower())
    clock.now += 8
    app.run()
    assert is_in(app)
    assert access.passphrase_fits(database, WORD)
    assert labels(page()) == ["Open"]  # the code is of no use any more


@pytest.mark.usefixtures("open_server")
def test_of_two_who_know_the_code_the_second_is_told(database: Database) -> None:
    late = page()
    enter(page(), WORD, access.setup_code())
    late.text_input(key="organise.code").input(access.setup_code())
    late.text_input(key="organise.passphrase").input("another passphrase")
    press(late, "Set the passphrase")
    assert not is_in(late)
    assert access.passphrase_fits(database, WORD)


def test_a_server_with_a_public_address_is_open_wherever_it_listens(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SWAPSCOPE_ADDRESS", "https://study.example.org")
    assert [box.label for box in page().text_input] == ["Set-up code", "Passphrase"]


def own_experiment(name: str = "mine") -> None:
    """One that was broken off."""
    experiments.start(experiment_plan(name=name)).cancel()
    ended(name)


def test_on_an_own_machine_everybody_starts_experiments(known: Database) -> None:
    own_experiment()
    app = page("results")
    assert {"Start", "Harden it", "Resume"} <= set(labels(app))
    assert "Sign out" not in labels(app)


@pytest.mark.usefixtures("open_server")
def test_on_an_open_server_visitors_look_and_the_organiser_starts(known: Database) -> None:
    own_experiment()
    app = page("results")
    assert not {"Start", "Harden it", "Resume", "Cancel"} & set(labels(app))
    assert not app.get("file_uploader")
    assert "only the organiser starts, resumes and cancels" in " ".join(
        each.value for each in app.markdown
    )
    assert "passphrase" in " ".join(each.value for each in app.caption)
    assert app.selectbox(key="experiment").options[-1] == "sentiment"
    app.selectbox(key="experiment").select("sentiment").run()
    assert {tab.label for tab in app.tabs} >= {"Tables", "Curves"}  # finished ones are for all
    app.selectbox(key="experiment").select("mine").run()
    enter(app)
    assert {"Start", "Harden it", "Resume"} <= set(labels(app))
    press(app, "Sign out")
    assert not {"Start", "Harden it", "Resume"} & set(labels(app))
    assert not is_in(app)


@pytest.mark.usefixtures("open_server")
def test_the_place_of_the_forms_asks_for_the_setup_code_too(database: Database) -> None:
    app = enter(page("results"), WORD, access.setup_code())
    assert "Start" in labels(app)


@pytest.mark.usefixtures("open_server")
def test_a_database_that_fails_is_a_sentence_where_the_forms_were(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SWAPSCOPE_DATABASE", "nonsense")
    app = page("results")
    assert "does not name a database" in app.error[0].value
    assert app.tabs


def forged(app: AppTest, key: str) -> AppTest:
    """A click on a button that was drawn before, from a page that has none any more."""
    button = app.button(key=key).click()
    app.session_state[door._ENTERED] = False
    config.set_option("server.address", "0.0.0.0")
    app = button.run()
    assert not app.exception
    return app


def test_forged_clicks_start_and_stop_nothing(
    known: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = fill(page("results"), name="forged")
    forged(app, "new.go")
    assert "forged" not in experiments.found()
    config.set_option("server.address", "localhost")
    own_experiment()
    app = page("results")
    before = experiments.run_of(experiments.found()["mine"])
    forged(app, "resume")
    assert experiments.run_of(experiments.found()["mine"]) is before
    config.set_option("server.address", "localhost")
    app = page("results")
    forged(app, "harden.go")
    assert "harden.run" not in app.session_state


def test_a_forged_click_cancels_no_experiment(
    known: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = Event()

    def running(*_: object) -> Generator[RunProgress, None, Results]:
        go_on.wait()
        raise Cancelled
        yield

    monkeypatch.setattr(runner, "steps", running)
    run = experiments.start(experiment_plan(name="mine"))
    app = page("results")
    assert "Cancel" in labels(app)
    assert "Cancel" not in labels(forged(app, "results.cancel"))
    assert not run.cancelled
    config.set_option("server.address", "localhost")
    press(page("results"), "Cancel")
    assert run.cancelled
    go_on.set()


def test_forged_clicks_change_no_study(known: Database) -> None:
    study = create(known, plan())
    app = enter(page())
    app.text_input(key="organise.delete").input("A study").run()
    for key in ("organise.remove", "organise.link.all", "organise.state.paused", "organise.demo"):
        before = monitoring.rater_progress(known, study), monitoring.studies(known)
        app = forged(app, key)
        assert (monitoring.rater_progress(known, study), monitoring.studies(known)) == before
        assert labels(app) == ["Open"]
        app = enter(page())
        app.text_input(key="organise.delete").input("A study").run()


def test_who_signs_out_leaves_nothing_behind(known: Database, open_server: None) -> None:
    create(known, plan("Secret study"))
    app = enter(page())
    press(app, "New link for this rater")
    assert any("rate?a=" in code.value for code in app.code)
    app.selectbox(key="organise.study").select("New study").run()
    app.text_input(key="wizard.name").input("Secret draft").run()
    press(app, "Sign out")
    assert labels(app) == ["Open"]
    assert "Secret" not in str(app)
    for name in ("organise.links", "organise.study", "wizard.name", "wizard.seen"):
        assert name not in app.session_state
    app = enter(app)
    assert drafts.read(known, ["name"])["name"][1] == "Secret draft"


def test_a_browser_cannot_say_that_it_has_entered(known: Database) -> None:
    """What it sends under the name of a value of the session is not taken for one."""
    app = page()
    states = app._tree.get_widget_states()
    for value in ({"bool_value": True}, {"string_value": "x"}, {"json_value": "true"}):
        states.widgets.add(id=door._ENTERED, **value)
    app._run(states)  # Streamlit itself stumbles over it
    assert not {"Sign out", "Show a demonstration study"} & set(labels(app))
    assert labels(page()) == ["Open"]
