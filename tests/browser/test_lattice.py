"""The lattice in a real browser: mouse, keyboard, hover, long texts, phone."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from core.endings import TOO_MANY
from tests.toys import serving
from tests.toys.browser.checks import SCHEMES, Scheme, check_page, go_to, settled

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
    expect(clean.get_by_text(TOO_MANY)).to_be_visible()
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
    expect(clean.locator(".tip")).to_contain_text("positive −0.341")


def test_lock_and_remove_by_click(clean: Page, server: str) -> None:
    clean.goto(f"{server}/{SMALL}")
    clean.get_by_role("button", name="Edit words").click()
    node(clean, "picture").click()
    expect(node(clean, "picture")).to_have_count(0)
    node(clean, "love").click()
    expect(node(clean, "favor")).to_have_count(0)
    expect(node(clean, "love")).to_have_attribute("aria-label", re.compile("locked"))
    expect(clean.get_by_role("button", name="Scan (1 query)")).to_be_visible()
    node(clean, "love").click()  # unlocks
    expect(node(clean, "favor")).to_be_visible()
    clean.get_by_role("button", name="Edit words").click()
    node(clean, "favor").click()
    expect(sentence(clean)).to_have_text("I favor this movie")


def test_lock_and_remove_by_keyboard(clean: Page, server: str) -> None:
    clean.goto(f"{server}/{SMALL}")
    node(clean, "favor").focus()
    clean.keyboard.press("Delete")
    expect(node(clean, "favor")).to_have_count(0)
    node(clean, "film").focus()
    clean.keyboard.press("l")
    expect(node(clean, "film")).to_have_count(0)


def test_a_word_of_ones_own(clean: Page, server: str) -> None:
    clean.goto(f"{server}/{SMALL}")
    clean.get_by_text("Edit the search space").click()
    clean.get_by_role("textbox", name="Substitute of your own").fill("<b>We</b>")
    clean.get_by_role("button", name="Add", exact=True).click()
    node(clean, "<b>We</b>").click()
    expect(sentence(clean)).to_have_text("<b>We</b> love this movie")


def test_beat_the_search(clean: Page, server: str) -> None:
    clean.goto(f"{server}/{SMALL}&limit=100")
    clean.get_by_role("button", name="Beat the search").click()
    expect(clean.get_by_text("which stays hidden")).to_be_visible()
    node(clean, "favor").click()
    expect(sentence(clean)).to_have_text("I favor this movie")
    expect(clean.get_by_text("The sentence that local search found.")).to_be_hidden()
    node(clean, "picture").click()
    expect(clean.get_by_text("Your sentence flips the label.")).to_be_visible()
    expect(
        clean.get_by_text("You win: you need as many words and 4 queries fewer.")
    ).to_be_visible()


def test_enter_attacks_what_was_typed(clean: Page, server: str) -> None:
    clean.goto(f"{server}/{SMALL}&limit=100")
    typed = clean.get_by_role("textbox", name="The sentence to attack")
    typed.fill("I love this film")
    typed.press("Shift+Enter")
    expect(typed).to_have_value("I love this film\n")  # a line of its own, and nothing is sent
    expect(sentence(clean)).to_have_text("I love this movie")
    typed.fill("I love this film")
    typed.press("Enter")
    expect(clean.get_by_text("Local search flips the label")).to_be_visible()
    expect(clean.locator("mark")).to_have_count(2)
    expect(clean.locator("u")).to_have_text(["love", "film"])
    expect(clean).to_have_url(re.compile("text=I\\+love\\+this\\+film"))


def test_the_question_goes_along_to_the_other_pages(clean: Page, server: str) -> None:
    clean.goto(f"{server}/{SMALL}")
    clean.get_by_role("button", name="Watch local search").click()
    expect(clean.get_by_role("textbox", name="The sentence to attack")).to_have_value(
        "I love this movie"
    )
    expect(clean.locator(".stepper")).to_be_visible()
    go_to(clean, "Lattice")
    expect(node(clean, "favor")).to_be_visible()


def test_a_copied_link_restores_the_view(clean: Page, server: str, browser: Browser) -> None:
    clean.goto(f"{server}/{SMALL}&limit=60")
    node(clean, "like").focus()
    clean.keyboard.press("Delete")
    expect(node(clean, "like")).to_have_count(0)
    node(clean, "picture").click()
    expect(sentence(clean)).to_have_text("I love this picture")
    expect(clean).to_have_url(re.compile("s=4.2"))
    other = browser.new_context().new_page()
    other.goto(clean.url)
    expect(sentence(other)).to_have_text("I love this picture")
    expect(node(other, "picture")).to_have_attribute("aria-pressed", "true")
    expect(node(other, "like")).to_have_count(0)
    expect(other.get_by_text("limit 60%")).to_be_visible()
    other.context.close()


def test_pictures_and_texts_to_take_away(clean: Page, server: str) -> None:
    clean.goto(f"{server}/{SMALL}")
    node(clean, "favor").click()
    expect(sentence(clean)).to_have_text("I favor this movie")
    settled(clean)  # a run that goes on replaces the files to take away
    files = {}
    for name in ("SVG", "PNG", "Trace (JSON)", "Sentence (text)"):
        with clean.expect_download() as waiting:
            clean.get_by_role("button", name=name, exact=True).click()
        files[name] = Path(waiting.value.path()).read_bytes()
    assert b">favor</text>" in files["SVG"]
    assert files["PNG"].startswith(b"\x89PNG")
    assert len(files["PNG"]) > 5_000
    assert json.loads(files["Trace (JSON)"])["kinds"] == ["start", "insert", "end"]
    assert files["Sentence (text)"] == b"I favor this movie"


def test_the_first_screen_needs_no_model(page: Page) -> None:
    with serving.process() as (address, number):
        parts = Path(f"/proc/{number}/maps")  # the files that the server has loaded
        if not parts.exists():
            pytest.skip("only Linux tells which libraries a process has loaded")
        page.goto(address)
        expect(node(page, "faultless")).to_be_visible()
        expect(page.locator("mark")).to_have_text("faultless")
        assert "libtorch" not in parts.read_text()
        node(page, "plot").click()  # now the victim is asked
        expect(page.locator("mark")).to_have_text(["faultless", "plot"])
        assert "libtorch" in parts.read_text()


def test_an_attack_is_seen_without_scrolling(clean: Page, server: str) -> None:
    clean.set_viewport_size({"width": 1280, "height": 720})
    clean.goto(server)
    seen = [
        clean.locator("u", has_text="flawless"),
        clean.locator("mark", has_text="faultless"),
        clean.get_by_text("positive 99%"),
        clean.get_by_text("negative 81%"),
        clean.get_by_text(re.compile(r"1 of 16 words changed .*, \d+ questions to the model")),
        node(clean, "faultless"),
    ]
    for one in seen:
        expect(one).to_be_in_viewport(ratio=1)


def test_a_word_is_explained_where_it_stands(clean: Page, server: str) -> None:
    clean.goto(server)
    meaning = clean.get_by_text("a distinct text that the victim was asked about")
    expect(meaning).to_be_hidden()
    clean.locator("dfn", has_text=re.compile("^query")).hover()
    expect(meaning).to_be_visible()
    clean.locator("dfn", has_text=re.compile("^victim")).focus()  # that of query names it too
    expect(clean.get_by_text("the model under attack")).to_be_visible()


def test_markup_stays_text(clean: Page, server: str) -> None:
    clean.goto(f"{server}/?text=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E+great&victim=toy&words=toy")
    expect(sentence(clean)).to_have_text("<img src=x onerror=alert(1)> great")
    assert clean.locator("p[dir=auto] img, svg img").count() == 0


def test_a_long_text_is_windowed(clean: Page, server: str) -> None:
    text = "+".join(["great", "film"] * 100)
    clean.goto(f"{server}/?text={text}&victim=toy&words=toy")
    expect(clean.get_by_role("button", name="181–200")).to_be_visible()
    assert clean.locator("g.node.original").count() == 60
    clean.get_by_role("button", name="181–200").click()
    expect(clean.locator("g.node.original")).to_have_count(20)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_cut_off_or_hard_to_reach(
    clean: Page, server: str, width: int, scheme: Scheme
) -> None:
    clean.set_viewport_size({"width": width, "height": 844})
    clean.emulate_media(color_scheme=scheme)
    clean.goto(server)
    expect(clean.get_by_text("questions to the model")).to_be_visible()
    expect(clean.locator("g.node").first).to_be_visible()
    check_page(clean, width)


def test_a_long_text_leaves_room_for_its_tools_and_its_lattice(clean: Page, server: str) -> None:
    clean.set_viewport_size({"width": 1280, "height": 720})
    text = "+".join(["A+warm+film+with+a+smart+script+and+an+honest+ending."] * 30)
    clean.goto(f"{server}/?victim=toy&words=toy&text={text}")
    for seen in (clean.get_by_role("button", name="Scan"), clean.locator("g.node").first):
        expect(seen).to_be_visible()
        box = seen.bounding_box()
        assert box
        assert box["y"] + box["height"] <= 720
    assert sentence(clean).evaluate("node => node.scrollHeight > node.clientHeight")
