"""Results in a real browser: a form to a finished experiment, its attacks and files."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import serving
from tests.browser.checks import check_page


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own, whose experiments are nobody else's."""
    folder = tmp_path_factory.mktemp("experiments")
    with serving.app(
        SWAPSCOPE_EXPERIMENTS=str(folder), SWAPSCOPE_DATABASE=f"sqlite:///{folder}/studies.sqlite"
    ) as address:
        yield address


def several(page: Page, label: str, *names: str) -> None:
    """Choose exactly these in a list."""
    field = page.get_by_role("combobox", name=re.compile(label))
    field.click()
    field.press("Control+a")
    for _ in range(6):
        field.press("Backspace")
    for name in names:
        field.fill(name)
        page.get_by_role("option", name=name, exact=True).click()
    field.press("Escape")


def fill(page: Page, name: str, rows: int, runs: int = 1) -> None:
    page.get_by_text("New experiment").click()
    page.get_by_label("Name", exact=True).fill(name)
    several(page, "Victims", "toy")
    several(page, "Substitutes", "toy")
    several(page, "Searches", "Local search", "GA")
    for label, number in {"Sentences, at most": rows, "Runs of a random search": runs}.items():
        page.get_by_label(label).fill(str(number))
        page.get_by_label(label).press("Enter")
    page.get_by_role("button", name="Start").click()


def tab(page: Page, name: str) -> Locator:
    page.get_by_role("tab", name=name).click()
    return page.get_by_role("tabpanel", name=name)


def test_from_a_form_to_a_study(clean: Page, server: str) -> None:
    clean.goto(f"{server}/results")
    fill(clean, "mine", 12)
    expect(clean.get_by_text("attacks done; finished")).to_be_visible()
    expect(clean).to_have_url(re.compile("experiment=mine|/results$"))
    tables = tab(clean, "Tables")
    expect(tables.get_by_text("toy substitution, untargeted")).to_be_visible()
    curves = tab(clean, "Curves")
    expect(curves.locator(".js-plotly-plot")).to_have_count(2)
    attacks = tab(clean, "Attacks")
    attacks.locator(".js-plotly-plot .point").first.click(force=True)
    link = attacks.get_by_role("link", name="Open in Step through")
    expect(link).to_have_attribute("href", re.compile("step.text=.*victim=toy"))
    files = tab(clean, "Files and studies")
    with clean.expect_download() as taken:
        files.get_by_role("button", name="As TextAttack writes it").click()
    assert b"[[" in Path(taken.value.path()).read_bytes()
    files.get_by_role("button", name="Send to a new study").click()
    expect(clean).to_have_url(re.compile("/organise"))
    clean.get_by_label("Passphrase").fill("a long passphrase")
    clean.get_by_role("button", name="Set the passphrase").click()
    expect(clean.get_by_text(re.compile(r"\d+ ls, \d+ original input"))).to_be_visible()


def test_an_experiment_is_cancelled_and_resumed(clean: Page, server: str) -> None:
    clean.goto(f"{server}/results")
    fill(clean, "long", 60, 30)  # some minutes, if nobody stops it
    for _ in range(2):
        expect(clean.get_by_text(re.compile(r"[1-9]\d* of [\d,]+ attacks, "))).to_be_visible()
        clean.get_by_role("button", name="Cancel").click()
        expect(clean.get_by_text("Not finished")).to_be_visible()
        clean.get_by_role("button", name="Resume").click()
    clean.get_by_role("button", name="Cancel").click()


def test_nothing_is_cut_off_or_hard_to_reach(clean: Page, server: str) -> None:
    clean.goto(f"{server}/results?experiment=mine")
    for name in ("Attacks", "Curves", "Tables"):
        tab(clean, name)
        for width in (390, 1280):
            clean.set_viewport_size({"width": width, "height": 844})
            check_page(clean, width)
    clean.emulate_media(color_scheme="dark")
    expect(clean.get_by_role("tab", name="Tables")).to_be_visible()
    check_page(clean, 1280)
