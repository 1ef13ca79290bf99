"""The tour of a first visit."""

from playwright.sync_api import Page, expect


def test_the_tour_is_walked_and_stays_away(clean: Page, server: str) -> None:
    clean.goto(server)
    tour = clean.get_by_role("region", name="A short tour")
    expect(tour).to_contain_text("The whole search space")
    tour.get_by_role("button", name="Next").click()
    expect(tour).to_contain_text("2 of 4")
    tour.get_by_role("button", name="Back").click()
    expect(tour).to_contain_text("1 of 4")
    for _ in range(3):
        tour.get_by_role("button", name="Next").click()
    tour.get_by_role("button", name="Done").click()
    expect(tour).to_be_hidden()
    clean.reload()
    expect(clean.locator("g.node").first).to_be_visible()
    expect(tour).to_be_hidden()


def test_the_tour_is_dismissed_by_escape(clean: Page, server: str) -> None:
    clean.goto(server)
    tour = clean.get_by_role("region", name="A short tour")
    tour.get_by_role("button", name="Next").focus()
    clean.keyboard.press("Escape")
    expect(tour).to_be_hidden()
