"""Making a study, step by step."""

from datetime import UTC, datetime, timedelta

from app.organise import wizard as organise_wizard
from app.shared import recorded
from core.study import drafts, monitoring
from core.study.database import Database
from core.study.items import Item
from tests.toys.organising import CSV, upload
from tests.toys.pages import labels, press
from tests.toys.study import plan
from tests.toys.study_pages import entered


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
