"""The rater's page in a real browser: nervous clicks, two tabs, reloads, hostile texts."""

import json
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect
from sqlalchemy import func, select, update

from core.study import monitoring, organising, rating
from core.study.creating import create
from core.study.database import Database
from core.study.design import Design
from core.study.items import Item
from core.study.tables import Correction, Rating, Study
from tests.browser import serving
from tests.browser.checks import check_page, settled
from tests.core.study.parts import CHECK, PRACTICE, items, plan, start, tokens

SECRETS = ("m3thod", "v1ctim", "s0urce", "tr4ce", "adversarial", '"check"')
_names = count()


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:///{tmp_path_factory.mktemp('studies') / 'studies.sqlite'}"


@pytest.fixture(scope="module")
def server(url: str) -> Iterator[str]:
    with serving.app(SWAPSCOPE_DATABASE=url, SWAPSCOPE_PASSPHRASE="open sesame") as address:
        yield address


@pytest.fixture(scope="module")
def database(url: str) -> Iterator[Database]:
    database = Database(url)
    yield database
    database.close()


def study(database: Database, **changes: object) -> str:
    name = f"Study {next(_names)}"
    return create(database, replace(plan(), name=name, **changes))  # type: ignore[arg-type]


def link(database: Database, of: str) -> str:
    """The token of the first rater, past instructions and practice."""
    token = tokens(database, of)[0]
    start(database, token)
    task = rating.visit(database, token).task
    if rating.visit(database, token).stage == "practice" and task:
        rating.save(database, token, task, rating.Answer("positive", 4), 1.0)
    return token


def sentence(database: Database, token: str) -> str:
    task = rating.visit(database, token).task
    assert task is not None
    return task.text


def counts(database: Database, of: str) -> tuple[int, int]:
    with database.reading() as session:
        rows = session.scalar(select(func.count()).where(Rating.study_id == of)) or 0
        mended = session.scalar(
            select(func.count())
            .select_from(Correction)
            .join(Rating, Rating.assignment_id == Correction.assignment_id)
            .where(Rating.study_id == of)
        )
    return rows, mended or 0


def chosen(page: Page, name: str) -> Locator:
    return page.locator("button[kind=primary]", has_text=re.compile(rf"^{name}"))


def fresh(page: Page) -> None:
    """The next text is there with nothing chosen: only Send is filled."""
    expect(page.locator("button[kind=primary]")).to_have_count(1)
    expect(chosen(page, "Send")).to_be_visible()


def choose(page: Page, label: str, point: str) -> None:
    for name in (label, point):
        settled(page)
        page.get_by_role("button", name=re.compile(rf"^{name}")).click()
        expect(chosen(page, name)).to_have_count(1)


def press(page: Page, key: str) -> None:
    """Press a key once the screen is complete; an earlier one would go nowhere."""
    settled(page)
    page.keyboard.press(key)


def send(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Send")).click()


def test_the_whole_way_with_the_keyboard_alone(
    clean: Page, server: str, database: Database
) -> None:
    of = study(database)
    token = tokens(database, of)[0]
    clean.goto(f"{server}/rate?a={token}")
    expect(clean.get_by_role("button", name="I agree")).to_be_visible()
    press(clean, "Enter")
    expect(clean.get_by_role("button", name="I have read")).to_be_visible()
    press(clean, "Enter")
    expect(clean.get_by_text("Practice 1")).to_be_visible()
    fresh(clean)
    for key, name in (("p", "positive"), ("4", "Human-written")):
        press(clean, key)
        expect(chosen(clean, name)).to_be_visible()
    press(clean, "Enter")
    expect(clean.get_by_role("button", name="Go on")).to_be_visible()
    expect(clean.get_by_text("As most people see it.")).to_be_visible()
    press(clean, "Enter")
    for number in range(1, 6):
        expect(clean.get_by_text(f"{number} of 5")).to_be_visible()
        fresh(clean)
        for key, name in (("n", "negative"), ("2", "Not sure")):
            press(clean, key)
            expect(chosen(clean, name)).to_be_visible()
        press(clean, "Enter")
    expect(clean.get_by_text("All your answers are saved")).to_be_visible()
    code = monitoring.rater_progress(database, of)[0].code
    expect(clean.get_by_text(code)).to_be_visible()
    assert counts(database, of) == (6, 0)


@pytest.mark.parametrize("pause", [0, 60, 250])
def test_three_clicks_are_one_rating_and_nothing_is_skipped(
    clean: Page, server: str, database: Database, pause: int
) -> None:
    of = study(database)
    token = link(database, of)
    clean.goto(f"{server}/rate?a={token}")
    for number in range(1, 6):
        expect(clean.get_by_text(f"{number} of 5")).to_be_visible()
        fresh(clean)
        expect(clean.get_by_text(sentence(database, token), exact=True)).to_be_visible()
        choose(clean, "negative", "Not sure")
        target = clean.get_by_role("button", name=re.compile("^Send"))
        target.scroll_into_view_if_needed()
        place = target.bounding_box()
        assert place is not None
        for _ in range(3):
            clean.mouse.click(place["x"] + 20, place["y"] + 10)
            clean.wait_for_timeout(pause)
        here = f"{number + 1} of 5" if number < 5 else "All your answers are saved"
        expect(clean.get_by_text(here)).to_be_visible()
        assert counts(database, of) == (number + 1, 0)


def test_two_tabs_of_one_rater_give_one_rating(
    clean: Page, server: str, database: Database
) -> None:
    of = study(database)
    token = link(database, of)
    other = clean.context.new_page()
    for page in (clean, other):
        page.goto(f"{server}/rate?a={token}")
    choose(clean, "negative", "Not sure")
    choose(other, "positive", "Human-written")
    send(clean)
    expect(clean.get_by_text("2 of 5")).to_be_visible()
    send(other)
    expect(other.get_by_text("in another tab")).to_be_visible()
    assert counts(database, of) == (2, 0)
    other.close()


def test_a_reload_at_every_stage_loses_nothing(
    clean: Page, server: str, database: Database
) -> None:
    of = study(database)
    token = tokens(database, of)[0]
    clean.goto(f"{server}/rate?a={token}")
    for name in ("I agree", "I have read"):
        clean.reload()
        clean.get_by_role("button", name=name).click()
    expect(clean.get_by_text("Practice 1")).to_be_visible()
    clean.reload()
    choose(clean, "positive", "Human-written")
    send(clean)
    expect(clean.get_by_role("button", name="Go on")).to_be_visible()
    clean.reload()
    for number in range(1, 6):
        expect(clean.get_by_text(f"{number} of 5")).to_be_visible()
        fresh(clean)
        choose(clean, "negative", "Not sure")
        clean.reload()
        expect(clean.get_by_text(f"{number} of 5")).to_be_visible()
        fresh(clean)
        choose(clean, "positive", "Not sure")
        send(clean)
        expect(clean.get_by_text(f"{number} of 5")).not_to_be_visible()
        clean.reload()
    expect(clean.get_by_text("All your answers are saved")).to_be_visible()
    assert counts(database, of) == (6, 0)


def test_the_browsers_back_button_and_a_correction(
    clean: Page, server: str, database: Database
) -> None:
    of = study(database)
    token = link(database, of)
    clean.goto(f"{server}/rate?a={token}")
    choose(clean, "negative", "Not sure")
    send(clean)
    expect(clean.get_by_text("2 of 5")).to_be_visible()
    clean.goto("about:blank")
    clean.go_back()
    expect(clean.get_by_text("2 of 5")).to_be_visible()
    clean.get_by_role("button", name="Back to the previous one").click()
    expect(clean.get_by_text("1 of 5")).to_be_visible()
    choose(clean, "positive", "Human-written")
    clean.get_by_role("button", name="Save the correction").click()
    expect(clean.get_by_text("2 of 5")).to_be_visible()
    assert counts(database, of) == (2, 1)


def test_a_rater_gets_nothing_of_the_organisers(
    clean: Page, server: str, database: Database
) -> None:
    secret = [
        replace(
            item, method="m3thod", victim="v1ctim", source=item.source + "s0urce", trace="tr4ce"
        )
        if item.kind == "adversarial"
        else replace(item, source=item.source + "s0urce")
        for item in items()
    ]
    of = study(database, items=(*secret, CHECK, PRACTICE))
    heard: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: heard.append(str(frame)))

    clean.on("websocket", listen)
    clean.on("response", lambda answer: heard.append(answer.url))
    token = link(database, of)
    clean.goto(f"{server}/rate?a={token}")
    for number in range(1, 6):
        expect(clean.get_by_text(f"{number} of 5")).to_be_visible()
        fresh(clean)
        heard.append(clean.content())
        choose(clean, "negative", "Not sure")
        send(clean)
    expect(clean.get_by_text("All your answers are saved")).to_be_visible()
    traffic = json.dumps(heard)
    assert "Rating short texts" in traffic
    for word in (*SECRETS, "rganise", "Lattice", "open sesame"):
        assert word not in traffic


def test_a_revoked_link_opens_nothing(clean: Page, server: str, database: Database) -> None:
    of = study(database)
    token = link(database, of)
    clean.goto(f"{server}/rate?a={token}")
    choose(clean, "negative", "Not sure")
    organising.revoke(database, monitoring.rater_progress(database, of)[0].id)
    send(clean)
    expect(clean.get_by_text("Ask whoever sent it")).to_be_visible()
    assert counts(database, of) == (1, 0)


def test_an_expired_link_keeps_what_was_answered(
    clean: Page, server: str, database: Database
) -> None:
    of = study(database, closes_at=time.time() + 3_600)
    token = link(database, of)
    clean.goto(f"{server}/rate?a={token}")
    choose(clean, "negative", "Not sure")
    with database.writing() as session:
        session.execute(update(Study).where(Study.id == of).values(closes_at=time.time() - 1))
    send(clean)
    expect(clean.get_by_text("is closed")).to_be_visible()
    assert counts(database, of) == (1, 0)  # the practice
    clean.reload()
    expect(clean.get_by_text("is closed")).to_be_visible()


def test_a_database_that_cannot_be_written_is_told(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "studies.sqlite"
    database = Database(f"sqlite:///{file}")
    of = study(database)
    token = link(database, of)
    with serving.app(SWAPSCOPE_DATABASE=f"sqlite:///file:{file}?mode=ro&uri=true") as address:
        page.goto(f"{address}/rate?a={token}")
        choose(page, "negative", "Not sure")
        send(page)
        expect(page.get_by_text("was not saved")).to_be_visible()
        expect(page.get_by_text("1 of 5")).to_be_visible()
    assert counts(database, of) == (1, 0)
    database.close()


def test_a_long_text_on_a_phone_hides_no_message_and_starts_at_its_beginning(
    clean: Page, server: str, database: Database
) -> None:
    texts = tuple(Item(f"{n} {'so it goes ' * 90}", "positive", method="m") for n in range(2))
    of = study(database, items=texts, design=Design(1, 1))
    clean.set_viewport_size({"width": 390, "height": 700})
    clean.goto(f"{server}/rate?a={link(database, of)}")
    expect(clean.get_by_text("1 of 2")).to_be_in_viewport()
    settled(clean)
    send(clean)
    expect(clean.get_by_text("Answer both questions first")).to_be_in_viewport()
    choose(clean, "negative", "Not sure")
    expect(clean.get_by_text("1 of 2")).not_to_be_in_viewport()
    send(clean)
    expect(clean.get_by_text("2 of 2")).to_be_in_viewport()


def test_an_open_link_hands_out_a_place_that_can_be_reloaded(
    clean: Page, server: str, database: Database
) -> None:
    token = organising.open_link(database, study(database), 1)
    clean.goto(f"{server}/rate?a={token}")
    clean.get_by_role("button", name="Take a place").click()
    expect(clean.get_by_role("button", name="I agree")).to_be_visible()
    assert token not in clean.url
    clean.reload()
    expect(clean.get_by_role("button", name="I agree")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_cut_off_or_hard_to_reach(
    clean: Page, server: str, database: Database, width: int, scheme: str
) -> None:
    token = link(database, study(database))
    clean.set_viewport_size({"width": width, "height": 844})
    clean.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    clean.goto(f"{server}/rate?a={token}")
    choose(clean, "negative", "Not sure")
    check_page(clean, width)
