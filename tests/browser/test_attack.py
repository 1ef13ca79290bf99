"""The page of local search in numbers."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.checks import check_page


def attack(page: Page, text: str) -> None:
    field = page.get_by_role("textbox", name="Sentence")
    field.fill(text)
    field.press("Control+Enter")


def test_an_attack_is_there_at_once(clean: Page, server: str) -> None:
    clean.goto(f"{server}/attack")
    expect(clean.get_by_text("The attack succeeds")).to_be_visible()
    expect(clean.locator("mark").first).to_have_text("quaint")
    expect(clean.locator(".js-plotly-plot").first).to_be_visible()


def test_type_a_sentence_and_attack_it(clean: Page, server: str) -> None:
    clean.goto(f"{server}/attack")
    attack(clean, "I love this movie")
    expect(clean.get_by_text("more changed words than allowed")).to_be_visible()
    expect(clean.locator("mark")).to_have_text(["favor", "picture"])


def test_html_is_shown_as_text(clean: Page, server: str) -> None:
    clean.goto(f"{server}/attack")
    attack(clean, "<img src=x onerror=alert(1)> a great <b>film</b>")
    expect(clean.locator("p[dir=auto]")).to_contain_text("<img src=x onerror=alert(1)>")
    assert clean.locator("p[dir=auto] b, p[dir=auto] img").count() == 0


def test_an_empty_sentence_gets_a_sentence_back(clean: Page, server: str) -> None:
    clean.goto(f"{server}/attack")
    attack(clean, "")
    expect(clean.get_by_text("The text has no words")).to_be_visible()


def test_a_copied_link_restores_the_sentence(clean: Page, server: str) -> None:
    clean.goto(f"{server}/attack?text=I+love+this+movie")
    expect(clean.locator("mark")).to_have_text(["favor", "picture"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_cut_off_or_hard_to_reach(
    clean: Page, server: str, width: int, scheme: str
) -> None:
    clean.set_viewport_size({"width": width, "height": 844})
    clean.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    clean.goto(f"{server}/attack")
    expect(clean.get_by_text("21 substitutes, 46,656 sentences")).to_be_visible()
    check_page(clean, width)
