"""Adding a search takes one file and one line, and nothing else misses it when they are gone."""

import importlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app.results import experiments
from app.results import views as experiment_views
from core import SEARCHES, trace
from core.__main__ import main
from core.experiment import runner
from core.experiment.engines import Local
from core.experiment.plan_file import make_plan
from tests.toys.pages import harness

TEXT = "A charming and often very funny film, with a smart script and a warm, honest ending."
FILE = '''
"""A search in a file of its own."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from core.narrate import Moment, sentences
from core.objective import Objective, Step
from core.search.card import Card, pseudocode
from core.search.protocol import Search
from core.space import SearchSpace


@dataclass(frozen=True)
class Stroll(Search):
    """Random changes of one word, each kept unless it lowers the score."""

    card: ClassVar[Card] = Card(
        title="Stroll",
        story="one random change after the other, kept unless it lowers the score.",
        colour="#123456",
        dash="longdash",
        randomised=True,
        pseudocode=pseudocode(
            """
look at the original         # start
for each stride
  change one word            # stride
return where it has come to  # end
"""
        ),
    )

    strides: int = 40

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        current = objective.one(space.origin)
        yield objective.step("start", current)
        for _ in range(self.strides):
            moves = space.neighbours(current.state)
            if current.success or not len(moves):
                return
            found = objective.one(moves[rng.randrange(len(moves))])
            if found.score >= current.score:
                kind, base = space.kind(current.state, found.state), current
                current = found
                yield objective.step(kind, current, phase="stride", base=base)

    @classmethod
    def describe(cls, moment: Moment) -> str:
        """A stride."""
        if moment.step.phase == "stride":
            return f"A stride: {sentences.move(moment)}."
        return sentences.of(moment)
'''


@pytest.fixture(autouse=True)
def _registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The file, and the line."""
    (tmp_path / "stroll.py").write_text(FILE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    before = {**SEARCHES}
    monkeypatch.setitem(SEARCHES, "stroll", importlib.import_module("stroll").Stroll)
    yield
    SEARCHES.clear()
    SEARCHES.update(before)  # in their order: pages start with the first
    del sys.modules["stroll"]


def page(name: str, **inputs: Any) -> AppTest:
    app = harness(name)
    for key, value in {"victim": "toy", "words": "toy", "text": TEXT, **inputs}.items():
        app.session_state[key] = value
    return checked(app.run())


def checked(app: AppTest) -> AppTest:
    assert not app.exception
    assert not app.error
    return app


def after(app: AppTest, done: Callable[[AppTest], bool]) -> AppTest:
    for _ in range(2_000):
        if done(app):
            return app
        time.sleep(0.02)
        checked(app.run())
    pytest.fail("waited in vain")


def component(app: AppTest) -> dict[str, Any]:
    (found,) = app.get("bidi_component")
    told: dict[str, Any] = json.loads(found.proto.json)
    return told


def test_it_is_listed_and_attacks_from_the_command_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["searches"]["stroll"]
    assert listed["about"].startswith("Stroll: one random change after the other")
    assert (listed["sees"], listed["randomised"]) == ("scores", True)
    file = tmp_path / "run.json"
    attack = ["attack", TEXT, "--search", "stroll", "--search-option", "strides=9", "--seed", "2"]
    assert main([*attack, "--trace", str(file)]) == 0
    assert "score" in capsys.readouterr().out
    assert {step.phase for step in trace.load(file).result.steps[1:-1]} == {"stride"}


def test_step_through_shows_its_pseudocode_and_its_sentences() -> None:
    app = after(page("step", search="stroll", seed=4), lambda one: bool(one.get("bidi_component")))
    data = component(app)
    assert [text for _, _, text in data["code"]][2] == "change one word"
    first = data["steps"][1]
    assert first["said"].startswith("A stride: ")
    assert first["lines"] == [3]
    assert data["steps"][-1]["lines"] == [4]
    assert "compares every change" in data["no_guess"]
    assert app.number_input(key="seed").value == 4  # which is only asked for a random search


def test_it_races() -> None:
    chosen = ["ls", "stroll"]
    app = page("race", race=chosen, seeds=2, budget=300, limit=100.0)
    app = after(app, lambda one: not any(button.label == "Cancel" for button in one.button))
    mine = component(app)["lanes"][1]
    assert mine["name"] == "Stroll, the first of 2 seeds"
    assert (mine["colour"], mine["dash"]) == ("#123456", "longdash")
    assert any("Stroll" in each.value and "2 of 2 seeds" in each.value for each in app.markdown)
    assert "Stroll" in app.multiselect(key="race").options


def test_an_experiment_with_it_has_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWAPSCOPE_EXPERIMENTS", str(tmp_path))
    assert "Stroll" in page("results").multiselect(key="new.searches").options
    content = {
        **{"name": "mine", "victims": ["toy"], "substitutions": ["toy"]},
        **{"searches": ["ls", "stroll"], "data": {"bundled": "sentiment"}, "limits": {"rows": 6}},
    }
    plan = make_plan(content)
    assert [len(choice.seeds) for choice in plan.searches] == [1, 10]
    path = tmp_path / f"mine{experiments.ENDING}"
    results = runner.run(plan, path, tmp_path, Local(4))
    (scenario,) = experiment_views.scenarios(results)
    figure = experiment_views.success_curves(results, scenario)
    assert {curve.name: curve.line.color for curve in figure.data}["Stroll"] == "#123456"
    html = " ".join(each.proto.body for each in page("results").get("html"))
    assert "stroll" in html


def test_theory_compares_it() -> None:
    part = "Optimum, bound, searches"
    app = page("theory", text="I love this movie", part=part, searches=["ls", "stroll"], runs=2)
    assert "Stroll" in app.multiselect(key="searches").options
    app = checked(app.button(key="theory.table.go").click().run())
    app = after(app, lambda one: bool(one.dataframe))
    rows = app.dataframe[0].value
    assert rows[rows["what"] == "Stroll"]["seed"].tolist() == [0, 1]


@pytest.mark.parametrize("key", ["ls", "pso", "swift"])
def test_without_the_line_of_a_search_every_page_goes_on(
    key: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    title = SEARCHES[key].card.title
    monkeypatch.delitem(SEARCHES, key)
    for name in ("lattice", "step", "race", "results"):
        app = page(name)
        offered = [option for one in (*app.selectbox, *app.multiselect) for option in one.options]
        assert title not in offered
    for part in ("Optimum, bound, searches", "Landscape"):
        page("theory", text="I love this movie", part=part)
    assert main(["list", "--json"]) == 0
    assert key not in json.loads(capsys.readouterr().out)["searches"]
    assert main(["attack", TEXT, "--search", "portfolio"]) == 0
