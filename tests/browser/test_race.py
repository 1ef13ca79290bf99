"""The race in a real browser: to the end, cancelled, synchronised by queries, linked, shared."""

import re
from dataclasses import dataclass
from functools import cache
from statistics import median
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from core import SEARCHES, Attack, AttackResult, SearchSpace, untargeted
from core.endings import ending
from core.registry import find
from core.substitutions import SUBSTITUTIONS
from core.trace import at_queries
from core.victims import VICTIMS
from tests.toys.browser.checks import SCHEMES, Scheme, check_page, still

TEXT = "A charming and often very funny film, with a smart script and a warm, honest ending."
QUICK = "victim=toy&words=toy&seeds=2&budget=400"
# So long that no search flips the label with few words; thirty seeds keep it busy for a while.
LONG = f"text={'+'.join([quote_plus(TEXT)] * 6)}&victim=toy&words=toy&race=GA&race=PSO&seeds=30"


@dataclass(frozen=True)
class Rules:
    """What the searches of a race have in common."""

    victim: str = "toy"
    words: str = "toy"
    budget: int = 400
    limit: float = 0.25


PLAIN = Rules()


@cache
def alone(key: str, rules: Rules = PLAIN, seed: int = 0) -> AttackResult:
    """The attack that the page must show, run here through the library."""
    space = SearchSpace.from_text(TEXT, find(SUBSTITUTIONS, rules.words, "substitution")())
    goal = untargeted(VICTIMS[rules.victim](), space, "positive")
    return Attack(space, goal, SEARCHES[key](), rules.budget, seed, rules.limit).run()


def told(key: str, rules: Rules = PLAIN) -> str:
    """What the card of a search tells when both seeds have ended; local search has but one."""
    first, reached = alone(key, rules), "flips the label"
    if key == "ls":
        return f"{ending(first.status, reached)} with {first.queries:,} queries"
    wins = [run for seed in range(2) if (run := alone(key, rules, seed)).success]
    counts = sorted({run.queries for run in wins})
    spread = f" ({counts[0]:,} to {counts[-1]:,})" if len(counts) > 1 else ""
    queries = f", {median(run.queries for run in wins):,.0f}{spread} queries" if wins else ""
    return f"{reached} with {len(wins)} of 2 seeds{queries}"


def lane(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=re.compile(f"^{name}(, the first of 2 seeds)?$"))


def over(page: Page) -> None:
    expect(page.get_by_text("Queries spent until a search flips the label")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)


def test_three_searches_race_to_the_end(clean: Page, server: str) -> None:
    clean.goto(f"{server}/race?{QUICK}")
    over(clean)
    for key, name in (("ls", "Local search"), ("pso", "PSO"), ("ga", "GA")):
        result = alone(key)
        expect(lane(clean, name).locator(".text")).to_have_text(result.text)
        expect(lane(clean, name).locator(".facts")).to_contain_text(f"score {result.score:.3f}")
        expect(clean.get_by_text(f"{name}: {told(key)}", exact=True)).to_be_visible()
    expect(clean.locator(".js-plotly-plot")).to_have_count(2)
    expect(clean.get_by_role("region", name="Results")).to_contain_text("2 of 2 seeds")
    with clean.expect_download() as download:
        clean.get_by_role("button", name="Results (CSV)").click()
    rows = download.value.path().read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + 1 + 2 + 2


def test_every_lattice_shows_its_search_at_the_same_queries(clean: Page, server: str) -> None:
    clean.goto(f"{server}/race?{QUICK}")
    over(clean)
    slider = clean.get_by_role("slider", name="Queries of each search")
    space = SearchSpace.from_text(TEXT, SUBSTITUTIONS["toy"]())
    longest = max(alone(key).queries for key in ("ls", "pso", "ga"))
    for queries in (1, 30, 60, 90, longest):
        slider.fill(str(queries))
        for key, name in (("ls", "Local search"), ("pso", "PSO"), ("ga", "GA")):
            held = at_queries(alone(key).steps, queries).current
            expect(lane(clean, name).locator(".text")).to_have_text(space.text(held.state))
            facts = lane(clean, name).locator(".facts")
            expect(facts).to_contain_text(f"score {held.score:.3f}")
            expect(facts).to_contain_text(f"{len(space.changed(held.state))} of 16 words")
            words = lane(clean, name).locator("g.node.on:not(.original) text")
            expect(words).to_have_text(
                [space.choices[at][held.state[at]] for at in space.changed(held.state)]
            )
    slider.fill("60")
    expect(clean).to_have_url(re.compile(r"[?&]at=60"))


def test_the_keyboard_moves_the_cursor(clean: Page, server: str) -> None:
    clean.goto(f"{server}/race?{QUICK}&at=60")
    over(clean)
    slider = clean.get_by_role("slider", name="Queries of each search")
    expect(slider).to_have_value("60")
    slider.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        clean.keyboard.press(key)
    expect(clean.locator("output")).to_have_text("61 queries")
    expect(clean).to_have_url(re.compile(r"[?&]at=61"))


def test_a_copied_link_restores_the_race(clean: Page, server: str, browser: Browser) -> None:
    clean.goto(f"{server}/race?{QUICK}&race=Local+search&race=Greedy&at=30")
    over(clean)
    context = browser.new_context()
    other = context.new_page()
    other.goto(clean.url)
    over(other)
    space = SearchSpace.from_text(TEXT, SUBSTITUTIONS["toy"]())
    for page in (clean, other):
        expect(page.locator("output")).to_have_text("30 queries")
        expect(lane(page, "PSO")).to_have_count(0)
        for key, name in (("ls", "Local search"), ("greedy", "Greedy")):
            held = at_queries(alone(key).steps, 30).current
            expect(lane(page, name).locator(".text")).to_have_text(space.text(held.state))
    context.close()


def test_a_search_can_be_cancelled_while_others_run(clean: Page, server: str) -> None:
    clean.goto(f"{server}/race?{LONG}")
    clean.get_by_role("button", name="Cancel").first.click()
    expect(clean.get_by_role("button", name="Run again")).to_have_count(1)
    expect(clean.get_by_role("button", name="Cancel")).to_have_count(1)
    clean.get_by_text("Count requests, as the paper does").click()  # keeps the others running
    expect(clean.get_by_role("button", name="Cancel")).to_have_count(1)
    clean.get_by_role("button", name="Cancel").click()
    expect(clean.get_by_role("button", name="Run again")).to_have_count(2)
    expect(clean.get_by_role("button", name="Cancel")).to_have_count(0)


def test_a_race_opens_in_step_through(clean: Page, server: str) -> None:
    clean.goto(f"{server}/race?{QUICK}")
    over(clean)
    clean.get_by_role("button", name="Open in Step through").nth(1).click()
    expect(clean).to_have_url(re.compile(r"/step\?.*search=pso"))
    outcome = clean.get_by_text("The attack flips the label.")
    expect(clean.locator(".stepper .said")).not_to_be_empty()
    expect(outcome).to_be_hidden()
    clean.locator(".stepper").get_by_role("button", name="Last step", exact=True).click()
    expect(outcome).to_be_visible()


def test_two_visitors_racing_at_once_get_the_results_of_one_alone(
    clean: Page, server: str, browser: Browser
) -> None:
    """Both on a trained network, with different budgets, so that neither takes the other's runs."""
    contexts = [browser.new_context() for _ in range(2)]
    pages = [context.new_page() for context in contexts]
    budgets = (300, 400)
    for page, budget in zip(pages, budgets, strict=True):
        page.goto(
            f"{server}/race?victim=bilstm-sst2&words=embedding&race=Local+search&race=PSO"
            f"&race=GA&seeds=2&budget={budget}&limit=50"
        )
    for page, budget in zip(pages, budgets, strict=True):
        expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
        for key, name in (("ls", "Local search"), ("pso", "PSO"), ("ga", "GA")):
            rules = Rules("bilstm-sst2", "embedding", budget, 0.5)
            expect(lane(page, name).locator(".text")).to_have_text(alone(key, rules).text)
            expect(page.get_by_text(f"{name}: {told(key, rules)}", exact=True)).to_be_visible()
    for context in contexts:
        context.close()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_cut_off_or_hard_to_reach(
    clean: Page, server: str, width: int, scheme: Scheme
) -> None:
    clean.set_viewport_size({"width": width, "height": 844})
    clean.emulate_media(color_scheme=scheme)
    clean.goto(f"{server}/race?{QUICK}")
    over(clean)
    expect(lane(clean, "GA").locator("g.node").first).to_be_visible()
    check_page(clean, width)


def test_four_boards_stand_two_by_two_and_a_phone_sees_the_curves_first(
    clean: Page, server: str
) -> None:
    searches = "race=ls&race=greedy&race=pso&race=ga"
    clean.goto(f"{server}/race?victim=toy&words=toy&seeds=1&{searches}")
    lanes = clean.locator(".lane")
    expect(lanes).to_have_count(4)
    tops = [box["y"] for lane in lanes.all() if (box := lane.bounding_box())]
    assert tops[0] == tops[1] < tops[2] == tops[3]
    clean.set_viewport_size({"width": 390, "height": 844})
    still(clean)
    order = [
        box["y"]
        for selector in (".js-plotly-plot", ".board", ".st-key-form_race")
        if (box := clean.locator(selector).first.bounding_box())
    ]
    assert order == sorted(order)
