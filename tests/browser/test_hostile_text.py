"""Script, SQL, HTML and Markdown in every text field: shown as typed, and nothing else happens."""

import ast
import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect
from sqlalchemy import text

from core.study import exports, monitoring, organising
from core.study.creating import StudyPlan, create
from core.study.database import Database
from core.study.design import Design
from core.study.items import Item
from core.study.judgements import judged_items
from core.study.tables import TABLES
from core.study.wording import Wording
from tests.toys import serving
from tests.toys.browser import forms
from tests.toys.browser.checks import settled, still
from tests.toys.browser.forms import press, select, table
from tests.toys.browser.markup import HOSTILE, MARKUP
from tests.toys.places import ROOT
from tests.toys.study import rate_all, tokens

FILE = re.sub(' "|/', "", HOSTILE)  # which no file name has


def literal(content: str) -> re.Pattern[str]:
    """The text itself, wherever a character that nobody sees keeps its signs apart."""
    return re.compile("\u2060?".join(map(re.escape, content)))


SHOWN = literal(HOSTILE)
SOURCES = [
    *sorted(ROOT.glob("app/organise/*.py")),
    *(ROOT / "app" / name for name in ("shared/door.py", "main.py", "rate/rating.py")),
    *(ROOT / "pages" / name for name in ("organise.py", "rate.py")),
]
TAKES_TEXT = {"chat_input", "data_editor", "file_uploader", "text_area", "text_input"}
TAKES_TEXT |= {"query_params", "accept_new_options"}
WORDING = {
    field.name: field.name.replace("_", " ").capitalize()
    + (", five lines from 0 to 4" if field.name == "scale" else "")
    for field in fields(Wording)
}
# Where the source takes text: how often, and what a visitor can fill in there.
FIELDS: dict[str, tuple[int, tuple[str, ...]]] = {
    "door._ask": (2, ("Passphrase",)),  # the other one, on an open server only: see test_door
    "running._steer": (1, ("Type the study's name to delete it for good",)),
    "running._change_raters": (2, ("Reason", "New name of the rater, which no rater sees")),
    "running.import_study": (2, ("A study exported as JSON", "Name (empty: as it was)")),
    "wizard.show": (2, ("Name of the study", "Labels, separated by commas")),
    "wizard._add": (1, ("Files",)),
    "wizard._table": (
        2,
        ("Method, where no column names it", "Victim, where no column names it"),
    ),
    "wizard._extra": (1, ("check", "practice", "feedback")),
    "wizard._wording": (3, tuple(WORDING.values())),
    "main": (1, ("address",)),
    "rate": (1, ("token",)),
    "rating._welcome": (1, ()),  # writes the address, which a visitor cannot change there
}

filled: set[str] = set()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(f"sqlite:///{tmp_path / 'studies.sqlite'}")
    yield database
    database.close()


@pytest.fixture
def server(database: Database, tmp_path: Path) -> Iterator[str]:
    url = f"sqlite:///{tmp_path / 'studies.sqlite'}"
    with serving.app(SWAPSCOPE_DATABASE=url) as address:
        yield address


def drawn() -> Counter[str]:
    """How often each function of the organiser's and the rater's pages takes text."""
    found = Counter[str]()
    for path in SOURCES:
        for part in ast.parse(path.read_text(encoding="utf-8")).body:
            inside = f".{part.name}" if isinstance(part, ast.FunctionDef) else ""
            for node in ast.walk(part):
                name = getattr(node, "attr", None) or getattr(node, "arg", None)
                if isinstance(node, ast.Attribute | ast.keyword) and name in TAKES_TEXT:
                    found[path.stem + inside] += 1
    return found


def test_no_text_field_is_forgotten() -> None:
    """A new field fails here until it is in the list, and there until it is filled in."""
    assert drawn() == {place: count for place, (count, _) in FIELDS.items()}


def write(page: Page, label: str, content: str = HOSTILE) -> None:
    forms.write(page, label, content)
    filled.add(label)


def upload(page: Page, label: str, name: str, content: str) -> None:
    settled(page)
    box = page.get_by_test_id("stFileUploader").filter(has_text=label).locator("input")
    box.set_input_files({"name": name, "mimeType": "text/plain", "buffer": content.encode()})
    filled.add(label)


def harmless(page: Page) -> None:
    """Nothing ran, and nothing became a picture, a formula or a link."""
    settled(page)
    assert page.evaluate("window.pwned === undefined")
    assert page.get_by_test_id("stMain").locator(MARKUP).all_inner_texts() == []


def shown(page: Page, place: Locator, content: str = HOSTILE) -> None:
    """The text is there, letter by letter."""
    expect(place.first).to_contain_text(literal(content))
    harmless(page)


def open_cell(page: Page, number: int, share: float, editor: Locator) -> None:
    """Open a cell in the first row of a table: its number, and how far to the right the cell is."""
    settled(page)
    grid = page.get_by_test_id("stDataFrame").filter(visible=True).nth(number)
    grid.scroll_into_view_if_needed()
    still(page)
    box = grid.get_by_test_id("data-grid-canvas").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + share * box["width"], box["y"] + 52)
    try:  # an empty row opens by itself, a cell by key
        editor.wait_for(timeout=500)
    except TimeoutError:
        page.keyboard.press("Enter")
    expect(editor).to_be_visible()


def extra(page: Page, number: int, kind: str) -> None:
    """Type an attention check or a practice item."""
    cell, right_label = page.locator("#portal textarea"), page.get_by_role("option", name=HOSTILE)
    for share in (0.1, *([0.9] if kind == "practice" else [])):  # the text, the feedback
        open_cell(page, number, share, cell)
        cell.fill(HOSTILE)
        page.keyboard.press("Tab")
        expect(page.get_by_text("The label is missing.")).to_be_visible()
    open_cell(page, number, 0.5, right_label)
    right_label.click()
    expect(page.get_by_text("The label is missing.")).to_have_count(0)
    filled.update({kind, "feedback"} if kind == "practice" else {kind})


def hostile_wording() -> Wording:
    scale = tuple(f"{n} {HOSTILE}" for n in range(5))
    return Wording(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, scale)


def exported(database: Database) -> str:
    """A study whose every text is hostile, those too that no field of the app takes."""
    wording = hostile_wording()
    labels = (HOSTILE, "positive")
    made = [
        Item(f"{n} {m} {HOSTILE}", labels[n], f"{n}", f"{m} {HOSTILE}", context=HOSTILE)
        for n in range(2)
        for m in ("a", "b")
    ]
    of = create(database, StudyPlan("Imported", labels, tuple(made), wording, Design(2, 2, gap=1)))
    for token, label in zip(tokens(database, of), labels, strict=True):
        rate_all(database, token, label)
    study = json.loads(exports.study_json(database, of))
    organising.remove(database, of)
    study["study"]["name"] = HOSTILE
    for part, column in (("raters", "name"), ("items", "trace"), ("events", "detail")):
        for number, row in enumerate(study[part]):
            row[column] = f"text=x&label={number}) {HOSTILE}"
    return json.dumps(study)


def items_file() -> str:
    """A table whose column names, cells and faults are hostile."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([f"{name} {HOSTILE}" for name in ("text", "label", "source", "context")])
    for number in range(2):
        writer.writerow([f"{number} {HOSTILE}", HOSTILE, f"{number} {HOSTILE}", HOSTILE])
    writer.writerow(["A label that is not there.", f"no {HOSTILE}", "3", ""])
    return out.getvalue()


def test_every_text_field_shows_what_is_typed(clean: Page, server: str, database: Database) -> None:
    filled.clear()
    content = exported(database)
    clean.on("dialog", lambda dialog: pytest.fail(f"A script ran: {dialog.message}"))
    clean.goto(f"{server}/organise?{urlencode({'study': HOSTILE, HOSTILE: HOSTILE})}")
    write(clean, "Passphrase")
    press(clean, "Set the passphrase")
    expect(clean.get_by_text("1. Name and labels")).to_be_visible()

    import_and_delete(clean, content, database)
    make(clean, database)
    (study,) = monitoring.studies(database)
    link = organising.new_link(database, monitoring.rater_progress(database, study.id)[0].id)
    rate(clean, server, link)

    assert filled == {label for _, labels in FIELDS.values() for label in labels}
    with database.reading() as session:
        assert session.execute(text("PRAGMA integrity_check")).scalar() == "ok"
        for known in TABLES:
            session.execute(text(f"SELECT COUNT(*) FROM {known.__tablename__}"))
    assert study.name == HOSTILE
    assert study.labels == (HOSTILE, "positive")
    assert study.wording == hostile_wording()
    assert [one.item for one in judged_items(database, study.id)] == [
        Item(f"{n} {HOSTILE}", HOSTILE, f"{n} {HOSTILE}", HOSTILE, context=HOSTILE, victim=HOSTILE)
        for n in range(2)
    ]


def no_raw_file(of: Locator) -> None:
    """Streamlit's own CSV of a table, in which a cell may be a formula, is not offered."""
    of.hover()
    tools = of.get_by_test_id("stElementToolbar")
    expect(tools.get_by_label("Search")).to_be_visible()
    expect(tools.get_by_label("Download as CSV")).to_have_count(1)
    expect(tools.get_by_label("Download as CSV")).to_be_hidden()


def import_and_delete(page: Page, content: str, database: Database) -> None:
    """Every view of a study that has all its texts from a file."""
    page.get_by_text("Import a study instead").click()
    upload(page, "A study exported as JSON", f"{FILE}.json", content)
    write(page, "Name (empty: as it was)", f"2 {HOSTILE}")
    press(page, "Import the study")
    expect(page.get_by_text("The study is imported.")).to_be_visible()
    expect(page.get_by_role("combobox", name="Study")).to_have_value(f"2 {HOSTILE}")
    raters = table(page, "excluded because")
    shown(page, raters)
    no_raw_file(raters)
    page.get_by_role("tab", name="Results").click()
    shown(page, page.get_by_test_id("stMarkdownContainer").filter(has_text="with both"))
    shown(page, page.locator(".legendtext").last)
    shown(page, page.locator(".ytick").last)
    for link in page.get_by_role("link", name=re.compile("^item ")).all():
        address = link.get_attribute("href") or ""
        assert re.fullmatch(r"http://localhost:\d+/step\?[\w%&=.+~-]+", address)
    page.get_by_role("tab", name="Export").click()
    shown(page, page.get_by_test_id("stCode").filter(has_text="For each text they chose"))
    page.get_by_role("tab", name="Raters and links").click()
    page.get_by_text("Pause, rename, exclude, replace, extend").click()
    write(page, "Reason")
    press(page, "Exclude")
    expect(page.get_by_text("Excluded.")).to_be_visible()
    assert HOSTILE in [
        rater.excluded
        for study in monitoring.studies(database)
        for rater in monitoring.rater_progress(database, study.id)
    ]
    write(page, "New name of the rater, which no rater sees")
    press(page, "Rename")
    expect(page.get_by_text("Renamed.")).to_be_visible()
    shown(page, raters)
    write(page, "Type the study's name to delete it for good")
    remove = page.get_by_role("button", name="Delete the study and all its ratings")
    expect(remove).to_be_disabled()
    write(page, "Type the study's name to delete it for good", f"2 {HOSTILE}")
    expect(remove).to_be_enabled()
    remove.click()
    expect(page.get_by_text("The study is deleted.")).to_be_visible()
    assert monitoring.studies(database) == []
    harmless(page)


def make(page: Page, database: Database) -> None:
    """A new study, every field of the wizard filled in."""
    write(page, "Name of the study")
    write(page, "Labels, separated by commas", f"{HOSTILE}, positive")
    upload(page, "Files", f"{FILE}.csv", items_file())
    expect(page.get_by_text("Say which column holds the text.")).to_be_visible()
    shown(page, page.locator("strong"), f"{FILE}.csv")
    write(page, "Method, where no column names it")
    write(page, "Victim, where no column names it")
    for name in ("text", "label", "source", "context"):
        select(page, f"Column of {name}", f"{name} {HOSTILE}")
    expect(page.get_by_text("Usable items: 2. Rows left out: 1.")).to_be_visible()
    shown(page, table(page, "why"))
    press(page, "Add these 2 items")
    shown(page, page.get_by_test_id("stMarkdownContainer").filter(has_text="In the study so far"))
    for number, kind in ((2, "check"), (3, "practice")):
        extra(page, number, kind)
    page.get_by_text("Consent, instructions, questions, scale").click()
    for name, label in WORDING.items():
        lines = "\n".join(f"{n} {HOSTILE}" for n in range(5))
        write(page, label, lines if name == "scale" else HOSTILE)
    shown(page, page.locator("li").filter(has_text="each judged by"))
    press(page, "Create the study")
    expect(page.get_by_text("The study is there")).to_be_visible()
    harmless(page)


def rate(page: Page, server: str, token: str) -> None:
    """What a rater sees of it, and what a rater can write: an address."""
    page.goto(f"{server}/rate?{urlencode({'a': HOSTILE})}")
    expect(page.get_by_text("does not open a study")).to_be_visible()
    harmless(page)
    filled.add("token")
    page.goto(f"{server}/{quote(FILE, safe='')}?a={token}")
    filled.add("address")
    for name in ("I agree", "I have read"):
        expect(page.get_by_role("button", name=name)).to_be_visible()
        expect(page.get_by_text(SHOWN)).to_have_count(2)  # the title, and what is to be read
        harmless(page)
        page.get_by_role("button", name=name).click()
    expect(page.get_by_text("Practice 1")).to_be_visible()
    expect(page.get_by_text(SHOWN)).to_have_count(10)  # title, text, two questions, label, scale
    harmless(page)
    for option in (0, 1):
        settled(page)
        page.get_by_role("button").filter(has_text=SHOWN).nth(option).click()
    settled(page)
    page.get_by_role("button", name=re.compile("^Send")).click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    expect(page.get_by_text(SHOWN)).to_have_count(4)  # title, text, answer, feedback
    harmless(page)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text("1 of 3")).to_be_visible()
    harmless(page)
    assert page.title() == "Rating"
