"""Thirty visitors at once, against one alone: python -m tests.tools.bench_visitors."""

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import product
from statistics import median
from threading import Barrier
from time import perf_counter
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

from app.race.lanes import BUDGET, seeds_of
from app.shared.choices import RACE
from app.shared.question import UNSAID
from core import SEARCHES, SUBSTITUTIONS, VICTIMS, Attack, SearchSpace, untargeted
from core.goals import probabilities
from tests.toys import serving
from tests.toys.sandbox import megabytes
from tests.toys.visitor import Placed, RefusedError, Visitor

SEEDS, STEPS, SWAPS = 3, 3, 3
PATIENCE = 900.0  # seconds; today's server is slow with thirty
SUBJECTS = (
    "The first half of the film",
    "His new picture",
    "This old story",
    "Her debut",
    "The third part of the series",
    "The long evening in the cinema",
)
OPINIONS = (
    "is charming and often very funny, with a warm and honest ending.",
    "is a dull and endless mess that wastes its good actors.",
    "moves slowly, but the quiet last scene stays with you.",
    "is lazy and loud, and the jokes are flat and old.",
    "looks beautiful and is strange, clever and full of life.",
)
TEXTS = tuple(f"{subject} {opinion}" for subject, opinion in product(SUBJECTS, OPINIONS))
ALONE = (
    "The plot of this little film is simple, but the cast is wonderful and the music sad.",
    "A loud and silly comedy that is never funny and leaves its good actors alone.",
    "The director tells a small story with great care, and the end is a surprise.",
)

Outcomes = dict[tuple[str, int], tuple[str, int, float]]  # text, queries and score of each run
DIGITS = 6  # of a score: a text has other last bits in a batch with others' texts


@dataclass
class Visit:
    """How long one visitor has waited for what, in seconds, and what came of the race."""

    picture: float = 0.0
    steps: list[float] = field(default_factory=list)
    swaps: list[float] = field(default_factory=list)
    race: float = 0.0
    lost: int = 0  # downloads that were gone before they could be fetched
    outcomes: Outcomes = field(default_factory=dict)


def visit(visitor: Visitor, text: str, together: Barrier) -> Visit:
    """Open a link to Step through, step, swap words on Lattice, race; all visitors in step."""
    done, link = Visit(), {"text": text}

    def seconds_until(shown: Callable[[dict[str, Placed]], bool]) -> float:
        began = perf_counter()
        visitor.until(lambda: shown(visitor.widgets), PATIENCE)
        seconds = perf_counter() - began
        visitor.until(lambda: not visitor.running, PATIENCE)
        return seconds

    together.wait()
    visitor.open("step", link, patience=0)
    done.picture = seconds_until(lambda widgets: "stepper" in widgets)
    for step in range(1, STEPS + 1):
        began = perf_counter()
        visitor.send("stepper", "step", step, PATIENCE)
        done.steps.append(perf_counter() - began)
    visitor.open("", link, PATIENCE)
    together.wait()
    for turn, state in enumerate(swaps(visitor.widget("lattice").data), start=1):
        visitor.send("lattice", "picked", {"turn": turn, "state": state}, patience=0)

        def swapped(widgets: dict[str, Placed], state: list[int] = state) -> bool:
            return bool(widgets["lattice"].data["state"] == state)

        done.swaps.append(seconds_until(swapped))
    together.wait()
    visitor.open("race", {**link, "seeds": SEEDS}, patience=0)
    done.race = seconds_until(
        lambda widgets: "race.json" in widgets and not widgets["race.json"].proto.disabled
    )
    while not done.outcomes:
        try:
            done.outcomes = outcomes(visitor.download("race.json"))
        except RefusedError:
            done.lost += 1  # the visitor presses the button again
    return done


def swaps(lattice: dict[str, Any]) -> Iterator[list[int]]:
    """One more word each time takes its first substitute."""
    state = list(lattice["state"])
    rich = [at for at, column in enumerate(lattice["columns"]) if len(column["choices"]) > 1]
    for at in rich[:SWAPS]:
        state[at] = 1
        yield list(state)


def at_once(visitors: Sequence[Visitor], texts: Sequence[str]) -> list[Visit]:
    """So many visitors, who go from page to page together as a class does."""
    together = Barrier(len(texts))
    with ThreadPoolExecutor(len(texts)) as pool:
        visits = [
            pool.submit(visit, visitor, text, together)
            for visitor, text in zip(visitors, texts, strict=True)
        ]
        return [one.result() for one in visits]


def outcomes(content: str | bytes) -> Outcomes:
    """The runs in a file of results."""
    runs = json.loads(content)["runs"]
    return {
        (run["search"], run["seed"]): (run["text"], run["queries"], round(run["score"], DIGITS))
        for run in runs
    }


def library(text: str, seeds: int = SEEDS) -> Outcomes:
    """What a race must give, from the library alone."""
    victim, words = VICTIMS[UNSAID.victim](), SUBSTITUTIONS[UNSAID.substitution.method]()
    space = SearchSpace.from_text(text, words)
    goal = untargeted(victim, space, int(probabilities(victim, [text])[0].argmax()))
    results = {
        (search, seed): Attack(space, goal, SEARCHES[search](), BUDGET, seed).run()
        for search in RACE
        for seed in seeds_of(search, seeds)
    }
    return {run: (one.text, one.queries, round(one.score, DIGITS)) for run, one in results.items()}


def in_a_browser(address: str, text: str, together: Barrier) -> float:
    """The seconds until Chromium shows the picture of a link, from a visit for the first time."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**serving.launch_options())
        page = browser.new_page()
        together.wait()
        began = perf_counter()
        page.goto(f"{address}/step?{urlencode({'text': text})}", timeout=1_000 * PATIENCE)
        page.locator(".stepper .where:not(:empty)").wait_for(timeout=1_000 * PATIENCE)
        seconds = perf_counter() - began
        browser.close()
        return seconds


def among_others(address: str) -> Iterator[float]:
    """The same, while all others open links of their own; first of all without them."""
    texts = [text.replace(".", "!") for text in TEXTS]
    for others in (0, len(texts) - 1):
        visitors, together = [Visitor(address) for _ in range(others)], Barrier(others + 1)

        def open_link(visitor: Visitor, text: str, together: Barrier = together) -> None:
            together.wait()
            visitor.open("step", {"text": text}, PATIENCE)

        with ThreadPoolExecutor(max(others, 1)) as pool:
            opened = pool.map(open_link, visitors, texts)
            yield in_a_browser(address, texts[-1] if others else ALONE[0], together)
            list(opened)
        for visitor in visitors:
            visitor.close()


def rows() -> Iterator[dict[str, Any]]:
    """What thirty at once wait for and take, beside what one alone does, on one server."""
    with serving.process() as (address, server):
        warm = Visitor(address).open("step", {"text": "It is a film."}).open("race")  # the models
        empty = megabytes(server)
        alone, visitors = [], [Visitor(address) for _ in ALONE + TEXTS]
        for visitor, text in zip(visitors, ALONE, strict=False):
            alone += at_once([visitor], [text])
        few = megabytes(server)
        many = at_once(visitors[len(ALONE) :], TEXTS)
        full, peak = megabytes(server), megabytes(server, "VmHWM")
        for visitor in (warm, *visitors):
            visitor.close()
        single, crowded = among_others(address)
    differing = sum(
        one.outcomes != library(text)
        for one, text in zip([*alone, *many], ALONE + TEXTS, strict=True)
    )
    yield {
        "run": f"{len(many)} visitors at once, results",
        "visitors_with_other_results_than_the_library": differing,
        "runs_of_each": len(many[0].outcomes),
        "downloads_lost": sum(one.lost for one in many),
    }
    measured: dict[str, Callable[[Visit], list[float]]] = {
        "first picture": lambda one: [one.picture],
        "step": lambda one: one.steps,
        "swap": lambda one: one.swaps,
        "race": lambda one: [one.race],
    }
    for name, seconds in measured.items():
        one_alone = median(second for one in alone for second in seconds(one))
        several = [second for one in many for second in seconds(one)]
        yield {
            "run": f"{len(many)} visitors at once, {name}",
            "alone_seconds": round(one_alone, 3),
            "median_seconds": round(median(several), 3),
            "worst_seconds": round(max(several), 3),
            "median_ratio": round(median(several) / one_alone, 1),
            "worst_ratio": round(max(several) / one_alone, 1),
        }
    yield {
        "run": f"{len(TEXTS)} visitors at once, first picture in Chromium",
        "alone_seconds": round(single, 2),
        "among_others_seconds": round(crowded, 2),
        "ratio": round(crowded / single, 1),
    }
    each = (few - empty) / len(alone)
    yield {
        "run": f"{len(many)} visitors at once, memory",
        "server_megabytes": round(empty),
        "alone_megabytes": round(each, 1),
        "megabytes_per_visitor": round((full - few) / len(many), 1),
        "ratio": round((full - few) / len(many) / each, 1),
        "peak_megabytes": round(peak),
    }


def main() -> None:
    """Print the figures."""
    for row in rows():
        print("  ".join(f"{name} {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
