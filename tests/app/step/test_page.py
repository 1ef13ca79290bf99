"""The Step through page in Streamlit's harness."""

import json
from dataclasses import replace
from functools import partial
from threading import Event
from time import sleep
from typing import Any
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from app.shared import jobs, loaders, pickers, traces
from app.shared.question import Question
from app.shared.running import progress
from app.shared.traces import Store
from app.step.stepper import stepper_data
from core import SEARCHES, Attack, Goal, SearchSpace, trace, untargeted
from core.attack import Trace
from core.constraints import constrained
from core.search.swarm import ParticleSwarm
from core.spec import UNLIMITED, AttackSpec
from core.substitutions import toy as toy_words
from core.victims import toy
from tests.toys.pages import harness
from tests.toys.traced import LONG, SMALL, made


def page(text: str = SMALL, **inputs: Any) -> AppTest:
    app = harness("step")
    for key, value in {"victim": "toy", "words": "toy", "text": text, **inputs}.items():
        app.session_state[key] = value
    return over(app.run())


def over(app: AppTest) -> AppTest:
    """The page when its search has ended."""
    for _ in range(600):
        assert not app.exception
        if not any(button.label == "Stop the search" for button in app.button):
            return app
        sleep(0.1)
        app.run()
    pytest.fail("the search does not end")


def held_back(gate: Event, asked: Question) -> Goal:
    """The goal of a question that answers once, and then only when the gate is open."""
    goal, first = asked.spec.goal_on(toy.load(), asked.space), [True]

    def ask(inputs: Any) -> Any:
        assert (first and first.pop()) or gate.wait(20)
        return goal.ask(inputs)

    return replace(goal, ask=ask)


def shown(app: AppTest) -> dict[str, Any]:
    """The data that the component was given."""
    (component,) = app.get("bidi_component")
    told: dict[str, Any] = json.loads(component.proto.json)
    return told


def test_a_search_that_sees_only_labels_runs_without_telling_a_score() -> None:
    space = SearchSpace.from_text(SMALL, toy_words.load())
    goal = untargeted(toy.load(), space, "positive")
    for key, shown in (("ls", True), ("ls-label", False)):
        attack = Attack(space, goal, SEARCHES[key]())
        told = progress(attack, "it", attack.run().steps[0])
        assert told.startswith("it: 1 query")
        assert ("score" in told) == shown


def test_the_first_screen_is_the_recorded_attack(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(key: str, premise: str = "") -> None:
        raise AssertionError("no model may be loaded")

    monkeypatch.setattr(loaders, "victim", load)
    monkeypatch.setattr(loaders, "substitution", load)
    app = harness("step").run()
    assert not app.exception
    assert shown(app)["outcome"] == "The attack flips the label."
    assert not app.success  # the page does not tell the end before it is shown
    assert [step["kind"] for step in shown(app)["steps"]] == ["start", "insert", "end"]


@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_can_be_stepped_through(search: str) -> None:
    app = page(search=search)
    data = shown(app)
    assert data["steps"][0]["kind"] == "start"
    assert data["steps"][-1]["kind"] == "end"
    assert app.dataframe[0].value["kind"].tolist() == [step["kind"] for step in data["steps"]]
    assert data["code"]


def test_local_search_on_a_typed_sentence() -> None:
    app = page()
    assert shown(app)["outcome"] == (
        "The attack flips the label, but with more words than allowed: no success."
    )
    assert app.dataframe[0].value["change"].tolist() == ["", "love → favor", "movie → picture", ""]
    assert [step["said"] for step in shown(app)["steps"]][2] == (
        "Insertion movie → picture at word 4 raises the score from 0.450 to 0.550; the best "
        "deletion would have given 0.109, the best exchange 0.289. The goal is reached, "
        "but with more words than allowed: no success."
    )


def test_a_small_budget_is_kept() -> None:
    app = page(budget=3)
    assert "spends its budget" in shown(app)["outcome"]


def test_a_seed_makes_another_swarm() -> None:
    app = page(LONG, search="pso")
    before = shown(app)["id"]
    over(app.number_input(key="seed").set_value(1).run())
    assert shown(app)["id"] != before


def test_a_large_space_rules_out_exhaustive_search() -> None:
    app = page(f"{LONG} {LONG}", search="exhaustive")
    assert app.selectbox(key="search").value == "ls"
    assert any("Exhaustive is out" in line.value for line in app.caption)


def test_the_step_of_a_link_is_opened_and_another_trace_starts_anew() -> None:
    app = harness("step")
    app.query_params["step"] = "2"
    app.run()
    assert shown(app)["start"] == 2
    over(app.selectbox(key="search").select("greedy").run())
    assert shown(app)["start"] == 0


def test_a_link_brings_the_settings_of_its_attack() -> None:
    app = harness("step")
    about = {
        **{"victim": "toy", "words": "toy", "search": "pso", "seed": 3, "max_changed": 1.0},
        **{"search_option": ["population=4", "iterations=2"], "constraint": ["at-most=1"]},
    }
    for key, values in parse_qs(AttackSpec.of_plain(about, LONG).address()).items():
        app.query_params[key] = values
    over(app.run())
    space = SearchSpace.from_text(LONG, constrained(toy_words.load(), ["at-most=1"]))
    goal = untargeted(toy.load(), space, "positive")
    search = ParticleSwarm(population=4, iterations=2)
    result = Attack(space, goal, search, budget=UNLIMITED, seed=3, max_changed=1.0).run()
    wanted = {**stepper_data(Trace(space, result, about)), "start": 0}
    assert shown(app) == json.loads(json.dumps(wanted))
    assert any("population=4, iterations=2" in line.value for line in app.caption)
    over(app.selectbox(key="search").select("ga").run())  # which has no iterations
    assert not app.error
    assert "search_option" not in app.query_params
    assert app.query_params["constraint"] == "at-most=1"


def test_a_link_with_a_setting_that_was_given_up_still_opens() -> None:
    app = harness("step")
    about = {"victim": "toy", "words": "toy", "search": "swift", "max_changed": 0.5}
    options = {"search_option": ["limit=0.25", "thrift=4"]}
    for key, values in parse_qs(AttackSpec.of_plain({**about, **options}, LONG).address()).items():
        app.query_params[key] = values
    over(app.run())
    assert shown(app)["steps"][-1]["kind"] == "end"
    notes = [line.value for line in app.caption if "is ignored" in line.value]
    assert notes == [
        "The setting limit is ignored: the attack's own limit of changed words counts."
    ]


@pytest.mark.parametrize("setting", ["population=1000000000", "people=4", "population=many"])
def test_settings_of_a_link_that_do_not_fit_are_a_sentence(setting: str) -> None:
    app = harness("step")
    for key, value in {"search": "pso", "search_option": setting}.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    assert setting.partition("=")[0] in app.error[0].value


@pytest.mark.parametrize("step", ["99", "-1", "x", "9" * 5_000])
def test_a_link_to_no_step_is_harmless(step: str) -> None:
    app = harness("step")
    app.query_params["step"] = step
    app.run()
    assert shown(app)["start"] == (2 if step == "99" else 0)


def test_a_stopped_search_waits_to_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Event()
    monkeypatch.setattr(Question, "goal", property(partial(held_back, gate)))
    app = harness("step")
    for key, value in {"victim": "toy", "words": "toy", "text": SMALL, "search": "ga"}.items():
        app.session_state[key] = value
    app.run()
    assert "GA: 1 query" in app.get("progress")[0].proto.text
    app.button(key="step.stop").click().run()
    gate.set()
    assert "stopped before its end" in app.run().info[0].value
    assert shown(over(app.button(key="step.again").click().run()))["steps"]


@pytest.mark.parametrize("suffix", ["json", "npz"])
def test_a_trace_file_is_shown_instead_of_the_question(suffix: str, tmp_path: Any) -> None:
    source = made("ls")
    path = tmp_path / f"my_run.{suffix}"
    trace.save(source, path)
    app = page(LONG)
    app.file_uploader(key="step.file").set_value((path.name, path.read_bytes(), "")).run()
    assert not app.exception
    assert not app.text_area
    assert shown(app)["id"] == stepper_data(source)["id"]
    assert "my\\_run" in app.caption[0].value


def test_a_trace_file_is_read_once_for_everybody_until_it_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[str] = []
    loads = trace.loads

    def counted(data: bytes, name: str) -> Trace:
        read.append(name)
        return loads(data, name)

    first, second = (trace.dumps(made(key)).encode() for key in ("ls", "greedy"))
    tabs = page(), page()
    monkeypatch.setattr(trace, "loads", counted)
    for app in tabs:
        for name, data in (("one.json", first), ("two.json", second), ("again.json", first)):
            app.file_uploader(key="step.file").set_value((name, data, "application/json")).run()
            app.run()
            assert not app.exception
    assert read == ["one.json", "two.json"]
    monkeypatch.setattr(traces, "_traces", Store())
    assert not app.run().exception
    assert read == ["one.json", "two.json", "again.json"]


def test_what_is_drawn_counts_to_the_memory_of_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    size, data = made("ls").nbytes, trace.dumps(made("ls")).encode()
    monkeypatch.setattr(jobs, "SERVER_BYTES", 5 * size)
    mine, another = page(), page()
    assert not mine.error
    assert another.error[0].value.startswith("The memory of this server is full")
    app = page(LONG)
    app.file_uploader(key="step.file").set_value(("x.json", data, "application/json")).run()
    assert app.error[0].value.startswith("The memory of this server is full")


@pytest.mark.parametrize(("most", "name"), [(10**9, "Trace (JSON)"), (0, "Trace (NPZ)")])
def test_a_trace_is_offered_as_a_file_that_can_be_opened(
    most: int, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace, "_MOST_IN_JSON", most)
    button, _ = page().get("download_button")
    assert button.proto.label == name


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{}", "is not a Swapscope trace"),
        (b'{"format": "other", "arrays": {}}', "another format"),
        (trace.dumps(made("ls")).encode()[:80], "is not a Swapscope trace"),
        (b"[" * 100_000, "is not a Swapscope trace"),
        (b"[" + b"{}," * 600_000 + b"{}]", "lists and objects; save a shorter search"),
        (b" " * 20_000_001, "larger than 20 MB; save a shorter search"),
    ],
)
def test_another_file_is_refused_with_a_sentence(content: bytes, message: str) -> None:
    app = page()
    app.file_uploader(key="step.file").set_value(("x.json", content, "application/json")).run()
    assert message in app.error[0].value


def test_a_file_that_names_another_search_is_refused() -> None:
    source = made("random", LONG)
    data = trace.dumps(Trace(source.space, source.result, {"search": "ga"})).encode()
    app = page()
    app.file_uploader(key="step.file").set_value(("x.json", data, "application/json")).run()
    assert "not the steps of the search" in app.error[0].value


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
    assert message in page(text).error[0].value


@pytest.mark.parametrize("text", ["👍 film", "مرحبا film", "<u>film</u> &", f"{'x' * 4_990} film"])
def test_odd_input_is_attacked_like_any_other(text: str) -> None:
    assert "does not reach the goal" in shown(page(text))["outcome"]


def test_where_nothing_can_be_swapped_it_says_what_could_help() -> None:
    app = page("phenomenal")
    assert "No word of this sentence has a substitute by toy" in app.info[0].value
    assert not app.get("bidi_component")
    over(app.button(key="try.embedding").click().run())
    assert app.selectbox(key="words").value == "embedding"
    assert shown(app)["steps"]


def test_who_comes_back_finds_what_the_address_says(monkeypatch: pytest.MonkeyPatch) -> None:
    app = page(LONG, search="greedy")
    over(app.number_input(key="limit").set_value(50.0).run())
    monkeypatch.setattr(pickers, "came_back", lambda: True)
    address = {"text": SMALL, "victim": "toy", "words": "toy", "limit": "12.5", "step": "1"}
    app.query_params.clear()
    for key, value in address.items():
        app.query_params[key] = value
    over(app.run())
    assert app.text_area(key="text").value == SMALL
    assert app.number_input(key="limit").value == 12.5
    assert app.selectbox(key="search").value == "ls"
    assert shown(app)["start"] == 1


def test_a_wrong_name_in_a_link_is_told() -> None:
    app = harness("step")
    for key, value in {"search": "Particle swarm", "victim": "nobody", "words": "none"}.items():
        app.query_params[key] = value
    app.run()
    told = [line.value for line in app.caption]
    for name in ("Particle swarm", "nobody", "none"):
        assert any(f"“{name}”, which is not known here" in line for line in told)
    over(app.selectbox(key="search").select("greedy").run())
    assert not any("Particle swarm" in line.value for line in app.caption)
