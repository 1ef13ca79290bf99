"""What a rater does in a browser."""

from playwright.sync_api import Locator, Page, expect


def option(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def chosen(page: Page) -> Locator:
    return page.locator(".choices button[aria-pressed=true] span")


def choose(page: Page, label: str, point: str) -> None:
    for name in (label, point):
        option(page, name).click()
    expect(chosen(page)).to_have_text([label, point])


def send(page: Page) -> None:
    option(page, "Send").click()
