"""How a visitor fills in the organiser's pages."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.toys.browser.checks import settled

WORD = "correct horse"


def press(page: Page, name: str) -> None:
    settled(page)
    page.get_by_role("button", name=name, exact=True).click()


def write(page: Page, label: str, text: str) -> None:
    settled(page)
    box = page.get_by_label(label, exact=True)
    box.fill(text)
    box.press("Tab")


def select(page: Page, label: str, option: str) -> None:
    settled(page)
    box = page.get_by_role("combobox", name=label, exact=True)
    box.focus()  # scrolls there; a list that is open when the page scrolls closes
    box.press("ArrowDown")
    page.get_by_role("option", name=option, exact=True).click()


def upload(page: Page, name: str, content: bytes) -> None:
    settled(page)
    chooser = page.get_by_test_id("stFileUploader").filter(visible=True).locator("input")
    expect(chooser).to_have_attribute("accept", re.compile(rf"\{Path(name).suffix}(,|$)"))
    chooser.set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})


def entered(page: Page, server: str, study: str = "") -> None:
    page.goto(f"{server}/organise")
    write(page, "Passphrase", WORD)
    settled(page)
    page.get_by_role("button", name=re.compile("^(Open|Set the passphrase)$")).click()
    expect(page.get_by_role("combobox", name="Study")).to_be_visible()
    if study:
        select(page, "Study", study)


def table(page: Page, column: str) -> Locator:
    """The table with this column."""
    return page.get_by_test_id("stDataFrame").filter(has_text=column)
