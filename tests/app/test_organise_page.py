"""The organiser's page through Streamlit's own test harness."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app import organise, organise_results, organise_wizard, study_charts
from core.study import exports, monitoring, rating
from core.study.comparison import compare
from core.study.creating import create
from core.study.database import Database
from core.study.demonstration import NAME, demonstrate, remove_demonstration
from core.study.judgements import judged_items
from core.study.results import results
from tests.core.study.parts import plan, rate_all, tokens

WORD = "correct horse"
CSV = (
    "text,label,source,method\n"
    "a fine film,positive,1,ls\n"
    "a fine movie,positive,1,pso\n"
    "a dull film,negative,2,ls\n"
    "a dull movie,neutral,2,pso\n"
)


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    monkeypatch.setenv("SWAPSCOPE_DATABASE", f"sqlite:///{tmp_path / 'studies.sqlite'}")
    monkeypatch.setenv("SWAPSCOPE_PASSPHRASE", WORD)
    database = Database()
    yield database
    database.close()


def page() -> AppTest:
    app = AppTest.from_file("../../pages/organise.py", default_timeout=60).run()
    assert not app.exception
    return app


def entered(word: str = WORD) -> AppTest:
    app = page()
    app.text_input(key="organise.passphrase").input(word)
    press(app, "Open")
    return app


def press(app: AppTest, name: str) -> None:
    (button,) = [button for button in app.button if button.label == name]
    button.click().run()
    assert not app.exception


def labels(app: AppTest) -> list[str]:
    return [button.label for button in app.button]


def test_nothing_is_shown_without_the_passphrase(database: Database) -> None:
    create(database, plan("Secret study"))
    app = page()
    assert labels(app) == ["Open"]
    assert "Secret study" not in str(app)
    app = entered("wrong one")
    assert app.error[0].value == "This is not the passphrase."
    assert labels(app) == ["Open"]
    for _ in range(5):
        app = entered("wrong one")
    assert "Too many wrong passphrases" in app.error[0].value
    assert "Too many" in entered().error[0].value


def test_the_passphrase_is_set_at_first_use(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SWAPSCOPE_PASSPHRASE")
    app = page()
    app.text_input(key="organise.passphrase").input("short")
    press(app, "Set the passphrase")
    assert "at least 8" in app.error[0].value
    app.text_input(key="organise.passphrase").input(WORD)
    press(app, "Set the passphrase")
    assert app.selectbox(key="organise.study").value == organise.NEW
    assert "Open" in labels(page())


def test_the_demonstration_is_one_click_away_and_one_click_removes_it(database: Database) -> None:
    app = entered()
    press(app, "Show a demonstration study")
    assert "simulated" in app.warning[0].value
    (table,) = [frame.value for frame in app.dataframe if "valid %" in frame.value]
    assert table["method"].tolist() == ["ls", "pso", "original input"]
    assert len(app.get("plotly_chart")) == 1
    assert "12 sources have both" in " ".join(m.value for m in app.markdown)
    assert any("\\begin{tabular}" in code.value for code in app.code)
    press(app, "Remove the demonstration study")
    assert monitoring.studies(database) == []
    assert "Show a demonstration study" in labels(app)


def upload(app: AppTest, name: str, content: str) -> None:
    app.file_uploader(key=f"wizard.files.{organise_wizard.TABLE}").upload(
        name, content.encode(), "text/csv"
    ).run()
    assert not app.exception


def test_a_study_is_made_from_a_table(database: Database) -> None:
    app = entered()
    app.text_input(key="wizard.name").input("From a table").run()
    upload(app, "items.csv", CSV)
    (faults,) = [frame.value for frame in app.dataframe if "why" in frame.value]
    assert faults["row"].tolist() == [4]
    press(app, "Add these 3 items")
    assert "**In the study so far:** 2 ls, 1 pso" in [m.value for m in app.markdown]
    assert "that needs 6 raters, not 3" in app.warning[0].value
    app.number_input(key="wizard.raters").set_value(6).run()
    assert not app.warning
    press(app, "Create the study")
    assert "The study is there" in app.success[0].value
    (study,) = monitoring.studies(database)
    assert (study.name, study.expected, study.design.raters) == ("From a table", 9, 6)
    assert app.selectbox(key="organise.study").value == study.id


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


def test_a_field_that_is_not_complete_leaves_the_rest_of_the_wizard(database: Database) -> None:
    app = entered()
    upload(app, "items.csv", CSV)
    press(app, "Add these 3 items")
    app.number_input(key="wizard.raters").set_value(6).run()
    app.text_input(key="wizard.wording.title").input("").run()
    assert "Write a title" in app.warning[0].value
    assert app.button(key="organise.create").disabled
    app.text_input(key="wizard.wording.title").input("A title").run()
    assert app.number_input(key="wizard.raters").value == 6
    assert not app.button(key="organise.create").disabled


def test_the_link_is_beside_the_page() -> None:
    assert organise.beside("rate", "a=T", "http://h:1/organise") == "http://h:1/rate?a=T"
    assert organise.beside("step", "", "https://h/app/organise?x=1#y") == "https://h/app/step"


def test_rows_bars_and_sentences_are_plain(database: Database) -> None:
    study = demonstrate(database)
    items = judged_items(database, study)
    found = results(items)
    bars = study_charts.distribution(found.rows, monitoring.study(database, study).wording.scale)
    assert [list(bar.y) for bar in bars.data] == [["ls", "pso", "original input"]] * 5
    assert sum(bar.x[0] for bar in bars.data) == pytest.approx(1)
    first, second = organise_results.sentences(compare(items, "ls", "pso"))
    assert "exact McNemar test" in first
    assert "Cohen's d" in second
    (nothing,) = organise_results.sentences(compare(items, "ls", "none"))
    assert "nothing to pair" in nothing
