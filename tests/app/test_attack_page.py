"""The first page through Streamlit's own test harness."""

import pytest
from streamlit.testing.v1 import AppTest

from app import charts, highlight
from core import SEARCHES, Attack, SearchSpace, function_goal, trace
from tests.core.cases import E1


def page() -> AppTest:
    return AppTest.from_file("../../pages/attack.py", default_timeout=30).run()


def attack(text: str) -> AppTest:
    app = page()
    app.text_area(key="text").input(text).run()
    assert not app.exception
    return app


def test_the_first_screen_is_a_finished_attack() -> None:
    app = page()
    assert not app.exception
    assert "succeeds" in app.success[0].value
    assert len(app.dataframe) == 2
    assert app.metric[2].label == "Queries"


def test_a_typed_sentence_is_attacked() -> None:
    app = attack("I love this movie")
    assert "more changed words than allowed" in app.warning[0].value
    assert [metric.value for metric in app.metric] == ["0.45", "2 of 4", "7", "9"]
    assert app.dataframe[0].value["change"].tolist() == ["", "love → favor", "movie → picture", ""]


def test_an_example_fills_the_sentence() -> None:
    app = page()
    app.selectbox(key="example").select("A pan").run()
    assert app.text_area(key="text").value.startswith("The plot is a mess")


def test_a_small_budget_is_kept() -> None:
    app = page()
    app.number_input(key="budget").set_value(5).run()
    assert "budget was spent" in app.info[0].value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no words"),
        ("?!…", "no words"),
        ("word " * 10_000, "10,000 words"),
        ("a\x07b", "U+0007"),
    ],
)
def test_bad_input_is_a_sentence_not_a_traceback(text: str, message: str) -> None:
    assert message in attack(text).error[0].value


@pytest.mark.parametrize("text", ["👍👍", "مرحبا بالعالم", "<u>x</u> & y", "x" * 5_000])
def test_odd_input_is_attacked_like_any_other(text: str) -> None:
    assert "fails" in attack(text).info[0].value


def test_highlighting_escapes_every_piece() -> None:
    space = SearchSpace((("<a>", '"b"'), ("c",)), ("<i>", "&", "</i>"))
    html = highlight.changed_words(space, (1, 0))
    assert "&lt;i&gt;" in html
    assert 'title="was: &lt;a&gt;"' in html
    assert ">&quot;b&quot;</mark>&amp;c&lt;/i&gt;" in html


def test_the_curve_is_drawn_from_the_trace() -> None:
    steps = Attack(E1.space, function_goal(E1.f), SEARCHES["ls"]()).run().steps
    curve = trace.curve(steps)
    (line,) = charts.query_curve(curve, None, requests=True).data
    assert list(line.x) == curve.requests.tolist()
    assert list(line.y) == curve.best.tolist()
