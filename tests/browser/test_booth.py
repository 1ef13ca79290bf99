"""The booth in a real browser: Enter, before and after, again."""

import pytest
from playwright.sync_api import Page, expect

from tests.toys.browser.checks import SCHEMES, Scheme, check_page

FALLS = "The service was impeccable from the first evening to the last."


def test_enter_attacks_and_again_empties_the_box(clean: Page, server: str) -> None:
    clean.set_viewport_size({"width": 1280, "height": 720})
    clean.goto(f"{server}/booth")
    box = clean.get_by_role("textbox", name="Your sentence")
    box.fill(FALLS)
    box.press("Enter")
    expect(clean.locator("mark", has_text="faultless")).to_be_in_viewport(ratio=1)
    expect(clean.locator("u", has_text="impeccable")).to_be_in_viewport(ratio=1)
    expect(clean.get_by_text("The model falls to harmless words.")).to_be_in_viewport(ratio=1)
    clean.get_by_role("button", name="Again").click()
    expect(box).to_have_value("")
    expect(clean.locator("mark")).to_have_count(0)
    box.fill("We sat there.")
    clean.get_by_role("button", name="Attack", exact=True).click()
    expect(clean.get_by_text("stands up to level")).to_be_visible()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_cut_off_or_hard_to_reach(
    clean: Page, server: str, width: int, scheme: Scheme
) -> None:
    clean.set_viewport_size({"width": width, "height": 844})
    clean.emulate_media(color_scheme=scheme)
    clean.goto(f"{server}/booth")
    box = clean.get_by_role("textbox", name="Your sentence")
    box.fill(FALLS)
    box.press("Enter")
    expect(clean.locator("mark", has_text="faultless")).to_be_visible()
    check_page(clean, width)
