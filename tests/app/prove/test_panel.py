"""Prove it, on the pages that offer it."""

from time import sleep

import pytest
from streamlit.testing.v1 import AppTest

from app.lattice import beat
from app.prove import panel, work
from core.prove import Claim, claim_about, prove
from core.victims import toy
from tests.toys.pages import harness, labels, press
from tests.toys.small_question import play

SAFE = "A charming and often very funny film, with a smart script and a warm, honest ending."
SMALL = "I love this movie"


def page(name: str, text: str, **inputs: object) -> AppTest:
    app = harness(name)
    for key, value in {"victim": "toy", "words": "toy", "text": text, **inputs}.items():
        app.session_state[key] = value
    return over(app.run())


def over(app: AppTest) -> AppTest:
    """The page when nothing runs any more."""
    for _ in range(300):
        assert not app.exception
        if not any(label.startswith("Stop") for label in labels(app)):
            return app
        sleep(0.1)
        app.run()
    pytest.fail("it does not end")


def said(app: AppTest) -> str:
    return "\n".join(part.value for part in (*app.markdown, *app.caption, *app.error))


@pytest.mark.parametrize("name", ["step", "lattice"])
def test_a_page_proves_what_can_be_done(name: str) -> None:
    app = page(name, SMALL)
    assert "sentences change at most 1 of 4 words" in said(app)
    press(app, "Prove it")
    over(app)
    assert "Proved: nothing that an attack may write flips the label." in said(app)
    app.session_state["limit"] = 50.0
    over(app.run())
    press(app, "Prove it")  # another limit is another question
    over(app)
    assert "Proved: 2 words can do it; 1 word never do." in said(app)


def test_a_proof_that_is_stopped_can_be_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "SECONDS", 1e-9)
    app = page("step", SAFE)
    press(app, "Prove it")
    over(app)
    assert "Open: nothing is certain" in said(app)


def test_the_contest_ends_with_what_is_proved() -> None:
    mine = play(max_changed=1.0)
    claim = claim_about(toy.load(), mine.space, "positive", 1.0)
    (row,) = beat.proved(prove(claim))
    assert row["who"] == "proved: the fewest there is"
    assert row["words changed"] == 2
    (row,) = beat.proved(prove(Claim(claim.space, claim.goal, 1)))
    assert row["who"] == "proved: nobody can"
    assert beat.proved(None) == []


def test_what_is_told_of_a_proof_names_the_model_nowhere_as_html() -> None:
    assert "<" not in panel.WHY
