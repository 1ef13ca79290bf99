"""What must hold on every page."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SERIOUS = ("serious", "critical")


def check_page(page: Page, width: int) -> None:
    """Nothing sticks out to the side, and axe finds nothing serious."""
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page).response["violations"]
    bad = [(v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in SERIOUS]
    assert bad == []


def go_to(page: Page, name: str) -> None:
    """Open another page through the menu on top."""
    page.get_by_role("link", name=name).click()
