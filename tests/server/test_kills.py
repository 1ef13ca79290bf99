"""Twenty kills of the server while people rate and a race runs; everybody stays on the page."""

import asyncio
import os
import re
import signal
import sqlite3
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlencode

from playwright.async_api import Page, async_playwright, expect
from sqlalchemy import func, select

from core.study import monitoring
from core.study.creating import StudyPlan, create
from core.study.database import Database
from core.study.design import Design
from core.study.judgements import judged_items
from core.study.rating import GivenAnswer
from core.study.tables import Correction, Rating
from core.study.wording import Wording
from tests.tools.bench_visitors import library, outcomes
from tests.toys import serving
from tests.toys.browser.checks import DIALOG_DUE, FORGET_DIALOG, MARK_DIALOG
from tests.toys.study import LABELS, answer_of, start, texts, tokens
from tests.toys.visitor import ClosedError, NoAnswerError, Visitor

KILLS, BROWSERS, LIGHT = 20, 2, 4
RATERS = BROWSERS + LIGHT
RACER = RATERS  # a number of its own, among those who watch
ITEMS, MOST = 64, 3  # texts for each rater, and how many of them between two kills
PATIENCE = 120.0  # seconds; a busy machine is slow, not wrong
QUESTION: dict[str, Any] = {
    "text": "The plot of this little film is simple, but the cast is wonderful and the music sad.",
    "seeds": 12,
}
LOST = "The connection is lost."

Said = dict[str, GivenAnswer]  # what a rater has answered to which text


@dataclass
class Lives:
    """How often the server was killed, and what everybody has seen of it since."""

    kills: int = 0
    seen: Counter[int] = field(default_factory=Counter)
    saved: Counter[int] = field(default_factory=Counter)
    looked: Event = field(default_factory=Event)  # at the pages without a server
    over: Event = field(default_factory=Event)  # nobody waits for the server any more

    def may_go_on(self, who: int) -> bool:
        """A few in each life of the server, so that something is left for the next."""
        return self.kills == KILLS or self.seen[who] < MOST

    def save(self, rater: int) -> None:
        """A rater sees the next text: the answer to the one before is saved."""
        self.seen[rater] += 1
        self.saved[rater] += 1

    def kill(self, server: int) -> None:
        """The server is gone, and nobody has tidied up."""
        os.kill(server, signal.SIGKILL)
        self.kills += 1
        self.seen.clear()


async def rate(page: Page, address: str, token: str, rater: int, lives: Lives) -> Said:
    """Answer everything in a browser: each text is sent once, and the page is never loaded anew."""
    await page.goto(f"{address}/rate?a={token}")
    said, chosen = Said(), page.locator(".choices button[aria-pressed=true]")
    for number in range(1, ITEMS + 1):
        await expect(page.get_by_text(f"{number} of {ITEMS},")).to_be_visible()
        if number > 1:
            lives.save(rater)
        await expect(page.locator(".question")).to_have_count(2)
        await expect(chosen).to_have_count(0)
        while not lives.may_go_on(rater):
            await asyncio.sleep(0.02)
        text = await page.get_by_text(re.compile(r"^text \d+$")).inner_text()
        said[text] = answer_of(rater, text)
        names = (said[text].label, Wording().scale[said[text].score], "Send")
        for name in names:
            await page.get_by_role("button", name=name, exact=True).click()
    await expect(page.get_by_text("All your answers are saved")).to_be_visible()
    lives.save(rater)
    return said


def rate_lightly(visitor: Visitor, rater: int, lives: Lives) -> Said:
    """The same without a browser; what was not seen to be saved is sent again."""
    said, known, pause = Said(), "", Random(rater)
    while "All your answers are saved" not in visitor.text and not lives.over.is_set():
        try:
            here = [one for one in visitor.of("bidi_component") if one.key.startswith("rate.")]
            if not here:
                visitor.rerun()
                continue
            if known not in ("", here[0].key):
                lives.save(rater)
            known = here[0].key
            while not (lives.may_go_on(rater) or lives.over.is_set()):
                sleep(0.02)
            sleep(pause.uniform(0, 0.2))
            text = here[0].data["text"]
            said[text] = answer = answer_of(rater, text)
            chosen = [LABELS.index(answer.label), answer.score]
            visitor.trigger(known, "sent", {"answers": chosen, "mark": text})
        except (NoAnswerError, ClosedError):
            sleep(0.1)
            with suppress(NoAnswerError, ClosedError):
                visitor.reconnect()
    lives.save(rater)
    return said


async def race(page: Page, address: str, lives: Lives) -> str:
    """Watch a race, which starts again in each life of the server; gives its results."""
    await page.goto(f"{address}/race?{urlencode(QUESTION)}")
    connected = page.locator(".stApp[data-test-connection-state=CONNECTED]")
    file = page.get_by_role("button", name="Results (JSON)")
    under_way = page.get_by_role("button", name="Cancel")
    for life in range(KILLS + 1):
        await expect(connected).to_have_count(1)
        await expect(under_way.or_(file).first).to_be_visible()
        lives.seen[RACER] += 1
        while lives.kills == life < KILLS:
            await asyncio.sleep(0.02)
        if life < KILLS:
            await expect(connected).to_have_count(0)
    await expect(file).to_be_enabled()
    async with page.expect_download() as download:
        await file.click()
    return (await (await download.value).path()).read_text(encoding="utf-8")


async def look(page: Page, picture: Path) -> None:
    """Without a server for a while: a friendly line, and nothing for developers."""
    await expect(page.get_by_text(LOST)).to_be_visible()
    await page.evaluate(FORGET_DIALOG)  # of an earlier life
    await expect(page.locator(DIALOG_DUE)).to_have_count(1)
    await page.screenshot(path=picture)
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def in_browsers(
    address: str, links: list[str], lives: Lives, pictures: Path
) -> tuple[list[Said], str]:
    """Raters and one who watches a race, each with a browser window of their own."""
    expect.set_options(timeout=1_000 * PATIENCE)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**serving.launch_options())
        pages = [await (await browser.new_context()).new_page() for _ in range(BROWSERS + 1)]
        for page in pages:
            page.set_default_timeout(1_000 * PATIENCE)
            await page.add_init_script(MARK_DIALOG)

        async def watch() -> None:
            while lives.kills < KILLS:
                await asyncio.sleep(0.02)
            names = (pictures / f"without-a-server-{number}.png" for number in range(len(pages)))
            await asyncio.gather(*map(look, pages, names))
            lives.looked.set()

        ratings = (rate(pages[n], address, links[n], n, lives) for n in range(BROWSERS))
        rating, racing = asyncio.gather(*ratings), race(pages[-1], address, lives)
        said, results, _ = await asyncio.gather(rating, racing, watch())
        await browser.close()
        return said, results


def wait_until_all_are_back(lives: Lives, tasks: list[Future[Any]]) -> None:
    """Everybody has come back by themselves, and has gone on."""
    limit = monotonic() + PATIENCE
    while not all(lives.seen[who] for who in range(RATERS + 1)):
        for task in tasks:
            if task.done():
                task.result()  # somebody has given up
        missing = [who for who in range(RATERS + 1) if not lives.seen[who]]
        assert monotonic() < limit, f"{missing} did not come back after {lives.kills} kills"
        sleep(0.02)


def test_twenty_kills_lose_nothing_and_everybody_comes_back(tmp_path: Path) -> None:
    url, port = f"sqlite:///{tmp_path / 'studies.sqlite'}", serving.free_port()
    database, lives = Database(url), Lives()
    study = create(
        database, StudyPlan("Killed", LABELS, texts(ITEMS), design=Design(RATERS, RATERS, seed=1))
    )
    links = tokens(database, study)
    for link in links:
        start(database, link)
    tasks: list[Future[Any]] = []
    with ThreadPoolExecutor(RATERS) as pool, ExitStack() as stack:
        stack.callback(lives.over.set)
        for kill in range(KILLS):
            with serving.process(port, SWAPSCOPE_DATABASE=url) as (address, server):
                if not tasks:
                    watching = pool.submit(
                        asyncio.run, in_browsers(address, links, lives, tmp_path)
                    )
                    lightly = [
                        pool.submit(
                            rate_lightly, Visitor(address).open("rate", {"a": links[n]}), n, lives
                        )
                        for n in range(BROWSERS, RATERS)
                    ]
                    tasks = [watching, *lightly]
                wait_until_all_are_back(lives, tasks)
                sleep(Random(kill).uniform(0, 0.3))  # now and then while an answer is on its way
                lives.kill(server)
            saved = dict(lives.saved)
            for rater, kept in enumerate(monitoring.rater_progress(database, study)):
                assert saved.get(rater, 0) <= kept.done  # what was shown as saved is there
        assert lives.looked.wait(PATIENCE)
        with serving.process(port, SWAPSCOPE_DATABASE=url):
            in_windows, results = watching.result()
            said = [*in_windows, *(task.result() for task in lightly)]
    check(database, study, said)
    database.close()
    with sqlite3.connect(tmp_path / "studies.sqlite") as raw:
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    raw.close()
    assert outcomes(results) == library(QUESTION["text"], QUESTION["seeds"])


def check(database: Database, study: str, said: list[Said]) -> None:
    """Each answer of each rater is there, once, and no other."""
    with database.reading() as session:
        assert session.scalar(select(func.count()).select_from(Correction)) == 0
        assert session.scalar(select(func.count()).select_from(Rating)) == RATERS * ITEMS
    assert [len(answers) for answers in said] == [ITEMS] * RATERS
    for one in judged_items(database, study):
        given = sorted((a[one.item.text].label, a[one.item.text].score) for a in said)
        assert sorted((j.label, j.score) for j in one.judgements) == given
