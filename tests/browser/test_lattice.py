"""The lattice in a real browser: mouse, keyboard, hover, long texts, phone."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.checks import check_page

SMALL = "?text=I+love+this+movie&victim=toy&words=toy"


def node(page: Page, word: str) -> Locator:
    return page.locator(f'g.node[aria-label^="{word}."]')


def sentence(page: Page) -> Locator:
    return page.locator("p[dir=auto]")


def test_the_lattice_is_drawn_with_reasons(clean: Page, server: str) -> None:
    clean.goto(f"{server}/{SMALL}")
    expect(node(clean, "picture")).to_be_visible()
    node(clean, "picture").hover()
    expect(clean.locator(".tip")).to_contain_text("listed in the toy table")
    node(clean, "I").hover()
    expect(clean.locator(".tip")).to_contain_text("no substitutes: not in the toy table")


def test_swap_by_click_and_undo(clean: Page, server: str) -> None:
    clean.goto(f"{server}/{SMALL}")
    node(clean, "favor").click()
    expect(sentence(clean)).to_have_text("I favor this movie")
    node(clean, "picture").click()
    expect(sentence(clean)).to_have_text("I favor this picture")
    expect(clean.get_by_text("more words than the limit allows")).to_be_visible()
    expect(node(clean, "picture")).to_have_attribute("aria-pressed", "true")
    clean.get_by_role("button", name="Undo").click()
    expect(sentence(clean)).to_have_text("I favor this movie")
    expect(node(clean, "picture")).to_have_attribute("aria-pressed", "false")
    clean.get_by_role("button", name="Redo").click()
    expect(sentence(clean)).to_have_text("I favor this picture")
    clean.get_by_role("button", name="Reset").click()
    expect(sentence(clean)).to_have_text("I love this movie")


def test_quick_clicks_are_all_taken(clean: Page, server: str) -> None:
    clean.goto(f"{server}/{SMALL}")
    for word in ("like", "film", "favor", "picture", "like", "film"):
        node(clean, word).click()
    expect(sentence(clean)).to_have_text("I like this film")
    expect(node(clean, "film")).to_have_attribute("aria-pressed", "true")


def test_swap_by_keyboard(clean: Page, server: str) -> None:
    clean.goto(f"{server}/{SMALL}")
    node(clean, "love").focus()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        clean.keyboard.press(key)
    expect(sentence(clean)).to_have_text("I favor this movie")
    for key in ("ArrowRight", "ArrowDown", "Space"):
        clean.keyboard.press(key)
    expect(sentence(clean)).to_have_text("I favor this film")
    clean.keyboard.press("Backspace")
    expect(sentence(clean)).to_have_text("I favor this movie")


def test_a_scan_colours_the_substitutes(clean: Page, server: str) -> None:
    clean.goto(f"{server}/{SMALL}")
    clean.get_by_role("button", name="Scan").click()
    expect(node(clean, "favor").locator("rect")).to_have_attribute("style", re.compile("color-mix"))
    node(clean, "favor").hover()
    expect(clean.locator(".tip")).to_contain_text("alone it changes the score by +0.341")
    expect(clean.locator(".tip")).to_contain_text("P(positive) −0.341")


def test_the_sentence_goes_along_to_another_page_and_back(clean: Page, server: str) -> None:
    clean.goto(f"{server}/{SMALL}")
    expect(node(clean, "favor")).to_be_visible()
    clean.get_by_role("link", name="Attack").click()
    expect(clean.locator("mark")).to_have_text(["favor", "picture"])
    clean.get_by_role("link", name="Lattice").click()
    expect(node(clean, "favor")).to_be_visible()


def test_markup_stays_text(clean: Page, server: str) -> None:
    clean.goto(f"{server}/?text=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E+great&victim=toy&words=toy")
    expect(sentence(clean)).to_have_text("<img src=x onerror=alert(1)> great")
    assert clean.locator("p[dir=auto] img, svg img").count() == 0


def test_a_long_text_is_windowed(clean: Page, server: str) -> None:
    text = "+".join(["great", "film"] * 100)
    clean.goto(f"{server}/?text={text}&victim=toy&words=toy")
    expect(clean.get_by_role("button", name="121–200")).to_be_visible()
    assert clean.locator("g.node.original").count() == 120
    clean.get_by_role("button", name="121–200").click()
    expect(clean.locator("g.node.original")).to_have_count(80)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_cut_off_or_hard_to_reach(
    clean: Page, server: str, width: int, scheme: str
) -> None:
    clean.set_viewport_size({"width": width, "height": 844})
    clean.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    clean.goto(server)
    expect(clean.get_by_text("a partition matroid")).to_be_visible()
    expect(clean.locator("g.node").first).to_be_visible()
    check_page(clean, width)
