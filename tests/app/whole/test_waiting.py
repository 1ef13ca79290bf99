"""Pages say the place of who waits, and work that nobody wants any more is cancelled."""

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app.results import experiments
from app.results.experiments import ENDING
from app.shared import jobs
from app.shared.turns import Turn
from tests.toys.experiment import plan
from tests.toys.held import one_turn
from tests.toys.pages import harness
from tests.toys.racing import TEXT, until
from tests.toys.turns import PLENTY


def test_the_lattice_says_that_it_keeps_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.lattice.play.VISITOR_BYTES", 10_000)
    app = page("lattice")
    assert app.button(key="scan").disabled
    assert "This text is too long to scan." in " ".join(part.value for part in app.caption)
    for number in range(20):
        app.session_state["play"].go((0, number % 2, *[0] * 14))
    assert app.run().warning[0].value.startswith("You have tried so many sentences")


def test_a_race_that_asks_too_much_is_refused() -> None:
    app = harness("race")
    for key, value in {"victim": "toy", "words": "toy", "seeds": "30", "budget": "100000"}.items():
        app.query_params[key] = value
    app.run()
    assert app.error[0].value == (
        "These 61 runs may ask the victim 6,100,000 times; the limit is 1,000,000. "
        "Lower the budget or the number of seeds."
    )
    assert not jobs.session_jobs("race").jobs


def page(name: str, **inputs: Any) -> AppTest:
    app = harness(name)
    for key, value in {"victim": "toy", "words": "toy", "text": TEXT, **inputs}.items():
        app.session_state[key] = value
    app.run()
    assert not app.exception
    return app


def shown(app: AppTest) -> str:
    text: str = app.get("progress")[0].proto.text
    return text


WAITING = "Waiting for a turn: 2 before you"


def test_step_says_its_place_and_starts_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = one_turn(monkeypatch, before=2)
    app = page("step", search="pso")
    assert shown(app) == WAITING
    turns = jobs.ATTACKS
    turns.give_back(taken)
    assert shown(app.run()) == "Waiting for a turn: 1 before you"
    turns.limits = PLENTY
    turns.withdraw(Turn())  # any change gives the turns that are free
    until(lambda: app.run().get("bidi_component"))
    assert not app.exception


def test_a_race_says_its_place_and_starts_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    one_turn(monkeypatch, before=2)
    app = page("race", seeds=2, budget=300)
    texts = [part.proto.text for part in app.get("progress")]
    assert len(texts) == 3
    assert texts[0] == f"Local search\\: {WAITING.replace(':', chr(92) + ':')}"
    assert all("2 before you" in text for text in texts)
    assert "#### The searches wait for their turns …" in [part.value for part in app.markdown]
    app.button(key="race.cancel.pso").click().run()
    assert "PSO\\: is cancelled" in " ".join(part.value for part in app.markdown)
    jobs.ATTACKS.limits = PLENTY
    jobs.ATTACKS.withdraw(Turn())
    until(lambda: not any(button.label == "Cancel" for button in app.run().button))
    assert [button.label for button in app.button] == [
        *("Attack", "Open in Step through", "Run again", "Open in Step through")
    ]


def test_the_lattice_says_the_place_of_a_scan_and_of_local_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one_turn(monkeypatch, before=2)
    app = page("lattice")
    app.button(key="compare").click().run()
    app.button(key="give_up").click().run()
    assert shown(app) == WAITING
    assert app.get("bidi_component")  # the page can be used meanwhile
    app.button(key="scan").click().run()
    assert [part.proto.text for part in app.get("progress")] == [WAITING] * 2
    jobs.ATTACKS.limits = PLENTY
    jobs.ATTACKS.withdraw(Turn())
    until(lambda: not app.run().get("progress"))
    assert app.button(key="scan").disabled
    assert app.session_state["play"].scanned
    assert "Go on swapping" in " ".join(part.value for part in app.markdown)


def test_theory_says_its_place_and_starts_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    one_turn(monkeypatch, before=2)
    app = page("theory", part="Landscape", text="I love this movie")
    app.button(key="theory.table.go").click().run()
    assert shown(app) == WAITING
    jobs.ATTACKS.limits = PLENTY
    jobs.ATTACKS.withdraw(Turn())
    until(lambda: not app.run().get("progress"))
    assert "among 9 sentences" in " ".join(part.value for part in app.markdown)


def test_experiments_and_training_have_a_queue_of_their_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SWAPSCOPE_EXPERIMENTS", str(tmp_path))
    one_turn(monkeypatch, "EXPERIMENTS", before=2)
    experiments.start(plan(name="mine"))
    app = harness("results").run()
    assert shown(app) == WAITING
    app.button(key="harden.go").click().run()
    assert not app.exception
    assert {part.proto.text for part in app.get("progress")} == {
        WAITING,
        WAITING.replace("2", "3"),  # who came later
    }
    app.button(key="harden.stop").click().run()
    assert "nothing was kept" in app.info[0].value
    run = experiments.run_of(tmp_path / f"mine{ENDING}")
    assert run is not None
    assert run.waiting
    jobs.EXPERIMENTS.limits = PLENTY
    jobs.EXPERIMENTS.withdraw(Turn())
    until(lambda: not run.running)
    assert experiments.read(tmp_path / f"mine{ENDING}").finished
    assert not app.run().get("progress")


def test_training_goes_on_after_the_connection_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    one_turn(monkeypatch, "EXPERIMENTS", before=0)
    app = harness("results").run()
    app.button(key="harden.go").click().run()
    first = app.session_state["harden.run"]
    jobs.session_jobs("harden").close()  # as Streamlit does it
    assert first.cancelled
    assert shown(app.run()) == "Waiting for a turn: you are next"
    assert app.session_state["harden.run"] is not first
    app.button(key="harden.stop").click().run()
    assert "nothing was kept" in app.info[0].value


@pytest.mark.parametrize("other", ["lattice", "step", "race", "theory"])
def test_a_question_that_is_changed_on_any_page_cancels_the_old_ones_work(
    monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    one_turn(monkeypatch)
    page("race", seeds=2)
    page("step", search="pso")
    page("theory", part="Landscape")  # asks first which words matter
    app = page("lattice")
    app.button(key="scan").click().run()
    app.button(key="compare").click().run()
    app.button(key="give_up").click().run()
    purposes = ("race", "step", "theory", "scan", "beat")
    held = {purpose: jobs.session_jobs(purpose).jobs for purpose in purposes}
    assert [len(held[purpose]) for purpose in purposes] == [5, 1, 1, 1, 1]
    page(other, text="I love this movie", race=["ls", "greedy"], part="Bounds compared")
    old = [job for purpose in purposes for job in held[purpose]]
    if other == "theory":  # a part that asks no question
        assert not any(job.cancelled for job in old)
    else:
        assert all(job.cancelled for job in old)
        assert not any(job.running for job in old)


def test_a_sentence_that_cannot_be_attacked_cancels_too(monkeypatch: pytest.MonkeyPatch) -> None:
    one_turn(monkeypatch)
    page("race", seeds=2)
    held = jobs.session_jobs("race").jobs
    app = page("lattice", text="?!")
    assert "no words" in app.error[0].value
    assert all(job.cancelled for job in held)


def test_another_limit_keeps_what_does_not_depend_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    one_turn(monkeypatch)
    page("theory", part="Landscape")  # asks first which words matter
    page("race", seeds=2)
    (gains,), runs = jobs.session_jobs("theory").jobs, jobs.session_jobs("race").jobs
    page("lattice", limit=50)
    assert gains.running
    assert all(run.cancelled for run in runs)
