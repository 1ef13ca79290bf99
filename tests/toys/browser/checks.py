"""What must hold on every page."""

from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

PATIENCE = 60_000  # a busy machine is slow, not wrong
SERIOUS = ("serious", "critical")
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


# Streamlit tells the page around it when it would show its dialog for developers, which it does
# after the sixth vain try to reconnect; without a page around it tells its own.
MARK_DIALOG = """addEventListener("message", event => {
    if (event.data?.type === "CLIENT_ERROR_DIALOG") document.documentElement.dataset.dialog = "due";
})"""
DIALOG_DUE = "html[data-dialog=due]"
FORGET_DIALOG = "() => delete document.documentElement.dataset.dialog"
LOOK = """() => [document.querySelector('[data-testid=stMain]').scrollHeight,
    document.documentElement.scrollWidth,
    ...[...document.querySelectorAll('p, button, .main-svg')].map(
        e => getComputedStyle(e).color + e.getBoundingClientRect().width)].join()"""


def settled(page: Page) -> None:
    """The last click is done; one that falls into a run of the page would be lost in it."""
    expect(page.locator(".stApp")).to_have_attribute("data-test-script-state", "notRunning")


def still(page: Page) -> None:
    """Nothing has moved and no colour has changed for a moment."""
    before = ""
    for _ in range(40):
        now = page.evaluate(LOOK)
        if now == before:
            return
        before = now
        page.wait_for_timeout(250)


def check_page(page: Page, width: int) -> None:
    """Nothing sticks out to the side, and axe finds nothing serious."""
    still(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page).response["violations"]
    bad = [(v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in SERIOUS]
    assert bad == []


def go_to(page: Page, name: str) -> None:
    """Open another page through the menu on top."""
    settled(page)
    page.get_by_role("link", name=name).click()
