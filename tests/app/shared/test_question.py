"""What the pages ask is what an address says, of now and of before."""

from dataclasses import replace
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from app.shared import recorded
from core.edits import Edits
from core.options import Choice
from core.spec import AttackSpec
from tests.toys.counting import register
from tests.toys.pages import harness

TEXT = "A charming and often very funny film, with a smart script and a warm, honest ending."
PLAIN = AttackSpec("I love this movie", "toy", Choice("toy"), Choice("ls"), reference=("positive",))


def script() -> None:
    import streamlit as st

    from app.shared import question

    st.session_state["asked"] = question.ask()


def opened(address: str) -> AppTest:
    app = AppTest.from_function(script, default_timeout=60)
    for name, values in parse_qs(address).items():
        app.query_params[name] = values
    return app.run()


def asked(app: AppTest) -> AttackSpec:
    assert not app.exception
    found: AttackSpec = app.session_state["asked"].spec
    return found


@pytest.mark.parametrize(
    "spec",
    [
        PLAIN,
        replace(
            PLAIN,
            text=TEXT,
            substitution=Choice("toy", (), ("at-most=1",)),
            reference=("negative",),
            goal="targeted",
            target="positive",
            max_changed=0.4,
            hard_limit=True,
            edits=Edits((1,), ((4, "nice"),), ((0, "The"),)),
        ),
        AttackSpec(
            "A man is playing a guitar on the street.",
            "dnn-snli",
            Choice("toy"),
            Choice("ls"),
            "pair",
            {"premise": "A man plays & sings outside."},
            ("neutral",),
        ),
    ],
)
def test_a_page_asks_what_its_address_says(spec: AttackSpec) -> None:
    app = opened(spec.address())
    assert asked(app) == spec
    assert asked(app.run()) == spec  # the inputs say it too


@pytest.mark.parametrize(
    ("link", "spec"),
    [
        ("text=I+love+this+movie&victim=toy&words=toy", PLAIN),
        (
            "text=I+love+this+movie&victim=toy&words=toy&race=GA&race=PSO&seeds=30&label=negative",
            replace(PLAIN, reference=("negative",)),
        ),
        (
            "text=I+love+this+movie&victim=toy&search=ls&label=positive&target=negative&words=toy"
            "&budget=100000&limit=40&hard=true",
            replace(PLAIN, goal="targeted", target="negative", max_changed=0.4, hard_limit=True),
        ),
    ],
)
def test_links_from_before_still_open(link: str, spec: AttackSpec) -> None:
    app = opened(link)
    assert asked(app) == spec
    assert "label" not in app.query_params  # the address has the names of today
    changed = app.selectbox(key="reference").select("negative").run()
    assert asked(changed).reference == ("negative",)
    assert changed.query_params["reference"] == "negative"


@pytest.mark.parametrize("link", ["text=A+fine+film", "limit=40", "victim=bilstm-sst2"])
def test_what_an_old_link_leaves_unsaid_is_as_ever(link: str) -> None:
    spec = asked(opened(link))
    assert (spec.victim, spec.substitution) == ("bilstm-sst2", Choice("sememe"))
    assert spec.text == ("A fine film" if "text" in link else TEXT)


def test_a_newcomer_meets_the_first_example_at_a_plain_address() -> None:
    first = next(iter(recorded.examples().values())).spec
    app = opened("step=2")
    assert replace(asked(app), reference=()) == first
    assert set(app.query_params) == {"step"}
    changed = app.number_input(key="limit").set_value(50).run()
    said = dict(changed.query_params)
    assert {"text", "victim", "words", "limit"} <= set(said)  # a link of now says it all
    assert replace(asked(changed), reference=()) == replace(first, max_changed=0.5)


def test_edits_that_cannot_be_read_are_a_sentence_once() -> None:
    app = harness("lattice")
    for name, value in {"text": "I love this movie", "victim": "toy", "words": "toy"}.items():
        app.query_params[name] = value
    app.query_params["edits"] = "{"
    app.run()
    assert "edits in the address cannot be read" in app.error[0].value
    assert not app.run().error


def test_a_share_that_is_no_whole_percent_is_asked_as_it_is() -> None:
    spec = replace(PLAIN, max_changed=0.125)
    app = opened(spec.address())
    assert asked(app).max_changed == 0.125
    assert app.query_params["limit"] == "12.5"
    assert asked(app.run()) == spec


def test_a_number_out_of_range_is_the_nearest_and_says_so() -> None:
    app = harness("step")
    link = replace(PLAIN, search=Choice("pso"), seed=2_000_000, budget=200_000).address()
    for name, values in parse_qs(link).items():
        app.query_params[name] = values
    app.run()
    for _ in range(2):
        assert not app.exception
        said = [caption.value for caption in app.caption]
        assert "The address says 200,000; here it is at most 100,000." in said
        assert "The address says 2,000,000; here it is at most 1,000,000." in said
        assert app.number_input(key="seed").value == 1_000_000
        app.run()
    app.number_input(key="seed").set_value(7).run()
    assert not any("2,000,000" in caption.value for caption in app.caption)


@pytest.mark.usefixtures("counting")
def test_several_references_come_back_from_an_address() -> None:
    spec = AttackSpec(
        *(TEXT, "counter", Choice("toy"), Choice("ls")),
        context={"unit": "kind words"},
        reference=("5", "6"),
    )
    app = opened(spec.address())
    assert asked(app) == spec
    assert app.text_area(key="reference").value == "5 | 6"
    assert app.query_params["reference"] == ["5", "6"]
    assert asked(app.run()) == spec
    assert asked(app.text_area(key="reference").input("4 | 5 | 9").run()).reference == (
        *("4", "5", "9"),
    )


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)
