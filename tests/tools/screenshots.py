"""Take the pictures of the README: python -m tests.tools.screenshots [PAGE ...].

One more, ``rate-reconnected``, is of a rater who goes on after the server was killed.
"""

import os
import signal
import sys
import tempfile
from dataclasses import replace
from itertools import product

from playwright.sync_api import Browser, Page, sync_playwright

from app.shared.question import UNSAID
from core.study import access, creating, database, demonstration, organising, rating
from core.study.database import Database
from core.study.monitoring import rater_progress
from tests.toys import serving
from tests.toys.browser.checks import SCHEMES, Scheme
from tests.toys.places import ROOT

FOLDER = ROOT / "assets" / "screenshots"
PASSPHRASE = "open sesame"
RECONNECTED = "rate-reconnected"
SIZES = {"desktop": (1280, 1180), "phone": (390, 1280)}


def lattice(page: Page, address: str) -> None:
    """The first screen."""
    page.goto(address)
    page.locator("mark").wait_for()
    page.locator("g.node").first.wait_for()


def step(page: Page, address: str) -> None:
    """Local search after its second move."""
    page.goto(f"{address}/step?{UNSAID.address()}&step=2")
    page.locator("mark").nth(1).wait_for()


def race(page: Page, address: str) -> None:
    """A finished race."""
    page.goto(f"{address}/race?{UNSAID.address()}&seeds=5")
    page.get_by_role("button", name="Cancel").first.wait_for(state="detached")
    page.locator(".js-plotly-plot").nth(1).wait_for()


def organise(page: Page, address: str) -> None:
    """The results of the demonstration study."""
    page.goto(f"{address}/organise")
    page.get_by_label("Passphrase").fill(PASSPHRASE)
    page.get_by_role("button", name="Open").click()
    show = page.get_by_role("button", name="demonstration study")  # to show it, or to remove it
    show.wait_for()
    if "Show" in show.inner_text():
        show.click()
    page.get_by_role("tab", name="Results").click()
    page.locator(".js-plotly-plot").wait_for()


def rate(page: Page, address: str) -> None:
    """A text of the demonstration study with a label chosen."""
    page.goto(f"{address}/rate?a={begun()}")
    page.get_by_role("button", name="positive").click()


def begun() -> str:
    """The link of somebody who has read the instructions."""
    storage = Database()
    items = [item for item in demonstration.plan().items if item.kind != "practice"]
    plan = replace(demonstration.plan(), name=access.new_token(), items=tuple(items))
    study = creating.create(storage, plan)
    token = organising.new_link(storage, rater_progress(storage, study)[0].id)
    rating.consent(storage, token)
    rating.ready(storage, token)
    storage.close()
    return token


def results(page: Page, address: str) -> None:
    """The tables of the bundled experiment."""
    page.goto(f"{address}/results?experiment=sentiment")
    page.get_by_role("region", name="All metrics").wait_for()


def theory(page: Page, address: str) -> None:
    """The landscape of a small space, with local search and the swarm in it."""
    page.goto(f"{address}/theory?part=Landscape&first=5&swarm=true")
    page.get_by_role("button", name="Enumerate 243 sentences").click()
    page.locator(".js-plotly-plot").wait_for()
    page.get_by_role("button", name="All sentences (CSV)").scroll_into_view_if_needed()


PAGES = {each.__name__: each for each in (lattice, step, race, results, theory, organise, rate)}


def take(browser: Browser, address: str, name: str, device: str, scheme: Scheme) -> None:
    """Open a page, bring it to the state to show, and save the picture."""
    page = open_page(browser, device, scheme)
    PAGES[name](page, address)
    save(page, f"{name}-{device}-{scheme}")


def reconnected(browser: Browser) -> None:
    """A rater sends an answer while there is no server, and gets the next text by waiting."""
    page, port = open_page(browser, "phone", "light"), serving.free_port()
    with serving.process(port) as (address, server):
        rate(page, address)
        page.get_by_role("button", name="Not sure").click()
        os.kill(server, signal.SIGKILL)
    page.get_by_role("button", name="Send").click()
    page.get_by_text("The connection is lost.").wait_for()
    with serving.process(port):
        page.get_by_text("2 of ").wait_for()
        save(page, RECONNECTED)


def open_page(browser: Browser, device: str, scheme: Scheme) -> Page:
    """A window of a device."""
    width, height = SIZES[device]
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    page.set_default_timeout(120_000)
    page.add_init_script("localStorage.setItem('swapscope.tour', 'done')")
    return page


def save(page: Page, name: str) -> None:
    """Keep the picture."""
    page.mouse.move(0, 0)
    page.wait_for_timeout(1_500)  # fonts and the first animation
    page.screenshot(path=FOLDER / f"{name}.png")
    page.close()


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as studies:
        os.environ[database.ENVIRONMENT] = f"sqlite:///{studies}/studies.sqlite"
        os.environ[access.ENVIRONMENT] = PASSPHRASE
        os.environ["SWAPSCOPE_EXPERIMENTS"] = studies
        with serving.app() as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(**serving.launch_options())
            for name in sys.argv[1:] or [*PAGES, RECONNECTED]:
                if name == RECONNECTED:
                    reconnected(browser)
                    continue
                for device, scheme in product(SIZES, SCHEMES):
                    take(browser, address, name, device, scheme)
            browser.close()
