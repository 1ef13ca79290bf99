"""What searches say about themselves, and that nobody else says it."""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from core import SEARCHES, Attack, Objective, SearchSpace, Step
from core.experiment.plan_file import make_plan
from core.objective import INTERRUPTED
from core.search import COMPARED, name_of, registered, search_named
from core.search.card import Card, pseudocode
from core.search.label import LabelSearch
from core.search.protocol import card_of
from core.search.swift import Swift
from core.story import narrate
from tests.toys.narrating import varied_runs
from tests.toys.places import ROOT
from tests.toys.spaces import SMALL, toy_case

CHOICES = {
    "core/search/__init__.py",
    "app/shared/choices.py",
}  # the registry, and who chooses for others


def quoted_names(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    values = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    return {value for value in values if isinstance(value, str) and value in SEARCHES}


def test_the_name_of_a_search_stands_in_no_other_module() -> None:
    own: dict[str, set[str]] = {}
    for key, search in SEARCHES.items():
        own.setdefault(str(Path(inspect.getfile(search)).relative_to(ROOT)), set()).add(key)
    found = {}
    for path in (
        path for folder in ("core", "app", "pages") for path in ROOT.glob(f"{folder}/**/*.py")
    ):
        name = str(path.relative_to(ROOT))
        allowed = own.get(name, set())
        if name.startswith("core/substitutions/"):
            allowed = {"ga"}  # a rule for the neighbours of words has this name
        if name not in CHOICES and (others := quoted_names(path) - allowed):
            found[name] = others
    assert found == {}


def test_no_script_names_a_search() -> None:
    for path in (ROOT / "assets").rglob("*.js"):
        text = path.read_text(encoding="utf-8")
        assert not [key for key in SEARCHES if f'"{key}"' in text or f"'{key}'" in text]


@pytest.mark.parametrize("key", SEARCHES)
def test_a_card_is_complete(key: str) -> None:
    card = SEARCHES[key].card
    assert 1 < len(card.title) < 20
    assert 20 < len(card.about) < 100
    assert card.about.endswith(".")
    assert [line.number for line in card.pseudocode] == [*range(1, len(card.pseudocode) + 1)]
    assert len(card.pseudocode) > 3
    assert not (card.compares_all and card.no_guess)


def test_titles_and_looks_differ() -> None:
    cards = [search.card for search in SEARCHES.values()]
    assert len({card.title for card in cards}) == len(cards)
    assert len({(card.colour, card.dash) for card in cards}) == len(cards)


@pytest.mark.parametrize("key", SEARCHES)
def test_every_phase_that_a_line_names_is_one_the_search_comes_to(key: str) -> None:
    steps = [step for _, run in varied_runs(key) for step in run.steps]
    met = {name for step in steps for name in (step.phase, step.kind)}
    named = set().union(*(line.phases for line in SEARCHES[key].card.pseudocode))
    assert named <= met


@pytest.mark.parametrize("key", SEARCHES)
def test_every_step_tells_its_phase_and_what_it_started_from(key: str) -> None:
    for _, run in varied_runs(key):
        met = {run.steps[0].current}
        for step in run.steps:
            assert step.phase
            assert step.base in met
            met |= {step.current, *step.tried}
            if step.kind in ("insert", "delete", "exchange"):
                assert step.base is not None
                pairs = zip(step.base.state, step.current.state, strict=True)
                assert 1 <= sum(one != other for one, other in pairs) <= 2
        if run.status in ("budget", "cancelled"):
            assert run.steps[-2].phase == INTERRUPTED
        assert run.steps[-1].phase == f"end after {run.steps[-2].phase}"


def test_a_line_runs_in_the_phases_it_names_or_for_the_kinds() -> None:
    lines = pseudocode("one  # start\n  two  # sweep, stop\n— a comment —\nthree  # insert")
    card = Card(pseudocode=lines)
    assert [(line.indent, line.text) for line in lines[:2]] == [(0, "one"), (1, "two")]
    assert card.active_lines("sweep", "insert") == (2,)
    assert card.active_lines("another", "insert") == (4,)
    assert card.active_lines("another", "end") == ()


def test_a_search_without_a_card_runs_like_any_other() -> None:
    def bare(space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        yield objective.step("start", objective.one(space.origin))

    space, goal = toy_case(SMALL)
    result = Attack(space, goal, bare).run()  # type: ignore[arg-type]
    assert [step.kind for step in result.steps] == ["start", "end"]
    assert card_of(bare) == search_named("nobody").card == Card()
    assert card_of(LabelSearch()).sees == "labels"


@pytest.mark.parametrize("key", SEARCHES)
def test_without_its_line_in_the_registry_all_others_go_on(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = {other: varied_runs(other)[0] for other in ("portfolio", key)}
    monkeypatch.delitem(SEARCHES, key)
    assert key not in registered(COMPARED)
    assert name_of(Swift()) == ("Swift" if key == "swift" else "swift")
    for other, (space, run) in kept.items():  # a trace of the search itself is told by its moves
        assert len(narrate(space, run.steps, other, run.status)) == len(run.steps)
    content = {
        **{"name": "rest", "victims": ["toy"], "substitutions": ["toy"]},
        **{"searches": list(SEARCHES), "data": {"bundled": "sentiment"}},
    }
    assert [choice.method for choice in make_plan(content).searches] == list(SEARCHES)
