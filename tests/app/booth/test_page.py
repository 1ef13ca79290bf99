"""The booth in Streamlit's harness."""

from pathlib import Path
from time import monotonic

import pytest
from streamlit.testing.v1 import AppTest

from app.booth import clearing, wall
from core.ladder import VERDICTS
from tests.toys.pages import harness, labels, press

FALLS = "The service was impeccable from the first evening to the last."


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wall, "data_folder", lambda: tmp_path)


def told(app: AppTest) -> str:
    return " ".join(text.value for text in [*app.markdown, *app.caption])


def typed(text: str) -> AppTest:
    app = harness("booth").run()
    assert not app.exception
    app.text_area(key="booth").input(text).run()
    for _ in range(50):
        assert not app.exception
        if not any(button.key == "booth.stop" for button in app.button):
            return app
        app.run()
    pytest.fail("the attack does not end")


def test_a_sentence_falls_at_a_level_and_hangs_on_the_wall_if_its_visitor_wants() -> None:
    app = typed(FALLS)
    assert VERDICTS[1] in told(app)
    assert "impeccable → faultless" in told(app)
    assert not wall.entries()
    press(app, "Show it on today's wall")
    (entry,) = wall.entries()
    assert (entry.original, entry.level, entry.changed) == (FALLS, 1, 1)
    assert "Show it on today's wall" not in labels(app)
    press(app, "Take down")
    assert not wall.entries()


def test_a_model_that_stands_is_told() -> None:
    app = typed("We sat there.")
    assert "stands up to level" in told(app)
    assert "Show it on today's wall" not in labels(app)


def test_again_empties_the_box() -> None:
    app = typed(FALLS)
    press(app, "Again")
    assert app.text_area(key="booth").value == ""
    assert VERDICTS[1] not in told(app)


def test_the_box_is_emptied_when_nobody_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    app = typed(FALLS)
    now = monotonic()
    monkeypatch.setattr(f"{clearing.__name__}.monotonic", lambda: now + clearing.LEFT - 5)
    assert app.run().text_area(key="booth").value == FALLS
    monkeypatch.setattr(f"{clearing.__name__}.monotonic", lambda: now + clearing.LEFT + 5)
    assert app.run().text_area(key="booth").value == ""


@pytest.mark.usefixtures("open_server")
def test_visitors_of_an_open_server_take_nothing_down() -> None:
    wall.add(wall.WallEntry(1, 1, 1, FALLS, "other"))
    app = harness("booth").run()
    assert "harmless · 1 word · 1 question to the model" in told(app)
    assert "Take down" not in labels(app)
