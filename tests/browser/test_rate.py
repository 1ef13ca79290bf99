"""The rater's page in a real browser: nervous clicks, two tabs, reloads, hostile texts."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect
from sqlalchemy import func, select, update

from core.study import monitoring, organising, rating
from core.study.creating import create
from core.study.database import Database
from core.study.design import Design
from core.study.items import Item
from core.study.tables import Correction, Rating, Study
from core.study.wording import Wording
from tests.toys import serving
from tests.toys.browser.checks import SCHEMES, Scheme, check_page, settled
from tests.toys.browser.raters import choose, chosen, option, send
from tests.toys.study import CHECK, PRACTICE, items, plan, start, tokens

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


def study(database: Database, **changes: Any) -> str:
    name = f"Study {next(_names)}"
    return create(database, replace(plan(), name=name, **changes))


def link(database: Database, of: str) -> str:
    """The token of the first rater, past instructions and practice."""
    token = tokens(database, of)[0]
    start(database, token)
    task = rating.visit(database, token).task
    if rating.visit(database, token).stage == "practice" and task:
        rating.save(database, token, task, rating.GivenAnswer("positive", 4), 1.0)
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


def given(database: Database, of: str) -> list[tuple[str, int]]:
    """The answers as they were stored, in order."""
    with database.reading() as session:
        stored = select(Rating).where(Rating.study_id == of).order_by(Rating.rated_at)
        return [(rating.label, rating.score) for rating in session.scalars(stored)]


def fresh(page: Page) -> None:
    """The next text is there with nothing chosen."""
    expect(page.locator(".question")).to_have_count(2)
    expect(chosen(page)).to_have_count(0)


def press(page: Page, *keys: str) -> None:
    """Press keys on a screen that is complete; an earlier one would go nowhere."""
    settled(page)
    for key in keys:
        page.keyboard.press(key)


def at_hand(page: Page, question: str, keys: str) -> None:
    """The digits answer this question, and it is the only one that shows it."""
    expect(page.locator(".at-hand strong")).to_have_text([question])
    expect(page.locator(".hint:not(:empty)")).to_have_text([keys])
    working = page.locator(".choices [aria-keyshortcuts]")
    expect(working).to_have_count(page.locator(".at-hand button").count())


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
    press(clean, "2", "4", "Enter")
    expect(clean.get_by_role("button", name="Go on")).to_be_visible()
    expect(clean.get_by_text("As most people see it.")).to_be_visible()
    press(clean, "Enter")
    for number in range(1, 6):
        expect(clean.get_by_text(f"{number} of 5")).to_be_visible()
        fresh(clean)
        press(clean, "1", "2", "Enter")
    expect(clean.get_by_text("All your answers are saved")).to_be_visible()
    code = monitoring.rater_progress(database, of)[0].code
    expect(clean.get_by_text(code)).to_be_visible()
    assert counts(database, of) == (6, 0)
    assert given(database, of) == [("positive", 4)] + [("negative", 2)] * 5


def test_digits_answer_the_question_that_is_marked(
    clean: Page, server: str, database: Database
) -> None:
    of = study(database)
    clean.goto(f"{server}/rate?a={link(database, of)}")
    fresh(clean)
    label, score = Wording().label_question, Wording().score_question
    at_hand(clean, label, "keys 1–2")
    press(clean, "0", "3", "4")  # no label has these keys
    fresh(clean)
    press(clean, "1")
    at_hand(clean, score, "keys 0–4")
    press(clean, "1", "3")  # the last question can be answered again until it is sent
    expect(chosen(clean)).to_have_text(["negative", "More like human-written"])
    press(clean, "Backspace", "Backspace")
    at_hand(clean, label, "keys 1–2")
    press(clean, "Enter")
    expect(clean.get_by_role("alert")).to_have_text(f"Answer this first: {label}")
    option(clean, "Human-written").click()  # the mouse answers in any order
    at_hand(clean, label, "keys 1–2")
    expect(clean.get_by_role("alert")).to_have_count(0)
    press(clean, "2")
    at_hand(clean, score, "keys 0–4")
    expect(chosen(clean)).to_have_text(["positive", "Human-written"])
    press(clean, "Control+0", "Alt+0", "Control+Enter")
    expect(chosen(clean)).to_have_text(["positive", "Human-written"])
    assert counts(database, of) == (1, 0)
    press(clean, "Enter")
    expect(clean.get_by_text("2 of 5")).to_be_visible()
    assert counts(database, of) == (2, 0)


def test_a_key_that_is_held_counts_once(clean: Page, server: str, database: Database) -> None:
    of = study(database)
    token = tokens(database, of)[0]
    clean.goto(f"{server}/rate?a={token}")

    def hold(key: str) -> None:
        settled(clean)
        for _ in range(4):  # without the key coming up it repeats
            clean.keyboard.down(key)

    expect(clean.get_by_role("button", name="I agree")).to_be_visible()
    hold("Enter")
    expect(clean.get_by_role("button", name="I have read")).to_be_visible()
    hold("Enter")
    expect(clean.get_by_role("button", name="I have read")).to_be_visible()
    clean.keyboard.up("Enter")
    press(clean, "Enter")
    fresh(clean)
    hold("1")
    expect(chosen(clean)).to_have_text(["negative"])
    clean.keyboard.up("1")
    hold("0")
    clean.keyboard.up("0")
    hold("Enter")
    expect(clean.get_by_role("button", name="Go on")).to_be_visible()
    hold("Enter")
    expect(clean.get_by_role("button", name="Go on")).to_be_visible()
    assert counts(database, of) == (1, 0)


def test_keys_after_enter_change_nothing_that_was_sent(
    clean: Page, server: str, database: Database
) -> None:
    of = study(database)
    clean.goto(f"{server}/rate?a={link(database, of)}")
    fresh(clean)
    press(clean, "1", "3", "Enter", "0", "Backspace", "4", "Enter")
    expect(clean.get_by_text("2 of 5")).to_be_visible()
    assert given(database, of)[1:] == [("negative", 3)]


def test_tab_and_enter_press_the_button_in_focus_but_a_click_takes_no_focus(
    clean: Page, server: str, database: Database
) -> None:
    of = study(database)
    clean.goto(f"{server}/rate?a={link(database, of)}")
    option(clean, "negative").focus()
    press(clean, "Enter")
    expect(chosen(clean)).to_have_text(["negative"])
    press(clean, "Tab", "Space", "4")
    expect(chosen(clean)).to_have_text(["positive", "Human-written"])
    clean.reload()
    choose(clean, "negative", "Not sure")
    press(clean, "Enter")
    expect(clean.get_by_text("2 of 5")).to_be_visible()
    clean.get_by_role("button", name="Back to the previous one").click()
    expect(clean.get_by_text("1 of 5")).to_be_visible()
    expect(chosen(clean)).to_have_text(["negative", "Not sure"])
    press(clean, "4", "Enter")
    expect(clean.get_by_text("2 of 5")).to_be_visible()
    assert counts(database, of) == (2, 1)


def test_labels_beyond_the_ninth_have_no_key(clean: Page, server: str, database: Database) -> None:
    labels = tuple(f"label {number}" for number in range(1, 12))
    texts = (Item("a text", "label 1", method="m"), Item("another", "label 2", method="m"))
    of = study(database, items=texts, labels=labels, design=Design(1, 1))
    clean.goto(f"{server}/rate?a={link(database, of)}")
    fresh(clean)
    at_keys = clean.locator(".at-hand kbd")
    expect(at_keys).to_have_text([str(number) for number in range(1, 10)])
    expect(clean.locator(".hint").first).to_have_text("keys 1–9")
    press(clean, "0")
    fresh(clean)
    press(clean, "9", "Backspace")
    option(clean, "label 11").click()
    press(clean, "0", "Enter")
    expect(clean.get_by_text("2 of 2")).to_be_visible()


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
        target = option(clean, "Send")
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
    expect(clean.get_by_text("Answer this first")).to_be_in_viewport()
    choose(clean, "negative", "Not sure")
    expect(clean.get_by_text("1 of 2")).not_to_be_in_viewport()
    send(clean)
    expect(clean.get_by_text("2 of 2")).to_be_in_viewport()


def test_only_who_has_keys_reads_which_to_press(
    browser: Browser, server: str, database: Database
) -> None:
    token = tokens(database, study(database))[0]
    for has_keys in (True, False):
        with browser.new_context(is_mobile=not has_keys, has_touch=not has_keys) as context:
            page = context.new_page()
            page.goto(f"{server}/rate?a={token}")
            agree = page.get_by_role("button", name="I agree")
            expect(agree.locator("kbd")).to_be_attached()
            expect(agree.locator("kbd")).to_be_visible(visible=has_keys)


def test_an_open_link_hands_out_a_place_that_can_be_reloaded(
    clean: Page, server: str, database: Database
) -> None:
    token = organising.open_link(database, study(database), 1)
    clean.goto(f"{server}/rate?a={token}")
    clean.get_by_role("button", name="Join the study").click()
    expect(clean.get_by_role("button", name="I agree")).to_be_visible()
    assert token not in clean.url
    clean.reload()
    expect(clean.get_by_role("button", name="I agree")).to_be_visible()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_cut_off_or_hard_to_reach(
    clean: Page, server: str, database: Database, width: int, scheme: Scheme
) -> None:
    token = link(database, study(database))
    clean.set_viewport_size({"width": width, "height": 844})
    clean.emulate_media(color_scheme=scheme)
    clean.goto(f"{server}/rate?a={token}")
    choose(clean, "negative", "Not sure")
    check_page(clean, width)
