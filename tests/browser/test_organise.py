"""The organiser's pages in a real browser: from the first passphrase to results."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.shared import recorded
from core import trace
from core.experiment import runner
from core.experiment.engines import Local
from core.study import monitoring
from core.study.creating import create
from core.study.database import Database
from core.study.demonstration import NAME, demonstrate
from tests.toys import experiment, serving
from tests.toys.browser.checks import Scheme, check_page, settled
from tests.toys.browser.forms import WORD, entered, press, select, table, upload, write
from tests.toys.study import plan, rate_all, tokens

AT_REST = """width => document.documentElement.scrollWidth <= width &&
    document.getAnimations().every(one => one.playState !== "running")"""  # fades, tables resizing
TABLE = (
    "Sentence,Truth,From,How\n"
    "a fine film,positive,1,ls\n"
    "a fine movie,positive,1,pso\n"
    "a dull film,negative,2,ls\n"
    "a dull movie,neutral,2,pso\n"
)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'studies.sqlite'}"


@pytest.fixture
def server(url: str) -> Iterator[str]:
    with serving.app(SWAPSCOPE_DATABASE=url) as address:
        yield address


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    database = Database(url)
    yield database
    database.close()


def everywhere(page: Page) -> None:
    """What is shown now, on a phone and on a desk, by day and by night."""
    views: tuple[tuple[int, Scheme], ...]
    views = ((390, "light"), (390, "dark"), (1280, "dark"), (1280, "light"))
    for width, scheme in views:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        settled(page)
        page.wait_for_function(AT_REST, arg=width)
        check_page(page, width)


def test_the_passphrase_is_chosen_at_first_use(clean: Page, server: str) -> None:
    clean.goto(f"{server}/organise")
    expect(clean.get_by_text("Choose a passphrase")).to_be_visible()
    write(clean, "Passphrase", "short")
    press(clean, "Set the passphrase")
    expect(clean.get_by_text("Use at least 8 characters.")).to_be_visible()
    write(clean, "Passphrase", WORD)
    press(clean, "Set the passphrase")
    expect(clean.get_by_text("1. Name and labels")).to_be_visible()
    clean.reload()  # another visit needs it again
    write(clean, "Passphrase", "wrong one")
    press(clean, "Open")
    expect(clean.get_by_text("This is not the passphrase.")).to_be_visible()
    expect(clean.get_by_text("1. Name and labels")).to_have_count(0)


def test_from_a_table_to_links(clean: Page, server: str, database: Database) -> None:
    entered(clean, server)
    write(clean, "Name of the study", "From a table")
    upload(clean, "items.csv", TABLE.encode())
    expect(clean.get_by_text("Say which column holds the label.")).to_be_visible()
    for field, column in (("label", "Truth"), ("source", "From"), ("method", "How")):
        select(clean, f"Column of {field}", column)
    expect(clean.get_by_text("Usable items: 3. Rows left out: 1.")).to_be_visible()
    expect(table(clean, "why")).to_contain_text('The label "neutral" is not one of')
    everywhere(clean)
    press(clean, "Add these 3 items")
    expect(clean.get_by_text("2 ls, 1 pso").first).to_be_visible()
    expect(clean.get_by_text("that needs 6 raters, not 3")).to_be_visible()
    expect(clean.get_by_role("button", name="Create the study")).to_be_disabled()
    write(clean, "Raters", "6")
    expect(clean.get_by_text("that needs 6 raters, not 3")).to_have_count(0)
    press(clean, "Create the study")
    expect(clean.get_by_text("The study is there. Give out links below.")).to_be_visible()
    press(clean, "Links for all 6 raters who have none")
    code = clean.get_by_test_id("stCode").filter(has_text="Rater 1")
    links = re.findall(rf"{server}/rate\?a=([\w-]+)", code.inner_text())
    assert len(set(links)) == 6
    assert min(map(len, links)) >= 128 // 6  # letters of six bits
    clean.goto(f"{server}/rate?a={links[0]}")
    expect(clean.get_by_role("button", name="I agree")).to_be_visible()
    (study,) = monitoring.studies(database)
    assert (study.name, study.expected, study.design.raters) == ("From a table", 9, 6)


def test_a_running_study_is_paused_and_a_rater_excluded_and_back(
    clean: Page, server: str, database: Database
) -> None:
    of = create(database, plan("Monitored"))
    entered(clean, server, "Monitored")
    ratings = clean.get_by_test_id("stMetric").filter(has_text="Ratings")
    expect(ratings).to_contain_text("0 of 30")
    rate_all(database, tokens(database, of)[0])
    expect(ratings).to_contain_text("5 of 30")  # without a click
    clean.get_by_text("Pause, rename, exclude, replace, extend").click()
    press(clean, "Pause")
    expect(clean.get_by_text("The study is paused.")).to_be_visible()
    assert monitoring.study(database, of).state == "paused"
    press(clean, "Exclude")
    expect(clean.get_by_text("reason", exact=False).first).to_be_visible()
    expect(ratings).to_contain_text("5 of 30")
    write(clean, "Reason", "answered in per second")
    press(clean, "Exclude")
    expect(ratings).to_contain_text("0 of 25")
    expect(table(clean, "excluded because")).to_contain_text("answered in per second")
    everywhere(clean)
    press(clean, "Count again")
    expect(ratings).to_contain_text("5 of 30")
    press(clean, "Go on")
    expect(clean.get_by_text("The study is open.")).to_be_visible()


def test_results_come_with_intervals_agreement_and_files(
    clean: Page, server: str, database: Database
) -> None:
    demonstrate(database)
    entered(clean, server, NAME)
    clean.get_by_role("tab", name="Results").click()
    expect(table(clean, "valid %")).to_contain_text("original input")
    expect(clean.get_by_text("12 sources with both ls and pso").first).to_be_visible()
    expect(table(clean, "coefficient")).to_contain_text("Fleiss")
    everywhere(clean)
    clean.get_by_role("tab", name="Export").click()
    with clean.expect_download() as download:
        press(clean, "The whole study, to import again (JSON)")
    assert NAME in Path(download.value.path()).read_text(encoding="utf-8")
    press(clean, "Remove the demonstration study")
    expect(clean.get_by_role("button", name="Show a demonstration study")).to_be_visible()
    assert NAME not in [study.name for study in monitoring.studies(database)]


def test_a_rater_cannot_reach_organise(clean: Page, server: str, database: Database) -> None:
    token = tokens(database, create(database, plan("Closed to raters")))[0]
    for path in ("organise", "step", "nowhere", ""):
        clean.goto(f"{server}/{path}?a={token}")
        expect(clean.get_by_role("button", name="I agree")).to_be_visible()
        expect(clean.get_by_text("Page not found")).to_have_count(0)
        expect(clean.get_by_text("Passphrase")).to_have_count(0)


def test_attacks_become_items_that_lead_back_to_their_attacks(
    clean: Page, server: str, database: Database, tmp_path: Path
) -> None:
    saved = recorded.FOLDER / "1.json"
    original = trace.load(saved)
    batch = tmp_path / "batch.jsonl"
    done = runner.run(
        experiment.plan(searches=["greedy"], goals=["untargeted"]), batch, tmp_path, Local(1)
    )
    entered(clean, server, "New study")
    won = [attack for attack in done.attacks if attack.status == "success"]
    for kind, file, count, listed in (
        ("Saved attacks (traces)", saved, 1, "1 ls"),
        ("A batch run (results, JSONL)", batch, len(won), f"1 ls, {len(won)} greedy"),
    ):
        settled(clean)
        clean.get_by_text(kind).click()
        upload(clean, file.name, file.read_bytes())
        settled(clean)
        clean.get_by_text("Add their originals as controls").click()
        press(clean, f"Add these {count} items")
        expect(clean.get_by_text(f"In the study so far: {listed}", exact=True)).to_be_visible()
    write(clean, "Raters per item", "2")
    write(clean, "Raters", "2")
    write(clean, "Name of the study", "From attacks")
    press(clean, "Create the study")
    expect(clean.get_by_text("The study is there")).to_be_visible()
    (of,) = [study.id for study in monitoring.studies(database) if study.name == "From attacks"]
    for token, label in zip(tokens(database, of), ("negative", "positive"), strict=True):
        rate_all(database, token, label)
    clean.reload()
    entered(clean, server, "From attacks")
    clean.get_by_role("tab", name="Results").click()
    wanted = [
        (original.space.text(original.space.origin), "Local search"),
        (done.inputs[won[0].row].text, "Greedy"),
    ]
    for item, (text, search) in enumerate(wanted, start=1):
        with clean.context.expect_page() as opened:
            clean.get_by_role("link", name=f"item {item}", exact=True).click()
        step = opened.value
        expect(step.get_by_label("The sentence to attack")).to_have_value(text)
        expect(step.get_by_role("combobox", name="Search")).to_have_value(search)
        step.get_by_text("Every step as a table").wait_for()
        step.close()
