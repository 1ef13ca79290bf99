"""Step through in a real browser: playing, scrubbing, keys, predicting, projecting, files."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from app.step.stepper import stepper_data
from core import SEARCHES, Attack, SearchSpace, trace, untargeted
from core.attack import Trace
from core.substitutions import toy as toy_words
from core.victims import toy
from tests.toys.browser.checks import SCHEMES, Scheme, check_page, go_to

LONG = "A charming and often very funny film, with a smart script and a warm, honest ending."
LINK = "/step?victim=toy&words=toy"


def made(key: str = "ls", text: str = LONG) -> Trace:
    space = SearchSpace.from_text(text, toy_words.load())
    goal = untargeted(toy.load(), space, "positive")
    return Trace(space, Attack(space, goal, SEARCHES[key](), 2_000).run(), {"search": key})


def opened(page: Page, server: str, link: str = "") -> Locator:
    page.goto(f"{server}{LINK}{link}")
    expect(page.locator(".stepper .said")).not_to_be_empty()
    return page.locator(".stepper")


def press(page: Page, name: str) -> None:
    page.locator(".stepper").get_by_role("button", name=name, exact=True).click()


def node(page: Page, word: str) -> Locator:
    return page.locator(f'g.node[aria-label^="{word}."]')


def check_step(page: Page, source: Trace, number: int) -> None:
    """What is shown is what the trace has at this step."""
    step, told = source.result.steps[number], stepper_data(source)["steps"][number]
    expect(page.locator(".stepper")).to_have_count(1)  # the one before leaves after it
    expect(page.locator(".stepper")).to_have_attribute("data-step", str(number))
    expect(page.locator(".stepper .said")).to_have_text(told["said"])
    expect(page.locator(".stepper .text")).to_have_text(source.space.text(step.current.state))
    expect(page.locator(".counts dd").nth(0)).to_contain_text(f"{step.current.score:.3f}")
    expect(page.locator(".counts dd").nth(2)).to_contain_text(f"{step.queries:,}")
    expect(page.locator(".counts dd").nth(3)).to_contain_text(f"{step.requests:,}")
    active = page.locator('.code li[aria-current="step"] b')
    expect(active).to_have_text([str(line) for line in told["lines"]])
    on = [f"{at},{choice}" for at, choice in enumerate(step.current.state)]
    shown = page.locator("g.node.on").evaluate_all("nodes => nodes.map((n) => n.dataset.at)")
    assert shown == on


def test_every_step_shows_what_the_trace_has(clean: Page, server: str) -> None:
    source = made()
    opened(clean, server)
    for number, step in enumerate(source.result.steps):
        check_step(clean, source, number)
        if 0 < number < len(source.result.steps) - 1:
            expect(clean.locator(".plot svg")).to_have_attribute("data-dots", str(len(step.tried)))
            expect(clean.locator("circle.taken")).to_have_count(1)
            expect(clean.locator("line.threshold")).to_have_count(1)
            expect(clean.locator(f"g.node.moved.{step.kind}")).to_have_count(1)
        if number < len(source.result.steps) - 1:
            press(clean, "Step forward")
    expect(clean.locator(".ending")).to_contain_text("the goal was reached")
    press(clean, "Step back")
    check_step(clean, source, len(source.result.steps) - 2)
    expect(clean.locator(".ending")).to_be_hidden()


def test_play_pause_and_scrub(clean: Page, server: str) -> None:
    source = made()
    stepper = opened(clean, server)
    clean.locator(".speed").select_option("4")
    press(clean, "Play")
    expect(stepper).to_have_attribute("data-step", "2")
    press(clean, "Pause")
    expect(stepper.get_by_role("button", name="Play", exact=True)).to_be_visible()
    held = stepper.get_attribute("data-step")
    clean.wait_for_timeout(450)  # nothing happens: a beat at this speed is 400 ms
    assert stepper.get_attribute("data-step") == held
    press(clean, "Play")
    expect(clean.locator(".ending")).to_be_visible()
    expect(stepper.get_by_role("button", name="Play", exact=True)).to_be_visible()
    scrub = clean.locator(".scrub")
    scrub.fill("1")
    check_step(clean, source, 1)
    scrub.press("ArrowRight")
    check_step(clean, source, 2)
    press(clean, "Last step")
    check_step(clean, source, len(source.result.steps) - 1)
    press(clean, "First step")
    check_step(clean, source, 0)


def test_keys_work_unless_somebody_types(clean: Page, server: str) -> None:
    source = made()
    stepper = opened(clean, server)
    for key, number in [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", 5),
        ("Home", 0),
    ]:
        clean.keyboard.press(key)
        expect(stepper).to_have_attribute("data-step", str(number))
    clean.keyboard.press(" ")
    expect(stepper.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    clean.keyboard.press(" ")
    clean.keyboard.press("Home")
    check_step(clean, source, 0)
    box = clean.get_by_role("textbox", name="The sentence to attack")
    box.focus()
    typed = box.input_value()
    for key in ("ArrowRight", "End", " "):
        clean.keyboard.press(key)
    expect(box).to_have_value(f"{typed} ")  # the stepper hears a key before the box has it
    expect(stepper).to_have_attribute("data-step", "0")


def test_the_step_is_part_of_the_link(clean: Page, server: str) -> None:
    source = made()
    opened(clean, server)
    for _ in range(3):
        press(clean, "Step forward")
    expect(clean).to_have_url(re.compile("step=3"))
    clean.goto(clean.url)
    check_step(clean, source, 3)
    go_to(clean, "Lattice")
    expect(clean.locator(".stepper")).to_have_count(0)
    go_to(clean, "Step through")
    check_step(clean, source, 3)


def test_predict_right_nearly_and_wrong(clean: Page, server: str) -> None:
    source = made()
    opened(clean, server)
    press(clean, "Predict")
    node(clean, "tepid").click()
    expect(clean.locator(".verdict")).to_have_text("Right: tepid is the move.")
    check_step(clean, source, 1)
    node(clean, "strange").click()
    expect(clean.locator(".verdict")).to_contain_text("Nearly: the right word, but odd is better")
    node(clean, "movie").click()
    expect(clean.locator(".verdict")).to_contain_text("the search takes quaint")
    expect(clean.locator(".verdict")).to_contain_text(
        re.compile(r"movie gives 0\.\d+, number \d+ of 21")
    )
    clean.locator(".kinds").get_by_role("button", name="a deletion").click()
    expect(clean.locator(".verdict")).to_have_text("Not this time: the search makes an insertion.")
    expect(clean.locator(".tally")).to_have_text(
        re.compile(r"Worth \d+% of what the search gains, over 4 moves; at random \d+%")
    )
    expect(clean.locator(".ask")).to_contain_text("no move to predict")
    press(clean, "Predict")
    expect(clean.locator(".guess")).to_be_hidden()


def test_a_move_is_guessed_once_and_only_if_it_is_possible(clean: Page, server: str) -> None:
    opened(clean, server)
    press(clean, "Predict")
    kinds = clean.locator(".kinds")
    expect(kinds.get_by_role("button", name="a deletion")).to_be_disabled()
    expect(node(clean, "warm")).to_have_attribute("role", "img")
    expect(node(clean, "tepid")).to_have_attribute("role", "button")
    expect(clean.locator(".scale")).to_be_hidden()
    press(clean, "Step forward")
    expect(clean.locator(".tally")).to_contain_text("Worth 0%")
    expect(clean.locator(".tally")).to_contain_text("1 skipped")
    expect(clean.locator(".scale")).to_be_visible()  # what each word gained alone, as a hint
    expect(node(clean, "warm")).to_have_attribute("role", "button")  # to delete tepid
    press(clean, "Step back")
    expect(clean.locator(".ask")).to_contain_text("You have seen this move")
    expect(node(clean, "tepid")).to_have_attribute("role", "img")
    for button in kinds.get_by_role("button").all():
        expect(button).to_be_disabled()


def test_predict_by_keyboard_alone(clean: Page, server: str) -> None:
    opened(clean, server, "&text=I+love+this+movie")
    clean.locator(".stepper .predict").focus()
    clean.keyboard.press("Enter")
    node(clean, "love").focus()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        clean.keyboard.press(key)
    expect(clean.locator(".verdict")).to_have_text("Right: favor is the move.")
    clean.locator(".kinds button.insert").focus()
    clean.keyboard.press("Enter")
    expect(clean.locator(".verdict")).to_have_text("The right kind: insertion.")


def test_a_stop_can_be_predicted(clean: Page, server: str) -> None:
    opened(clean, server, "&text=I+loved+this+movie&step=1")
    press(clean, "Predict")
    clean.locator(".kinds button.stop").click()
    expect(clean.locator(".verdict")).to_have_text("Right: no change helps any more.")
    expect(clean.locator(".said")).to_have_text(
        "A local optimum. All 2 neighbours were tried; none is better."
    )
    press(clean, "Last step")
    expect(clean.locator(".ending")).to_contain_text("All 2 neighbours were tried")
    expect(clean.locator(".ending")).to_contain_text("The complement, every substitute not chosen")


def test_a_population_is_shown_and_cannot_be_predicted(clean: Page, server: str) -> None:
    source = made("pso")
    opened(clean, server, "&search=PSO")
    press(clean, "Step forward")
    press(clean, "Step forward")
    check_step(clean, source, 2)
    expect(clean.locator(".legend")).to_contain_text("more particles have it")
    expect(clean.locator(".legend")).to_contain_text("Predict is off.")
    expect(clean.locator(".stepper .predict")).to_be_disabled()
    lead = sum(map(bool, source.result.steps[2].current.state))
    expect(clean.locator("g.node.elite")).to_have_count(lead)
    assert clean.locator("g.node.own").count() > 0
    assert clean.locator('g.node rect[style*="color-mix"]').count() > lead


def test_projector_mode_covers_the_page(clean: Page, server: str) -> None:
    source = made()
    stepper = opened(clean, server)
    press(clean, "Projector")
    box = stepper.bounding_box()
    size = clean.viewport_size
    assert box
    assert size
    assert (box["x"], box["y"]) == (0, 0)
    assert (round(box["width"]), round(box["height"])) == (size["width"], size["height"])
    top = "document.elementFromPoint(200, 20).shadowRoot?.querySelector('.stepper') != null"
    assert clean.evaluate(top)  # above the app's own header
    clean.locator(".stepper .next").click()
    check_step(clean, source, 1)
    clean.keyboard.press("Escape")
    expect(stepper.get_by_role("button", name="Projector", exact=True)).to_be_visible()
    assert clean.evaluate(f"!({top})")
    check_step(clean, source, 1)


def edges(page: Page, selector: str) -> tuple[float, float]:
    """Where something begins and ends on the screen, from top to bottom."""
    box = page.locator(selector).first.bounding_box()
    assert box
    return box["y"], box["y"] + box["height"]


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080), (390, 844)])
def test_the_projector_shows_all_at_once_and_nothing_on_top_of_another(
    clean: Page, server: str, width: int, height: int
) -> None:
    clean.set_viewport_size({"width": width, "height": height})
    opened(clean, server, "&projector=true")
    expect(clean.locator(".stepper.projector")).to_be_visible()
    for number in range(1, 5):
        clean.locator(".stepper .next").click()
        expect(clean.locator(".stepper")).to_have_attribute("data-step", str(number))
        bar = edges(clean, ".bar")
        assert bar[1] <= height + 1
        assert edges(clean, ".said")[1] <= edges(clean, ".now")[0]
        assert edges(clean, ".now")[1] <= edges(clean, ".panes")[0]
        if width > 900:
            assert edges(clean, "g.node.moved")[1] <= bar[0] or number == 4  # it moves no word
            for line in clean.locator(".code .on").all():
                box = line.bounding_box()
                assert box
                assert edges(clean, ".panes")[0] <= box["y"]
                assert box["y"] + box["height"] <= bar[0]


def test_a_phone_shows_the_picture_before_the_form(clean: Page, server: str) -> None:
    clean.set_viewport_size({"width": 390, "height": 844})
    opened(clean, server, "&step=2")
    form = clean.get_by_role("textbox", name="The sentence to attack").bounding_box()
    assert form
    assert edges(clean, ".stepper")[1] <= form["y"]
    assert edges(clean, ".bar")[1] <= 844 + 1  # it stays within reach


def test_telling_the_page_a_step_does_not_grey_the_picture(clean: Page, server: str) -> None:
    opened(clean, server)
    # What Streamlit does to all that may be out of date, when a run takes longer.
    shown = """element => {
        element.style.opacity = 0.33;
        return getComputedStyle(element).opacity;
    }"""
    assert clean.locator(".st-key-stepper").evaluate(shown) == "1"


def test_the_end_is_told_at_the_end(clean: Page, server: str) -> None:
    opened(clean, server)
    outcome = clean.get_by_text("The attack flips the label")
    expect(outcome).to_be_hidden()
    press(clean, "Last step")
    expect(outcome).to_be_visible()


def test_hovering_a_dot_tells_the_move(clean: Page, server: str) -> None:
    opened(clean, server)
    press(clean, "Step forward")
    clean.locator("circle.taken").hover(force=True)
    tip = clean.locator(".stepper > .tip")
    expect(tip).to_contain_text("warm → tepid")
    expect(tip).to_contain_text("score 0.0")


def test_open_a_trace_file(clean: Page, server: str, tmp_path: Path) -> None:
    source = made("ga", "a great film with a smart script")
    trace.save(source, tmp_path / "mine.json")
    opened(clean, server)
    clean.get_by_role("button", name="Open a trace file").click()
    clean.locator("input[type=file]").set_input_files(tmp_path / "mine.json")
    expect(clean.get_by_text("This is mine.json")).to_be_visible()
    check_step(clean, source, 0)
    (tmp_path / "other.json").write_text("{}")
    clean.locator("input[type=file]").set_input_files(tmp_path / "other.json")
    expect(clean.get_by_text("is not a Swapscope trace")).to_be_visible()


def test_a_real_victim_needs_no_model_for_a_bundled_sentence(clean: Page, server: str) -> None:
    clean.goto(f"{server}/step")
    expect(clean.locator(".said")).to_contain_text("The original sentence scores")
    press(clean, "Last step")
    expect(clean.locator(".text mark")).to_have_text(["faultless"])
    clean.get_by_role("combobox", name="Search").click()
    clean.get_by_role("option", name="GA", exact=True).click()
    expect(clean.locator(".code")).to_contain_text("elite ← the best member")
    expect(clean.locator(".stepper")).to_have_attribute("data-step", "0")


def test_a_long_run_can_be_stopped_and_started_again(clean: Page, server: str) -> None:
    text = "+".join(["film", "script"] * 150)
    clean.goto(f"{server}{LINK}&search=GA&target=positive&budget=100000&text={text}")
    expect(clean.get_by_text(re.compile("GA: [0-9,]+ queries, best score"))).to_be_visible()
    clean.get_by_role("button", name="Stop the search").click()
    expect(clean.get_by_text("The search was stopped before its end.")).to_be_visible()
    expect(clean.get_by_role("button", name="Stop the search")).to_have_count(0)
    clean.get_by_role("button", name="Run it again").click()
    expect(clean.get_by_text(re.compile("GA: [0-9,]+ queries, best score"))).to_be_visible()
    expect(clean.get_by_text("The search was stopped before its end.")).to_have_count(0)


def test_a_search_goes_on_when_the_visitor_who_began_it_leaves(
    clean: Page, server: str, browser: Browser
) -> None:
    text = "+".join(["terrible", "boring"] * 150)  # no few changes make it positive
    asked = "victim=bilstm-sst2&words=embedding&target=positive&budget=100000"
    link = f"{server}/step?{asked}&search=GA&seed=77&text={text}"
    told = re.compile("GA: [0-9,]+ queries, best score")

    def queries() -> int:
        words = clean.get_by_text(told).inner_text().split()
        return int(words[1].replace(",", ""))

    context = browser.new_context()
    first = context.new_page()
    first.goto(link)
    expect(first.get_by_text(told)).to_be_visible()
    clean.goto(link)
    expect(clean.get_by_text(told)).to_be_visible()
    before = queries()
    context.close()
    expect(clean.get_by_text(f"GA: {before:,} queries")).to_have_count(0)
    assert queries() > before
    expect(clean.get_by_role("button", name="Stop the search")).to_be_visible()


def test_the_focus_stays_in_projector_mode(clean: Page, server: str) -> None:
    stepper = opened(clean, server)
    press(clean, "Projector")
    for _ in range(15):
        clean.keyboard.press("Tab")
        assert stepper.evaluate("root => root.contains(root.getRootNode().activeElement)")


def test_markup_stays_text(clean: Page, server: str) -> None:
    opened(clean, server, "&text=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E+great")
    expect(clean.locator(".stepper .text")).to_have_text("<img src=x onerror=alert(1)> great")
    press(clean, "Last step")
    assert clean.locator(".stepper img").count() == 0


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("width", "search"), [(390, "Local+search"), (1280, "PSO")])
def test_nothing_is_cut_off_or_hard_to_reach(
    clean: Page, server: str, width: int, search: str, scheme: Scheme
) -> None:
    clean.set_viewport_size({"width": width, "height": 844})
    clean.emulate_media(color_scheme=scheme)
    opened(clean, server, f"&search={search}&step=2")
    expect(clean.locator(".plot canvas")).to_be_visible()
    check_page(clean, width)
    if search != "PSO":
        press(clean, "Predict")
        press(clean, "Projector")
        check_page(clean, width)
