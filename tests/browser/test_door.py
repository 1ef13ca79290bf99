"""Who may do what, in a real browser: an open server, wrong passphrases, a draft that stays."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from app.shared import addresses
from core.study import access, drafts
from core.study.creating import create
from core.study.database import Database
from tests.toys import serving
from tests.toys.browser.checks import check_page, settled
from tests.toys.browser.forms import press, table, write
from tests.toys.browser.markup import HOSTILE, MARKUP
from tests.toys.study import plan

WORD = "correct horse battery"
CODE = re.compile(r"Set-up code for Organise: (\S+)")


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'studies.sqlite'}"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "terminal.txt"


@pytest.fixture
def server(url: str, log: Path, tmp_path: Path) -> Iterator[str]:
    """A server that is open to the network."""
    with serving.app(
        is_open=True, log=log, SWAPSCOPE_DATABASE=url, SWAPSCOPE_EXPERIMENTS=str(tmp_path)
    ) as address:
        yield address


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    database = Database(url)
    yield database
    database.close()


def enter(page: Page, word: str = WORD) -> None:
    write(page, "Passphrase", word)
    settled(page)
    page.get_by_test_id("stFormSubmitButton").get_by_role("button", name="Open").click()


def test_the_terminals_code_lets_the_first_organiser_of_an_open_server_in(
    clean: Page, server: str, log: Path
) -> None:
    clean.goto(f"{server}/organise")
    expect(clean.get_by_text("Nobody has chosen a passphrase yet.")).to_be_visible()
    settled(clean)
    check_page(clean, 1280)
    write(clean, "Passphrase", WORD)
    write(clean, "Set-up code", HOSTILE)
    press(clean, "Set the passphrase")
    expect(clean.get_by_text("This is not the set-up code.")).to_be_visible()
    assert clean.get_by_test_id("stMain").locator(MARKUP).count() == 0
    code = CODE.search(log.read_text())
    assert code is not None
    write(clean, "Passphrase", WORD)
    write(clean, "Set-up code", code[1])
    press(clean, "Set the passphrase")
    expect(clean.get_by_text("is checked in")).to_be_visible()
    expect(clean.get_by_text("1. Name and labels")).to_be_visible()  # by itself
    press(clean, "Sign out")
    enter(clean)
    expect(clean.get_by_text("1. Name and labels")).to_be_visible()


def test_wrong_passphrases_wait_and_the_right_one_gets_in(
    clean: Page, server: str, database: Database
) -> None:
    access.set_passphrase(database, WORD)
    clean.goto(f"{server}/organise")
    expect(clean.get_by_text("Only the organiser opens this")).to_be_visible()
    enter(clean, "wrong one")
    expect(clean.get_by_text("This is not the passphrase.")).to_be_visible()
    enter(clean, "wrong one")
    expect(clean.get_by_text("is checked in")).to_be_visible()
    expect(clean.get_by_text("This is not the passphrase.")).to_be_visible()  # by itself
    enter(clean)
    expect(clean.get_by_text("is checked in")).to_be_visible()
    expect(clean.get_by_label("Passphrase", exact=True)).to_have_count(0)
    check_page(clean, 1280)
    expect(clean.get_by_role("combobox", name="Study")).to_be_visible()


def test_visitors_of_an_open_server_look_at_results_and_the_organiser_starts_them(
    clean: Page, server: str, database: Database
) -> None:
    access.set_passphrase(database, WORD)
    clean.goto(f"{server}/results")
    expect(clean.get_by_role("tab", name="Tables")).to_be_visible()
    for name in ("Start", "Harden it"):
        expect(clean.get_by_role("button", name=name, exact=True)).to_have_count(0)
    clean.get_by_text("New experiment, adversarial training: for the organiser").click()
    expect(clean.get_by_text("On this server only the organiser starts")).to_be_visible()
    settled(clean)
    check_page(clean, 1280)
    enter(clean)
    clean.get_by_text("New experiment", exact=True).click()
    expect(clean.get_by_role("button", name="Start", exact=True)).to_be_visible()


def test_a_link_can_be_opened_by_others_and_scanned(
    page: Page, server: str, database: Database
) -> None:
    access.set_passphrase(database, WORD)
    create(database, plan())
    page.goto(f"{server}/organise")
    enter(page)
    press(page, "New link for this rater")
    picture = page.get_by_role("img", name="The link as a code to scan")
    expect(picture).to_be_visible()
    settled(page)
    check_page(page, 1280)
    code = page.get_by_test_id("stCode").filter(has_text="Rater 1")
    link = re.search(r"http://\S+", code.inner_text())
    assert link is not None
    known = addresses.network_address(urlsplit(server).port)  # none on a machine without a network
    assert link[0].startswith(f"{known or server}/rate?a=")
    page.goto(link[0])
    expect(page.get_by_role("button", name="I agree")).to_be_visible()


def test_a_draft_survives_a_reload(clean: Page, server: str, database: Database) -> None:
    access.set_passphrase(database, WORD)
    clean.goto(f"{server}/organise")
    enter(clean)
    write(clean, "Name of the study", "Not yet")
    write(clean, "Labels, separated by commas", "good, bad")
    clean.get_by_text("Consent, instructions, questions, scale").click()
    write(clean, "Consent", "Do you agree?")
    settled(clean)
    clean.get_by_test_id("stDataFrame").first.scroll_into_view_if_needed()
    canvas = clean.get_by_test_id("stDataFrame").first.get_by_test_id("data-grid-canvas")
    box = canvas.bounding_box()
    assert box is not None
    clean.mouse.click(box["x"] + 60, box["y"] + 52)  # the empty row, which opens by itself
    cell = clean.locator("#portal textarea")
    expect(cell).to_be_visible()
    cell.fill("I hated every minute.")
    clean.keyboard.press("Tab")
    expect(clean.get_by_text("The label is missing.")).to_be_visible()
    settled(clean)
    clean.get_by_role("link", name="Results").click()  # another page, and back
    settled(clean)
    clean.get_by_role("link", name="Organise a study").click()
    expect(clean.get_by_label("Name of the study")).to_have_value("Not yet")
    clean.reload()
    enter(clean)
    expect(clean.get_by_label("Name of the study")).to_have_value("Not yet")
    expect(clean.get_by_label("Labels, separated by commas")).to_have_value("good, bad")
    expect(table(clean, "score").first).to_contain_text("I hated every minute.")
    expect(clean.get_by_text("The label is missing.")).to_be_visible()
    assert drafts.read(database, ["wording.consent"])["wording.consent"][1] == "Do you agree?"
    press(clean, "Throw this draft away")
    expect(clean.get_by_text("The draft is gone.")).to_be_visible()
    expect(clean.get_by_label("Name of the study")).to_have_value("")
    expect(clean.get_by_text("The label is missing.")).to_have_count(0)
    assert drafts.versions(database) == {}
