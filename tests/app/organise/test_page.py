"""The organiser's page through Streamlit's own test harness."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from streamlit import config
from streamlit.testing.v1 import AppTest

from app.organise import charts as study_charts
from app.organise import running as organise
from app.organise import wizard as organise_wizard
from app.shared import addresses, recorded
from core.study import drafts, exports, monitoring, organising, rating
from core.study.comparison import compare
from core.study.creating import create
from core.study.database import Database
from core.study.demonstration import NAME, demonstrate, remove_demonstration
from core.study.intake import Intake
from core.study.items import Item
from core.study.judgements import judged_items
from core.study.report import compared
from core.study.results import results
from core.tasks.protocol import RaterQuestion
from tests.toys.pages import harness, labels, press
from tests.toys.study import plan, rate_all, start, tokens
from tests.toys.study_pages import WORD, entered

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
    app = harness("organise").run()
    assert not app.exception
    return app


def test_nothing_is_shown_without_the_passphrase(database: Database) -> None:
    create(database, plan("Secret study"))
    app = page()
    assert labels(app) == ["Open"]
    assert "Secret study" not in str(app)
    app = entered("wrong one")
    assert app.error[0].value == "This is not the passphrase."
    assert labels(app) == ["Open"]


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
    assert "12 sources with both ls and pso" in " ".join(m.value for m in app.markdown)
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
    assert faults[["rows", "first row"]].to_dict("records") == [{"rows": 1, "first row": 4}]
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


def test_a_fault_of_many_rows_is_said_once(database: Database) -> None:
    app = entered()
    upload(app, "items.csv", "text,label\n" + "".join(f"text {n},positive\n" for n in range(50)))
    (faults,) = [frame.value for frame in app.dataframe if "why" in frame.value]
    (fault,) = faults.to_dict("records")
    assert (fault["rows"], fault["first row"]) == (50, 1)
    assert "method is missing" in fault["why"]


def test_the_design_of_the_paper_is_one_click_away(database: Database) -> None:
    app = entered()
    methods = [Item(f"{n} {m}", "positive", f"s{n}", m) for n in range(20) for m in ("ls", "pso")]
    app.session_state["wizard.items"] = tuple(methods)
    app.number_input(key="wizard.raters").set_value(5).run()
    assert "raters who see several variants of one sentence" in app.warning[0].value
    press(app, "As in the paper")
    assert app.toggle(key="wizard.variants").value
    assert not app.warning
    app.text_input(key="wizard.name").input("As published").run()
    press(app, "Create the study")
    (study,) = monitoring.studies(database)
    assert (study.design.per_item, study.design.raters, study.design.gap) == (3, 3, 10)


def test_a_last_day_ends_at_midnight_utc_and_one_that_is_over_is_refused(
    database: Database,
) -> None:
    today = datetime.now(UTC).date()
    app = entered()
    assert app.date_input(key="wizard.closes").min == today
    drafts.save(database, {"closes": (today - timedelta(days=2)).isoformat()})  # typed days ago
    app.session_state["wizard.items"] = tuple(plan().items)
    app.number_input(key="wizard.raters").set_value(9).run()
    app.text_input(key="wizard.name").input("Late").run()
    press(app, "Create the study")
    assert "last day of the study is over" in app.error[0].value
    app.date_input(key="wizard.closes").set_value(today).run()
    press(app, "Create the study")
    (study,) = monitoring.studies(database)
    assert study.closes_at is not None
    closes = datetime.fromtimestamp(study.closes_at, UTC)
    assert (closes.date(), closes.hour, closes.minute) == (today, 23, 59)


def test_an_unreadable_file_does_not_hide_the_files_after_it(database: Database) -> None:
    app = entered()
    uploader = app.file_uploader(key=f"wizard.files.{organise_wizard.TABLE}")
    files = {
        "latin1.csv": "text,label\ncaf\xe9,positive\n".encode("latin-1"),
        "items.csv": CSV.encode(),
        "empty.csv": b"",
        "more.csv": CSV.replace(" film", " play").encode(),
    }
    chosen = [(name, content, "text/csv") for name, content in files.items()]
    uploader.set_value([*chosen, chosen[1]]).run()  # one of them twice
    assert not app.exception
    assert [error.value.split()[0] for error in app.error] == ["latin1.csv", "empty.csv"]
    assert [label for label in labels(app) if label.startswith("Add")] == 2 * ["Add these 3 items"]


def test_an_unreadable_trace_does_not_hide_the_others(database: Database) -> None:
    app = entered()
    app.radio(key="wizard.kind").set_value(organise_wizard.TRACES).run()
    saved = (recorded.FOLDER / "1.json").read_bytes()
    app.file_uploader(key=f"wizard.files.{organise_wizard.TRACES}").set_value(
        [("bad.json", b"{", "application/json"), ("good.json", saved, "application/json")]
    ).run()
    assert not app.exception
    assert "bad" in app.error[0].value
    assert "Add these 2 items" in labels(app)


def test_a_draft_survives_a_reload_and_is_gone_when_the_study_is_there(database: Database) -> None:
    app = entered()
    assert app.button(key="organise.discard").disabled
    app.text_input(key="wizard.name").input("Not yet").run()
    app.text_input(key="wizard.labels").input("negative, positive, mixed").run()
    upload(app, "items.csv", CSV)
    press(app, "Add these 3 items")
    app.number_input(key="wizard.raters").set_value(6).run()
    app.toggle(key="wizard.variants").set_value(True).run()
    app.number_input(key="wizard.gap").set_value(2).run()
    app.text_area(key="wizard.wording.consent").input("Do you agree?").run()
    app.date_input(key="wizard.closes").set_value(date.today() + timedelta(days=30)).run()
    drafts.save(database, {"check": [{"text": "I hated it.", "label": "negative", "score": 0}]})
    app = entered()  # as after a reload, in another tab, and after a restart
    assert app.text_input(key="wizard.name").value == "Not yet"
    assert "**In the study so far:** 2 ls, 1 pso" in [m.value for m in app.markdown]
    assert app.number_input(key="wizard.gap").value == 2
    assert app.text_area(key="wizard.wording.consent").value == "Do you agree?"
    (typed,) = [each.value for each in app.data_editor if "I hated it." in str(each.value)]
    assert typed.to_dict("records") == [{"text": "I hated it.", "label": "negative", "score": 0}]
    press(app, "Create the study")
    (study,) = monitoring.studies(database)
    assert (study.name, study.labels) == ("Not yet", ("negative", "positive", "mixed"))
    assert (study.design.raters, study.design.gap) == (6, 2)
    assert study.wording.consent == "Do you agree?"
    assert study.closes_at is not None
    token = organising.new_link(database, monitoring.rater_progress(database, study.id)[0].id)
    start(database, token)
    assert drafts.versions(database) == {}
    app.selectbox(key="organise.study").select(organise.NEW).run()
    assert app.text_input(key="wizard.name").value == ""
    assert app.text_input(key="wizard.labels").value == "negative, positive"


def typed_into(app: AppTest, kind: str, added: list[dict[str, Any]]) -> None:
    """Add rows to one of the two small tables, as a browser does."""
    (table,) = [
        each for each in app.data_editor if (each.key or "").startswith(f"wizard.extra.{kind}.")
    ]
    states = app._tree.get_widget_states()
    edits = {"edited_rows": {}, "added_rows": added, "deleted_rows": []}
    states.widgets.add(id=table.proto.id, string_value=json.dumps(edits))
    app._run(states)
    assert not app.exception


def test_what_is_typed_into_the_tables_is_kept(database: Database) -> None:
    app = entered()
    row = {"text": "I loved it.", "label": "positive", "score": 4}
    typed_into(app, "check", [row, {}, {"text": "half"}])
    assert drafts.read(database, ["check"])["check"][1] == [row, {"text": "half"}]
    (shown,) = [
        each for each in app.data_editor if (each.key or "").startswith("wizard.extra.check")
    ]
    again = entered()
    (table,) = [each for each in again.data_editor if "I loved it." in str(each.value)]
    assert len(table.value) == 2
    assert shown.key == table.key  # nothing was drawn anew under the hand that types
    drafts.save(database, {"check": [row]})  # by another tab
    app.run()
    (table,) = [each for each in app.data_editor if "I loved it." in str(each.value)]
    assert len(table.value) == 1


def test_two_tabs_work_on_one_draft(database: Database) -> None:
    one, other = entered(), entered()
    one.text_input(key="wizard.name").input("By the first").run()
    upload(other, "items.csv", CSV)
    press(other, "Add these 3 items")
    assert other.text_input(key="wizard.name").value == "By the first"
    one.number_input(key="wizard.raters").set_value(6).run()
    assert "**In the study so far:** 2 ls, 1 pso" in [m.value for m in one.markdown]
    other.run()
    assert other.number_input(key="wizard.raters").value == 6
    other.text_input(key="wizard.name").input("By the second").run()
    one.text_input(key="wizard.name").input("By the first again").run()
    assert one.text_input(key="wizard.name").value == "By the first again"
    assert drafts.read(database, ["name"])["name"][1] == "By the first again"
    press(other, "Throw this draft away")
    assert drafts.versions(database) == {}
    one.run()
    assert one.text_input(key="wizard.name").value == ""
    assert one.number_input(key="wizard.raters").value == 3
    assert drafts.versions(database) == {}


def test_what_is_damaged_in_a_draft_is_ignored(database: Database) -> None:
    item = asdict(Item("a fine film", "positive", method="ls"))
    wrong = {
        "name": 5,
        "items": [{**item, "label": None}],
        "per_item": 10**9,
        "raters": "6",
        "seed": True,
        "variants": "yes",
        "closes": "0001-01-01",
        "check": [{"text": "x", "score": "four"}],
        "practice": {"text": "x"},
        "wording.scale": ["a"],
        "unknown": 1,
    }
    drafts.save(database, {**wrong, "wording.title": "This stays"})
    app = entered()
    assert app.text_input(key="wizard.name").value == ""
    assert app.number_input(key="wizard.per_item").value == 3
    assert app.text_input(key="wizard.wording.title").value == "This stays"
    assert not app.error


def test_a_draft_that_is_too_large_is_told(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts, "LARGEST", 300)
    app = entered()
    app.text_input(key="wizard.name").input("x" * 400).run()
    assert "Take some items out" in app.warning[-1].value
    assert app.text_input(key="wizard.name").value == "x" * 400


def test_items_from_another_page_join_those_of_the_draft(database: Database) -> None:
    film, play = (Item(f"a fine {what}", "good", method="ls") for what in ("film", "play"))
    app = page()
    asked = RaterQuestion("How is it?", ("good", "bad"))
    app.session_state["wizard.brought"] = Intake((film,), (), asked)
    app.text_input(key="organise.passphrase").input(WORD)
    press(app, "Open")
    assert app.text_input(key="wizard.labels").value == "good, bad"  # it had no items
    assert app.text_input(key="wizard.wording.label_question").value == "How is it?"
    others = RaterQuestion("And this?", ("bad", "mixed"))
    app.session_state["wizard.brought"] = Intake((film, play), (), others)
    app.run()
    assert app.text_input(key="wizard.labels").value == "good, bad, mixed"
    assert app.text_input(key="wizard.wording.label_question").value == "How is it?"
    assert app.session_state["wizard.items"] == (film, play)
    assert len(drafts.read(database, ["items"])["items"][1]) == 2


def test_what_is_typed_last_is_part_of_the_study(database: Database) -> None:
    """A click may come together with the text, before the page has drawn it."""
    app = entered()
    app.text_input(key="wizard.name").input("Early").run()
    app.session_state["wizard.items"] = tuple(plan().items)
    app.number_input(key="wizard.raters").set_value(9).run()
    app.text_input(key="wizard.name").input("Late")
    app.text_input(key="wizard.wording.title").input("A late title")
    press(app, "Create the study")
    (study,) = monitoring.studies(database)
    assert (study.name, study.wording.title) == ("Late", "A late title")
    app.text_input(key="organise.reason").input("late too")
    press(app, "Exclude")
    assert monitoring.rater_progress(database, study.id)[0].excluded == "late too"


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
    first, second = compared(compare(items, "ls", "pso"))
    assert "exact McNemar test" in first
    assert "Cohen's d" in second
    (nothing,) = compared(compare(items, "ls", "none"))
    assert "nothing to pair" in nothing
