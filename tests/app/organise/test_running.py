"""A study that runs: its links, raters and states."""

import json
from typing import Any

import pytest
from streamlit import config

from app.organise import running as organise
from app.shared import addresses
from core.study import exports, monitoring, rating
from core.study.creating import create
from core.study.database import Database
from core.study.demonstration import NAME, demonstrate, remove_demonstration
from tests.toys.pages import harness, labels, press
from tests.toys.study import plan, rate_all, tokens
from tests.toys.study_pages import WORD, entered


def test_the_demonstration_is_one_click_away_and_one_click_removes_it(database: Database) -> None:
    app = entered()
    press(app, "Show a demonstration study")
    assert "simulated" in app.warning[0].value
    (table,) = [frame.value for frame in app.dataframe if "valid %" in frame.value]
    assert table["method"].tolist() == ["ls", "pso", "original input"]
    assert len(app.get("plotly_chart")) == 1
    assert "12 sources with both ls and pso" in " ".join(m.value for m in app.markdown)
    assert any("\\begin{tabular}" in code.value for code in app.code)
    press(app, "Remove the demonstration study")
    assert monitoring.studies(database) == []
    assert "Show a demonstration study" in labels(app)


@pytest.mark.parametrize(
    ("address", "opened", "expected"),
    [
        ("0.0.0.0", "http://localhost:8599/organise", "http://198.51.100.7:8599/rate"),
        ("localhost", "http://localhost:8599/organise", "http://localhost:8599/rate"),
        ("0.0.0.0", "http://192.0.2.9:8599/organise", "http://192.0.2.9:8599/rate"),
    ],
)
def test_links_use_an_address_that_others_can_open(
    database: Database, monkeypatch: pytest.MonkeyPatch, address: str, opened: str, expected: str
) -> None:
    config.set_option("server.address", address)
    monkeypatch.setattr(addresses, "_leads_outside", lambda: "198.51.100.7")
    create(database, plan())
    app = harness("organise")
    app.context = {"url": opened}
    app.run()
    app.text_input(key="organise.passphrase").input(WORD)
    press(app, "Open")
    press(app, "New link for this rater")
    (code,) = [code.value for code in app.code if "rate?a=" in code.value]
    assert f": {expected}?a=" in code
    assert len(app.get("image")) == 1
    warned = any("Nobody else can open this" in warning.value for warning in app.warning)
    assert warned == (address == "localhost")
    press(app, "Links for all 5 raters who have none")
    assert not app.get("image")  # several links are no single code


def test_links_are_made_shown_once_and_revoked(database: Database) -> None:
    study = create(database, plan())
    app = entered()
    press(app, "Links for all 6 raters who have none")
    (code,) = [code.value for code in app.code if "rate?a=" in code.value]
    token = code.splitlines()[0].partition("a=")[2]
    assert rating.visit(database, token).stage == "consent"
    press(app, "Revoke the link")
    with pytest.raises(rating.LinkError):
        rating.visit(database, token)
    press(app, "New link for this rater")
    assert len([rater for rater in monitoring.rater_progress(database, study) if rater.linked]) == 6
    assert not any("rate?a=" in code.value for code in entered().code)


def test_an_open_link_hands_out_free_places(database: Database) -> None:
    create(database, plan())
    app = entered()
    app.number_input(key="organise.places").set_value(7).run()
    press(app, "New open link")
    assert "Only 6 places are free" in app.error[0].value
    app.number_input(key="organise.places").set_value(2).run()
    press(app, "New open link")
    (code,) = [code.value for code in app.code if "rate?a=" in code.value]
    assert rating.is_open_link(database, code.partition("a=")[2])
    press(app, "Close the open link (2 places left)")
    assert not rating.is_open_link(database, code.partition("a=")[2])


def test_a_look_for_new_ratings_draws_the_page_anew(database: Database) -> None:
    token = tokens(database, create(database, plan("Live")))[0]
    app = entered()
    assert [metric.value for metric in app.metric][1] == "0 of 30"
    rate_all(database, token)
    app.run()
    assert [metric.value for metric in app.metric][1] == "5 of 30"


def test_a_study_is_steered(database: Database) -> None:
    study = create(database, plan())
    rate_all(database, tokens(database, study)[0])
    app = entered()
    press(app, "Pause")
    assert app.metric[0].value == "paused"
    press(app, "Go on")
    press(app, "Exclude")
    assert "reason" in app.error[0].value
    app.text_input(key="organise.reason").input("too fast").run()
    press(app, "Exclude")
    assert app.metric[1].value == "0 of 25"
    press(app, "Count again")
    assert app.metric[1].value == "5 of 30"
    press(app, "Exclude and replace")
    assert len(monitoring.rater_progress(database, study)) == 7
    for name in ("Exclude and replace", "Count again"):
        press(app, name)
        assert "Rater 7 has the place of Rater 1 now" in app.error[0].value
    assert len(monitoring.rater_progress(database, study)) == 7
    (raters,) = [frame.value for frame in app.dataframe if "in place of" in frame.value]
    assert raters["in place of"].tolist() == [*[""] * 6, "Rater 1"]
    app.text_input(key="organise.name").input("Bea").run()
    press(app, "Rename")
    assert monitoring.rater_progress(database, study)[0].name == "Bea"
    app.number_input(key="organise.each").set_value(3).run()
    app.number_input(key="organise.more").set_value(3).run()
    press(app, "Extend")
    assert len(monitoring.rater_progress(database, study)) == 10
    app.text_input(key="organise.delete").input("A study").run()
    press(app, "Delete the study and all its ratings")
    assert monitoring.studies(database) == []


def test_an_exported_study_can_be_imported(database: Database) -> None:
    content = exports.study_json(database, demonstrate(database))
    app = entered()
    app.selectbox(key="organise.study").select(organise.NEW).run()
    app.file_uploader(key="organise.import").upload("s.json", content.encode(), "json").run()
    press(app, "Import the study")
    assert "of this name is there already" in app.error[0].value
    app.text_input(key="organise.import.name").input("Again").run()
    press(app, "Import the study")
    assert {study.name for study in monitoring.studies(database)} == {NAME, "Again"}
    assert "simulated" in app.warning[0].value
    data: dict[str, Any] = json.loads(content)
    assert data["study"]["name"] == NAME


def test_a_real_study_called_like_the_demonstration_is_not_taken_for_it(database: Database) -> None:
    create(database, plan(NAME))
    app = entered()
    assert not app.warning
    assert "Remove the demonstration study" not in labels(app)
    remove_demonstration(database)
    assert [study.name for study in monitoring.studies(database)] == [NAME]


def test_the_link_is_beside_the_page() -> None:
    assert organise.beside("rate", "a=T", "http://h:1/organise") == "http://h:1/rate?a=T"
    assert organise.beside("step", "", "https://h/app/organise?x=1#y") == "https://h/app/step"
