"""How quick the pages are: reruns on the server, the lattice in a real Chromium, a slow line."""

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import enumerate as enumerate_threads
from time import perf_counter
from typing import Any

from playwright.sync_api import sync_playwright

from core import bundle
from core.study.creating import create
from core.study.database import Database
from tests.toys import serving
from tests.toys.pages import harness
from tests.toys.slow_line import NAME, SlowLine
from tests.toys.study import plan, start, tokens

PAGES = ("lattice", "step", "race", "results")
RERUNS = 15
WORDS, SUBSTITUTES, STEPS = 100, 40, 200

# The lattice on its own, with the colours that Streamlit's theme would give it.
HARNESS = """
<style>:root { --st-font: sans-serif; --st-text-color: #111; --st-background-color: #fff;
  --st-secondary-background-color: #eee; --st-primary-color: #3b5bdb; } %s</style>
<div id="stage" style="width: 1150px"></div>
<script>%s; window.Lattice = Lattice;</script>
"""
MEASURE = """
async ([words, substitutes, steps]) => {
  const choices = (at) => [...Array(substitutes + 1).keys()].map((k) => `word${at}x${k}`);
  const gains = (at) => [null, ...[...Array(substitutes).keys()].map((k) => Math.sin(at * 7 + k))];
  const places = [...Array(words).keys()];
  const columns = places.map((at) => ({ choices: choices(at), gains: gains(at) }));
  const frames = [places.map(() => 0)];
  for (let step = 0; step < steps; step += 1) {
    const next = frames.at(-1).slice();
    next[(step * 13) % words] = 1 + ((step * 5) % substitutes);
    frames.push(next);
  }
  const keep = columns.map((_, at) => [...new Set(frames.map((frame) => frame[at]))]);
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const began = performance.now();
  const lattice = new Lattice(document.getElementById("stage"), { onPick() {} });
  lattice.set({ id: "bench", columns, labels: [], range: 1, base: 0, keep });
  lattice.show(frames[0]);
  await painted();
  const drawn = performance.now() - began;
  const stepping = performance.now();
  for (const frame of frames.slice(1)) {
    const at = frame.findIndex((choice, k) => choice !== lattice.state[k]);
    lattice.show(frame, { moved: { [at]: "insert" } });
    await new Promise(requestAnimationFrame);
  }
  return [drawn, (1000 * steps) / (performance.now() - stepping)];
}
"""


def reruns() -> Iterator[dict[str, Any]]:
    """The median time that the server takes to run a page again on a recorded attack."""
    for name in PAGES:
        page = harness(name).run()
        times = []
        for _ in range(RERUNS):
            began = perf_counter()
            page.run()
            times.append(perf_counter() - began)
        assert not page.exception
        while tasks := [thread for thread in enumerate_threads() if thread.name == "task"]:
            tasks[0].join()  # an exit would cut off its victim; the next one may begin now
        yield {"run": f"rerun of {name}", "milliseconds": round(1_000 * median(times), 1)}


def lattice() -> dict[str, Any]:
    """First drawing of a large lattice, and steps a second, measured in the page."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**serving.launch_options())
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_content(HARNESS % (bundle.style("lattice.css"), bundle.script("lattice.js")))
        drawn, rate = page.evaluate(MEASURE, [WORDS, SUBSTITUTES, STEPS])
        browser.close()
    return {
        "run": f"lattice, {WORDS} x {SUBSTITUTES}, in Chromium",
        "first_drawn_milliseconds": round(drawn),
        "steps_per_second": round(rate, 1),
    }


def slow_line() -> Iterator[dict[str, Any]]:
    """The first page and a rater's first question, as somebody with a slow line waits for them."""
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder, 'studies.sqlite')}"
        database = Database(url)
        token = tokens(database, create(database, plan()))[0]
        start(database, token)
        database.close()
        with serving.app(SWAPSCOPE_DATABASE=url) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(**serving.launch_options())
            for name, path, drawn in (
                ("first page", "", "g.node"),
                ("a rater's first question", f"rate?a={token}", ".question"),
            ):
                page = browser.new_page()
                line = SlowLine(page)
                page.goto(f"{address}/{path}", wait_until="commit")
                page.locator(drawn).first.wait_for()
                yield {
                    "run": f"{name} on a slow line ({NAME})",
                    "first_picture_seconds": round(line.first_picture(), 2),
                    "drawn_seconds": round(page.evaluate("performance.now()") / 1_000, 2),
                    "kilobytes": round(line.all_bytes() / 1_000),
                }
                page.close()
            browser.close()
