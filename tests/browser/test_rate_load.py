"""Raters in real browsers: ten at once, a server that is killed, a disk that is full."""

import asyncio
import os
import re
import resource
import signal
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from playwright.async_api import Browser, async_playwright
from playwright.async_api import expect as soon
from playwright.sync_api import Page, expect
from sqlalchemy import func, select

from core.study.creating import StudyPlan, create
from core.study.database import Database
from core.study.design import Design
from core.study.judgements import judged_items
from core.study.rating import GivenAnswer
from core.study.tables import Correction, Rating
from core.study.wording import Wording
from tests.toys import serving
from tests.toys.browser.checks import DIALOG_DUE, MARK_DIALOG, PATIENCE
from tests.toys.browser.raters import choose, send
from tests.toys.study import LABELS, answer_of, start, texts, tokens

RATERS, ITEMS, PER_ITEM = 10, 20, 3
EACH = ITEMS * PER_ITEM // RATERS
KILLS = 20

soon.set_options(timeout=PATIENCE)


def stored(database: Database) -> int:
    with database.reading() as session:
        assert session.scalar(select(func.count()).select_from(Correction)) == 0
        return session.scalar(select(func.count()).select_from(Rating)) or 0


async def rate(browser: Browser, address: str, rater: int, token: str) -> dict[str, GivenAnswer]:
    """Answer everything in a browser of one's own; gives what was answered."""
    context = await browser.new_context()
    page = await context.new_page()
    page.set_default_timeout(PATIENCE)
    await page.goto(f"{address}/rate?a={token}")
    said: dict[str, GivenAnswer] = {}
    chosen = page.locator(".choices button[aria-pressed=true] span")
    for number in range(1, EACH + 1):
        await soon(page.get_by_text(f"{number} of {EACH},")).to_be_visible()
        await soon(page.locator(".question")).to_have_count(2)
        await soon(chosen).to_have_count(0)
        text = await page.get_by_text(re.compile(r"^text \d+$")).inner_text()
        said[text] = answer_of(rater, text)
        names = [said[text].label, Wording().scale[said[text].score]]
        for name in (*names, "Send"):
            await page.get_by_role("button", name=name, exact=True).click()
    await soon(page.get_by_text("All your answers are saved")).to_be_visible()
    await context.close()
    return said


async def rate_at_once(address: str, links: list[str]) -> list[dict[str, GivenAnswer]]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**serving.launch_options())
        raters = (rate(browser, address, number, link) for number, link in enumerate(links))
        said = await asyncio.gather(*raters)
        await browser.close()
        return said


def test_ten_browsers_at_once_lose_and_double_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'studies.sqlite'}"
    database, items = Database(url), texts(ITEMS)
    plan = StudyPlan("Ten at once", LABELS, items, design=Design(PER_ITEM, RATERS, seed=3))
    study = create(database, plan)
    links = tokens(database, study)
    for link in links:
        start(database, link)
    with serving.app(SWAPSCOPE_DATABASE=url) as address, ThreadPoolExecutor(1) as thread:
        # in a thread, for a loop of its own beside the one of the fixtures
        said = thread.submit(asyncio.run, rate_at_once(address, links)).result()
    assert [len(answers) for answers in said] == [EACH] * RATERS
    assert stored(database) == ITEMS * PER_ITEM
    for one in judged_items(database, study):
        given = [answers[one.item.text] for answers in said if one.item.text in answers]
        assert [(j.label, j.score) for j in one.judgements] == [(a.label, a.score) for a in given]
    database.close()


def test_what_was_shown_as_saved_survives_kills_of_the_server(page: Page, tmp_path: Path) -> None:
    url, port = f"sqlite:///{tmp_path / 'studies.sqlite'}", serving.free_port()
    database = Database(url)
    plan = StudyPlan("Killed", LABELS, texts(10 * KILLS), design=Design(1, 1))
    (token,) = tokens(database, create(database, plan))
    start(database, token)
    progress = page.get_by_text(re.compile(r"^\d+ of \d+, about"))
    for kill in range(KILLS):
        with serving.process(port, SWAPSCOPE_DATABASE=url) as (address, server):
            page.goto(f"{address}/rate?a={token}")
            expect(progress).to_contain_text(f"{stored(database) + 1} of")
            choose(page, "negative", "Not sure")
            send(page)
            page.wait_for_timeout(Random(kill).uniform(0, 80))
            os.kill(server, signal.SIGKILL)
            shown = int(progress.inner_text().split()[0]) - 1
        assert shown <= stored(database) <= shown + 1  # saved, but killed before saying so
    assert stored(database) > 0
    database.close()
    with sqlite3.connect(tmp_path / "studies.sqlite") as raw:
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    raw.close()


def test_an_answer_sent_without_a_server_arrives_by_itself(page: Page, tmp_path: Path) -> None:
    """The rater stays on the page and presses once; nobody sees a message for developers."""
    url, port = f"sqlite:///{tmp_path / 'studies.sqlite'}", serving.free_port()
    database, breaks = Database(url), 4
    plan = StudyPlan("Broken off", LABELS, texts(breaks + 1), design=Design(1, 1))
    (token,) = tokens(database, create(database, plan))
    start(database, token)
    lost = page.get_by_text("The connection is lost.")
    page.add_init_script(MARK_DIALOG)
    for number in range(1, breaks + 1):
        with serving.process(port, SWAPSCOPE_DATABASE=url) as (address, server):
            if number == 1:
                page.goto(f"{address}/rate?a={token}")
            expect(page.get_by_text(f"{number} of {breaks + 1},")).to_be_visible()
            expect(lost).not_to_be_visible()
            choose(page, "negative", "Not sure")
            os.kill(server, signal.SIGKILL)
        send(page)
        expect(lost).to_be_visible()
        expect(page.get_by_text("Not saved yet.")).to_be_visible()
        if number == 1:
            expect(page.locator(DIALOG_DUE)).to_have_count(1)
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert stored(database) == number - 1
    with serving.process(port, SWAPSCOPE_DATABASE=url):
        expect(page.get_by_text(f"{breaks + 1} of {breaks + 1},")).to_be_visible()
        expect(lost).not_to_be_visible()
        assert stored(database) == breaks
    database.close()


def test_a_full_disk_is_told_and_nothing_is_shown_as_saved(page: Page, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'studies.sqlite'}"
    database = Database(url)
    (token,) = tokens(
        database, create(database, StudyPlan("Full", LABELS, texts(4), design=Design(1, 1)))
    )
    start(database, token)
    with serving.process(SWAPSCOPE_DATABASE=url) as (address, server):
        page.goto(f"{address}/rate?a={token}")
        choose(page, "negative", "Not sure")
        before = resource.prlimit(server, resource.RLIMIT_FSIZE)
        resource.prlimit(server, resource.RLIMIT_FSIZE, (0, before[1]))  # no file may grow
        send(page)
        expect(page.get_by_text("Your answer was not saved.")).to_be_visible()
        expect(page.get_by_text("1 of 4")).to_be_visible()
        assert stored(database) == 0
        resource.prlimit(server, resource.RLIMIT_FSIZE, before)
        send(page)  # what was chosen is still there
        expect(page.get_by_text("2 of 4")).to_be_visible()
        assert stored(database) == 1
    database.close()
