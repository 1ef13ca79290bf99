"""The browser's Back and Forward, and what the address of a page brings back."""

import re

from playwright.sync_api import Page, expect

from tests.toys.browser.checks import go_to, settled

TOY = "victim=toy&words=toy"
FIRST = "A charming film, with a smart script and a warm, honest ending."
SECOND = "A great film with a smart script."


def step_is(page: Page, number: int) -> None:
    expect(page.locator(".stepper")).to_have_count(1)  # the one before leaves after it
    expect(page.locator(".stepper")).to_have_attribute("data-step", str(number))


def forward(page: Page, times: int) -> None:
    for _ in range(times):
        page.locator(".stepper .next").click()


def write(page: Page, sentence: str) -> None:
    box = page.get_by_role("textbox", name="The sentence to attack")
    box.fill(sentence)
    box.press("Control+Enter")


def test_back_leaves_the_stepper_at_once_and_forward_finds_its_step(
    clean: Page, server: str
) -> None:
    clean.goto(f"{server}/?{TOY}&text={FIRST}")
    expect(clean.locator("g.node").first).to_be_visible()
    go_to(clean, "Step through")
    step_is(clean, 0)
    forward(clean, 3)
    step_is(clean, 3)
    expect(clean).to_have_url(re.compile("step=3"))
    clean.go_back()
    expect(clean.locator(".explore")).to_be_visible()
    expect(clean).to_have_url(re.compile(r":\d+/\?"))
    clean.go_forward()
    step_is(clean, 3)


def test_back_finds_the_lattice_as_a_button_left_it(clean: Page, server: str) -> None:
    clean.goto(f"{server}/?{TOY}&text={FIRST}")
    clean.locator('g.node[aria-label^="tepid."]').click()
    expect(clean).to_have_url(re.compile("[?&]s="))
    left = clean.url
    settled(clean)
    clean.get_by_role("button", name="Watch local search").click()
    step_is(clean, 0)
    expect(clean).to_have_url(re.compile("/step"))
    expect(clean).not_to_have_url(re.compile("[?&]s="))
    settled(clean)
    clean.go_back()
    expect(clean.locator("mark")).to_have_text(["tepid"])
    assert clean.url == left


def test_back_brings_the_sentence_before_at_its_step(clean: Page, server: str) -> None:
    clean.goto(f"{server}/step?{TOY}&text={FIRST}")
    step_is(clean, 0)
    forward(clean, 2)
    expect(clean).to_have_url(re.compile("step=2"))
    settled(clean)
    write(clean, SECOND)
    expect(clean.locator(".stepper .text")).to_have_text(SECOND)
    forward(clean, 1)
    expect(clean).to_have_url(re.compile("step=1"))
    settled(clean)
    clean.go_back()
    expect(clean.get_by_role("textbox", name="The sentence to attack")).to_have_value(FIRST)
    step_is(clean, 2)
    settled(clean)
    clean.go_forward()
    expect(clean.get_by_role("textbox", name="The sentence to attack")).to_have_value(SECOND)
    step_is(clean, 1)


def test_back_to_the_first_screen_brings_its_sentence_and_its_victim(
    clean: Page, server: str
) -> None:
    clean.goto(f"{server}/step")
    step_is(clean, 0)
    first = clean.locator(".stepper .text").inner_text()
    write(clean, SECOND)
    expect(clean.locator(".stepper .text")).to_have_text(SECOND)
    settled(clean)
    clean.go_back()
    expect(clean.locator(".stepper .text")).to_have_text(first)
    assert clean.url == f"{server}/step"


def test_the_address_is_never_behind_the_picture(clean: Page, server: str) -> None:
    clean.goto(f"{server}/step?{TOY}&text={FIRST}")
    step_is(clean, 0)
    for number in range(1, 4):
        forward(clean, 1)
        clean.wait_for_timeout(150)
        assert f"step={number}" in clean.url


def test_a_link_opens_the_mode_that_was_on(clean: Page, server: str) -> None:
    clean.goto(f"{server}/step?{TOY}&text={FIRST}")
    step_is(clean, 0)
    clean.locator(".stepper .predict").click()
    clean.locator(".stepper .project").click()
    expect(clean).to_have_url(re.compile("predict=true&projector=true"))
    clean.goto(clean.url)
    expect(clean.locator(".stepper.projector.predicting")).to_be_visible()
    clean.keyboard.press("Escape")
    expect(clean.locator(".stepper.projector")).to_have_count(0)
    assert "projector" not in clean.url
