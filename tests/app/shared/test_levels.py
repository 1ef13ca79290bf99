"""The ladder on Step through, and the slider of the loosest level on all pages."""

from time import sleep

import pytest
from streamlit.testing.v1 import AppTest

from app.shared.levels import swaps
from core.generators import follow
from core.ladder import Fall, climb
from core.options import Choice
from core.spec import AttackSpec
from core.victims import toy
from tests.toys.pages import harness

TEXT = "An ingenious film that the kids enjoyed and the critics found very funny and good."


def page(text: str = TEXT) -> AppTest:
    app = harness("step")
    for key, value in {"victim": "toy", "words": "plausible", "text": text}.items():
        app.session_state[key] = value
    return over(app.run())


def over(app: AppTest) -> AppTest:
    """The page when nothing runs any more."""
    for _ in range(600):
        assert not app.exception
        if not any(button.key in ("ladder.stop", "step.stop") for button in app.button):
            return app
        sleep(0.1)
        app.run()
    pytest.fail("it does not end")


def test_the_slider_sets_the_level_and_writes_it_into_the_address() -> None:
    app = page()
    slider = app.select_slider(key="level")
    assert slider.value == 2
    over(slider.set_value(1).run())
    assert app.query_params["substitution_option"] == "level=1"
    over(app.select_slider(key="level").set_value(2).run())
    assert "substitution_option" not in app.query_params


def test_only_plausible_words_have_levels() -> None:
    app = page()
    app.selectbox(key="words").set_value("synonym")
    over(app.run())
    assert not [slider for slider in app.select_slider if slider.key == "level"]


def test_the_ladder_is_climbed_on_demand() -> None:
    app = page()
    assert not any("The model " in one.value for one in app.markdown)
    over(app.button(key="ladder.begin").click().run())
    spec = AttackSpec(TEXT, "toy", Choice("plausible"), Choice("ls"), budget=2_000)
    fall: Fall = follow(climb(spec, toy.load()), lambda _: None)
    assert any(fall.verdict.rstrip(".") in one.value.replace("\\", "") for one in app.markdown)
    shown = next(one.value for one in app.dataframe if "substitutes" in one.value.columns)
    assert list(shown["queries"]) == [trace.result.queries for trace in fall.traces]


def test_a_swap_says_its_level_and_why() -> None:
    spec = AttackSpec(TEXT, "toy", Choice("plausible"), Choice("greedy"))
    last = follow(climb(spec, toy.load()), lambda _: None).traces[-1]
    found = swaps(last)
    assert len(found) == len(last.space.changed(last.result.state)) > 0
    assert {row["level"] for row in found} <= {"harmless", "close", "near", "any"}
    assert all(row["why"] for row in found)
