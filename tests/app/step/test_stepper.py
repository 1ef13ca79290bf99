"""What the stepper is told of a trace."""

import json

import pytest

from app.step.stepper import SCALE, stepper_data
from core import Attack, function_goal
from core.attack import Trace
from core.search.local import LocalSearch
from tests.toys.cases import E1, E3
from tests.toys.traced import LONG, made


def test_gains_and_states_are_the_traces_own() -> None:
    source = made("ls")
    data = stepper_data(source)
    json.dumps(data)
    for step, told in zip(source.result.steps, data["steps"], strict=True):
        assert tuple(told["state"]) == step.current.state
        assert (told["queries"], told["requests"]) == (step.queries, step.requests)
        sent = sorted(gain for moves in told["moves"].values() for gain in moves["gain"])
        gains = sorted(round((score - told["before"]) * SCALE) for score in step.tried.scores)
        assert sent == gains
    first = data["steps"][1]
    kind, number = first["chosen"]
    moves = first["moves"][kind]
    assert first["state"][moves["at"][number]] == moves["to"][number]
    assert first["moved"] == {1: "insert"}


def test_a_climbing_search_colours_the_lattice_by_its_first_sweep() -> None:
    result = Attack(E1.space, function_goal(E1.f), LocalSearch()).run()
    data = stepper_data(Trace(E1.space, result, {"search": "ls"}))
    assert data["columns"][1]["gains"] == [None, 10.0, 5.0, 2.0]
    assert data["range"] == 12.0
    assert data["kinds"] == ["insert", "delete", "exchange"]
    assert data["keep"] == [[0, 1, 2], [0, 1], [0, 1]]
    assert data["no_guess"] == ""


@pytest.mark.parametrize("key", ["pso", "ga"])
def test_a_population_is_shaded_by_its_shares(key: str) -> None:
    source = made(key, LONG)
    data = stepper_data(source)
    step, told = source.result.steps[2], data["steps"][2]
    people = [one.state for one in step.frontier]
    for name, share in told["shades"].items():
        at, choice = map(int, name.split(","))
        number = sum(state[at] == choice for state in people)
        assert share == pytest.approx(number / len(people), abs=0.001)
    used = {f"{at},{c}" for state in people for at, c in enumerate(state) if c}
    assert set(told["shades"]) == used
    lead = {f"{at},{c}" for at, c in enumerate(step.current.state) if c}
    assert {name for name, mark in told["marks"].items() if mark == "elite"} == lead
    assert ("own" in told["marks"].values()) == (key == "pso")
    assert "gains" not in data["columns"][1]
    assert "predict" in data["no_guess"]


def test_scores_are_greyed_out_where_the_search_sees_only_labels() -> None:
    assert "told no score" in stepper_data(made("ls-label"))["unseen"]
    assert stepper_data(made("ls"))["unseen"] == ""


def test_whole_sentences_are_told_by_what_differs() -> None:
    result = Attack(E3.space, function_goal(E3.f), LocalSearch()).run()
    data = stepper_data(Trace(E3.space, result, {"search": "ls"}))
    assert data["steps"][4]["moves"] == {"several": {"gain": [20 * SCALE], "sets": [[0, 2, 1, 2]]}}
    assert data["complement"].endswith("takes the optimum's place.")


def test_exchanges_between_two_words_and_hard_limits_are_sent_too() -> None:
    attack = Attack(
        E1.space, function_goal(E1.f), LocalSearch(exchange="any"), max_changed=0.4, hard_limit=True
    )
    data = stepper_data(Trace(E1.space, attack.run(), {"search": "ls"}))
    moves = data["steps"][2]["moves"]
    assert set(moves["exchange"]["back"]) == {-1, 0}
    assert set(moves["insert"]["gain"]) == {None}
