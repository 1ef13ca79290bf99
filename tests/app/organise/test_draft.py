"""The draft of a study: kept, shared by tabs, and never too large."""

import json
from dataclasses import asdict
from datetime import date, timedelta
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app.organise import running as organise
from core.study import drafts, monitoring, organising
from core.study.database import Database
from core.study.intake import Intake
from core.study.items import Item
from core.tasks.protocol import RaterQuestion
from tests.toys.organising import CSV, page, upload
from tests.toys.pages import press
from tests.toys.study import start
from tests.toys.study_pages import WORD, entered


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


@pytest.mark.parametrize("row", [{"nowhere": "x"}, {"nowhere": None}])
def test_rows_that_no_browser_sends_end_with_a_sentence(
    database: Database, row: dict[str, Any]
) -> None:
    app = entered()
    typed_into(app, "check", [row])
    assert "does not fit this table" in app.error[0].value


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
