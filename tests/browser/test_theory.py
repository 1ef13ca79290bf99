"""The Theory page: each part once, one stopped, one refused, one linked."""

import re
from itertools import product
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, expect

from tests.toys.browser.checks import SCHEMES, check_page, go_to, still

TOY = {"victim": "toy", "words": "toy"}
LONG = {"victim": "bilstm-sst2", "words": "sememe", "most": "3", "first": "8"}
EXPLAINED = {
    r"\lambda_f(V,2)": "The submodularity index of pairs",
    r"\lambda_f(S,\vert C\setminus S\vert)": "sets A inside S",
    r"\xi": "How often",
    r"\delta": "second half of the theorem",
}


def visit(page: Page, server: str, part: str, **address: str) -> None:
    page.goto(f"{server}/theory?{urlencode({'part': part, **address})}")
    expect(page.get_by_role("radio", name=part)).to_be_checked()


def start(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def plot(page: Page) -> None:
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()


def check_everywhere(page: Page) -> None:
    """Nothing is cut off or hard to reach, in both widths and colour schemes."""
    for width, scheme in product((1280, 390), SCHEMES):
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=scheme)
        check_page(page, width)


def test_is_f_submodular(clean: Page, server: str) -> None:
    visit(clean, server, "Is f submodular?", text="I love this movie", **TOY)
    start(clean, "Check with 9 queries")
    expect(clean.get_by_text("f is not submodular")).to_be_visible()
    expect(clean.locator("mark")).to_have_count(4)  # none in X, one in Y and X+e, two in Y+e
    plot(clean)
    check_everywhere(clean)
    clean.get_by_text("Show the paper's own example instead").click()
    expect(clean.get_by_text("The paper's own numbers")).to_be_visible()
    expect(clean.get_by_text("f = 2.724e-05")).to_be_visible()


def test_optimum_bound_and_searches(clean: Page, server: str) -> None:
    visit(clean, server, "Optimum, bound, searches", **TOY)
    clean.get_by_role("button", name="Use the sentence of the paper").click()
    expect(clean.get_by_label("The sentence to attack")).to_contain_text("Well written")
    visit(clean, server, "Optimum, bound, searches", text="I love this movie", **TOY)
    start(clean, "Enumerate 9 sentences")
    expect(clean.get_by_text("The bound tells nothing")).to_be_visible()
    plot(clean)
    clean.get_by_text("Everything as a table").click()
    file = clean.get_by_role("button", name="Table (CSV)")
    expect(file).to_be_visible()
    with clean.expect_download() as taken:
        file.click()
    assert "Theorem 1, raw" in taken.value.path().read_text(encoding="utf-8")
    for symbol, meaning in EXPLAINED.items():
        clean.get_by_role("button", name=f"Help for ${symbol}$").hover()
        expect(clean.get_by_role("tooltip")).to_contain_text(meaning)
    check_everywhere(clean)


def test_the_certificate_of_a_local_optimum(clean: Page, server: str) -> None:
    visit(clean, server, "Local optimum", text="I love this movie", **TOY)
    start(clean, "Search and certify")
    expect(clean.get_by_text("All 4 neighbours were tried; none is better")).to_be_visible()
    expect(clean.locator("mark")).to_have_text(["favor", "picture"])
    plot(clean)
    check_everywhere(clean)


def test_the_landscape(clean: Page, server: str) -> None:
    visit(clean, server, "Landscape", text="I love this movie", swarm="true", **TOY)
    start(clean, "Enumerate 9 sentences")
    expect(clean.get_by_text("1 local optimum among 9 sentences")).to_be_visible()
    expect(clean.get_by_text("PSO asks for")).to_be_visible()
    plot(clean)
    with clean.expect_download() as taken:
        clean.get_by_role("button", name="All sentences (CSV)").click()
    assert len(taken.value.path().read_text(encoding="utf-8").splitlines()) == 1 + 9
    check_everywhere(clean)


def test_bounds_compared(clean: Page, server: str) -> None:
    visit(clean, server, "Bounds compared")
    expect(clean.locator(".js-plotly-plot")).to_have_count(2)
    expect(clean.get_by_text("holds on")).to_have_count(2)
    check_everywhere(clean)


def test_a_set_function_by_hand_takes_the_place_of_a_sentence(
    clean: Page, server: str, browser: Browser
) -> None:
    visit(clean, server, "Set functions by hand")
    clean.get_by_role("combobox", name="Instance").click()
    clean.get_by_role("option", name="E7: stuck at 35 of 100").click()
    expect(clean.get_by_text("Local search stops at 35 of 100")).to_be_visible()
    check_everywhere(clean)
    clean.get_by_role("button", name="Use in place of a sentence").click()
    expect(clean.get_by_text("A set function by hand: E7")).to_be_visible()
    expect(clean).to_have_url(re.compile("made="))
    other = browser.new_context().new_page()
    other.goto(clean.url)
    expect(other.get_by_text("A set function by hand: E7")).to_be_visible()
    other.context.close()
    clean.get_by_role("radio", name="Landscape").click()
    start(clean, "Enumerate 27 sentences")
    expect(clean.get_by_text("not the optimum")).to_be_visible()
    clean.get_by_role("button", name="Back to sentences").click()
    expect(clean.get_by_label("The sentence to attack")).to_be_visible()
    expect(clean).not_to_have_url(re.compile("made="))


def test_values_by_hand_stay_while_another_part_is_shown(clean: Page, server: str) -> None:
    visit(clean, server, "Set functions by hand")
    plot(clean)
    values = clean.get_by_test_id("stDataFrame").first
    expect(values.locator("canvas").first).to_be_visible()
    still(clean)
    wide = values.bounding_box()
    assert wide is not None
    values.dblclick(position={"x": 0.8 * wide["width"], "y": 53})  # f of the empty set
    cell = clean.locator("#portal input")
    expect(cell).to_have_value("10")
    cell.fill("77")
    expect(cell).to_have_value("77")
    cell.press("Enter")
    expect(clean.get_by_text("Local search stops at 77 of 77")).to_be_visible()
    clean.get_by_role("radio", name="Bounds compared").click()
    expect(clean.get_by_text("The statements, checked")).to_be_visible()
    clean.get_by_role("radio", name="Set functions by hand").click()
    expect(clean.get_by_text("Local search stops at 77 of 77")).to_be_visible()
    clean.get_by_role("button", name="As it was").click()
    expect(clean.get_by_text("Local search stops at 49 of 49")).to_be_visible()


def test_a_long_enumeration_leaves_the_page_usable_and_can_be_stopped(
    clean: Page, server: str
) -> None:
    visit(clean, server, "Landscape", **LONG)
    start(clean, "Enumerate 65,536 sentences")
    expect(clean.get_by_text("of 65,536 queries")).to_be_visible()
    clean.get_by_text("Show the sentences that PSO visits").click()
    expect(clean).to_have_url(re.compile("swarm=true"))
    expect(clean.get_by_text("of 65,536 queries")).to_be_visible()
    clean.locator(".stButton").get_by_role("button", name="Stop").click()
    expect(clean.get_by_text("Stopped; nothing was kept.")).to_be_visible()
    expect(clean.get_by_role("button", name="Enumerate 65,536 sentences")).to_be_visible()


def test_a_copied_link_and_a_way_back_restore_the_part(
    clean: Page, server: str, browser: Browser
) -> None:
    visit(clean, server, "Is f submodular?", text="I love this movie", **TOY)
    clean.get_by_role("radio", name="Landscape").click()
    clean.get_by_role("slider", name="Substitutes for each word").press("ArrowLeft")
    expect(clean.get_by_role("button", name="Enumerate 4 sentences")).to_be_visible()
    expect(clean).to_have_url(re.compile("most=1"))
    go_to(clean, "Race")
    expect(clean.get_by_text("Which search needs the fewest questions?")).to_be_visible()
    expect(clean.get_by_role("button", name="Cancel")).to_have_count(0)  # the race is over
    go_to(clean, "Theory")
    expect(clean.get_by_role("button", name="Enumerate 4 sentences")).to_be_visible()
    expect(clean).to_have_url(re.compile("part=Landscape.*most=1|most=1.*part=Landscape"))
    other = browser.new_context().new_page()
    other.goto(clean.url)
    expect(other.get_by_role("radio", name="Landscape")).to_be_checked()
    expect(other.get_by_role("button", name="Enumerate 4 sentences")).to_be_visible()
    expect(other.get_by_label("The sentence to attack")).to_have_value("I love this movie")
    other.context.close()


def test_too_large_a_space_is_refused(clean: Page, server: str) -> None:
    visit(clean, server, "Landscape", **{**LONG, "most": "9"})
    expect(clean.get_by_text("the limit is 200,000. Take fewer")).to_be_visible()
    expect(clean.get_by_role("button", name="Enumerate")).to_have_count(0)
