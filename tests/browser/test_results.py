"""Results in a real browser: a form to a finished experiment, its attacks and files."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.toys import serving
from tests.toys.browser.checks import check_page, settled

PASSPHRASE = "a long passphrase"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """A server of its own, whose experiments are nobody else's."""
    with serving.app(
        SWAPSCOPE_EXPERIMENTS=str(tmp_path),
        SWAPSCOPE_DATABASE=f"sqlite:///{tmp_path}/studies.sqlite",
        SWAPSCOPE_PASSPHRASE=PASSPHRASE,
    ) as address:
        yield address


def begin(page: Page, server: str, rows: int, runs: int) -> None:
    """Start an experiment by the form."""
    page.goto(f"{server}/results")
    settled(page)
    page.get_by_text("New experiment").click()
    fields = {"Name": "mine", "Sentences, at most": str(rows), "Runs of a random search": str(runs)}
    for label, text in fields.items():
        settled(page)
        page.get_by_label(label, exact=True).fill(text)
        page.get_by_label(label, exact=True).press("Enter")
    settled(page)
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("combobox", name="Experiment")).to_have_value("mine")


def tab(page: Page, name: str) -> Locator:
    settled(page)
    page.get_by_role("tab", name=name).click()
    return page.get_by_role("tabpanel", name=name)


def test_from_a_form_to_a_study(clean: Page, server: str) -> None:
    begin(clean, server, 4, 1)
    expect(clean.get_by_text("attacks done; finished")).to_be_visible()
    tables = tab(clean, "Tables")
    expect(tables.get_by_text("sememe substitution, untargeted")).to_be_visible()
    curves = tab(clean, "Curves")
    expect(curves.locator(".js-plotly-plot")).to_have_count(2)
    attacks = tab(clean, "Attacks")
    attacks.locator(".js-plotly-plot .point").first.click(force=True)
    link = attacks.get_by_role("link", name="Open in Step through")
    expect(link).to_have_attribute("href", re.compile("step.text=.*victim=bilstm-sst2"))
    files = tab(clean, "Files and studies")
    with clean.expect_download() as taken:
        files.get_by_role("button", name="As TextAttack writes it").click()
    assert b"[[" in Path(taken.value.path()).read_bytes()
    files.get_by_role("button", name="Send to a new study").click()
    expect(clean).to_have_url(re.compile("/organise"))
    settled(clean)
    clean.get_by_label("Passphrase").fill(PASSPHRASE)
    clean.get_by_role("button", name="Open").click()
    expect(clean.get_by_text(re.compile(r"\d+ ls, \d+ original input"))).to_be_visible()


def test_an_experiment_is_cancelled_and_resumed(clean: Page, server: str) -> None:
    begin(clean, server, 60, 30)  # some minutes, if nobody stops it
    for _ in range(2):
        expect(clean.get_by_text(re.compile(r"[1-9]\d* of [\d,]+ attacks, "))).to_be_visible()
        clean.get_by_role("button", name="Cancel").click()
        expect(clean.get_by_text("Not finished")).to_be_visible()
        settled(clean)
        clean.get_by_role("button", name="Resume").click()
    clean.get_by_role("button", name="Cancel").click()


def test_nothing_is_cut_off_or_hard_to_reach(clean: Page, server: str) -> None:
    clean.goto(f"{server}/results?experiment=sentiment")
    for name in ("Attacks", "Curves", "Tables"):
        tab(clean, name)
        for width in (390, 1280):
            clean.set_viewport_size({"width": width, "height": 844})
            check_page(clean, width)
    clean.emulate_media(color_scheme="dark")
    expect(clean.get_by_role("tab", name="Tables")).to_be_visible()
    check_page(clean, 1280)
