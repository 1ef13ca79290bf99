"""The Theory page, part by part, in Streamlit's harness."""

import json
from collections.abc import Generator
from functools import partial
from threading import Event
from time import sleep

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.shared import pickers, recorded
from app.theory import bound, by_hand, certificate, check, earlier_bound, landscape
from core import SearchSpace, function_goal, theory
from core.errors import require
from core.theory import Bound, Progress
from core.theory.instances import INSTANCES
from tests.toys.pages import harness, press

SMALL = "I love this movie"
PARTS = {
    "check": "Is f submodular?",
    "bound": "Optimum, bound, searches",
    "certificate": "Local optimum",
    "landscape": "Landscape",
    "earlier_bound": "Bounds compared",
    "hand": "Set functions by hand",
}


def page(part: str, text: str = SMALL, **address: str) -> AppTest:
    app = harness("theory")
    inputs = {"part": PARTS[part], "text": text, "victim": "toy", "words": "toy", **address}
    for key, value in inputs.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    return app


def go(app: AppTest, name: str) -> AppTest:
    return finished(app.button(key=f"theory.{name}.go").click().run())


def finished(app: AppTest) -> AppTest:
    for _ in range(100):
        assert not app.exception
        if not [button for button in app.button if button.label == "Stop"]:
            return app
        sleep(0.1)
        app.run()
    raise AssertionError("it never ends")


def said(app: AppTest) -> str:
    return "\n".join(part.value for part in app.markdown)


def test_the_check_says_its_price_and_finds_a_witness() -> None:
    app = page("check")
    assert "1 + 4 + 4 = **9 queries**" in said(app)
    assert not app.metric
    go(app, "check")
    assert [m.value for m in app.metric][:2] == ["4", "2"]
    assert "f is not submodular" in said(app)
    assert "Y ∪ {e}" in said(app)
    assert len(app.get("plotly_chart")) == 1
    assert len(app.dataframe[0].value) == 2


def test_a_link_to_a_part_that_was_computed_computes_it() -> None:
    app = page("check")
    assert "finished" not in app.query_params
    go(app, "check")
    assert app.query_params["finished"] == "true"
    linked = finished(page("check", finished="true"))
    assert [m.value for m in linked.metric] == [m.value for m in app.metric]
    app = finished(linked.slider(key="first").set_value(1).run())
    assert not app.metric  # only a link computes by itself
    assert "finished" not in app.query_params


def test_the_papers_numbers_are_an_example() -> None:
    app = page("check")
    app.toggle(key="example.paper").set_value(True).run()
    assert [m.value for m in app.metric][:3] == ["1", "1", "100.0%"]
    assert r"2.92\cdot 10^{-6}" in app.latex[-1].value
    assert r"4.77\cdot 10^{-6}" in app.latex[-1].value


def test_the_bound_is_told_honestly() -> None:
    app = go(page("bound"), "table")
    assert "The bound tells nothing" in said(app)
    assert "Local search finds the optimum here" in said(app)
    values = {m.label: m.value for m in app.metric}
    assert values[r"bound on $f(S)$"] == "0"
    table = app.dataframe[0].value
    assert list(table["what"][:4]) == ["optimum", "original", "Local search", "Greedy"]
    assert len(table) == 4 + 2 * 5 + 8


def test_the_sentence_of_the_paper_can_be_chosen() -> None:
    app = page("bound")
    press(app, "Use the sentence of the paper’s figure")
    assert app.session_state["text"] == bound.SENTENCE
    assert not app.error


def test_a_certificate_holds_at_the_end_and_not_at_a_success() -> None:
    app = go(page("certificate"), "certificate")
    assert "S is a local optimum. All 4 neighbours were tried; none is better" in said(app)
    app = page("certificate", "A charming and often very funny film, with a smart script.")
    app.toggle(key="early").set_value(True).run()
    go(app, "certificate")
    assert "no local optimum" in said(app)
    assert "stopped as soon as it succeeded" in said(app)
    app.selectbox(key="exchange").select("any").run()
    go(app, "certificate")
    assert "exchange of two words" in set(app.dataframe[0].value["move"])


def test_the_landscape_shares_its_table_with_the_bound() -> None:
    app = go(page("landscape"), "table")
    assert "1 local optimum among 9 sentences" in said(app)
    app.toggle(key="swarm").set_value(True).run()
    assert any("PSO asks for" in caption.value for caption in app.caption)
    finished(app.segmented_control(key="part").set_value(PARTS["bound"]).run())
    assert "The bound tells nothing" in said(app)  # nothing had to be asked again


def test_too_large_a_space_is_refused_with_a_sentence() -> None:
    words = "love great film movie funny smart script warm honest ending charming often " * 2
    app = page("landscape", words, most="3", first="20")
    assert "the limit is 200,000" in app.error[0].value
    assert not [button for button in app.button if button.key == "theory.table.go"]


def slow(monkeypatch: pytest.MonkeyPatch, gate: Event, error: str = "") -> None:
    """Make every enumeration tell one step, then wait for the gate."""

    def steps(*_: object) -> Generator[Progress, None, np.ndarray]:
        yield Progress(4, 9)
        assert gate.wait(20)
        require(not error, error)
        yield Progress(9, 9)
        return np.arange(9.0).reshape(1, 3, 1, 3) / 10

    monkeypatch.setattr(theory, "tabulate_steps", steps)


def test_the_page_can_be_used_while_it_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Event()
    slow(monkeypatch, gate)
    app = page("landscape")
    app.button(key="theory.table.go").click().run()
    assert app.get("progress")[0].proto.text == "4 of 9 queries"
    app.toggle(key="swarm").set_value(True).run()
    app.segmented_control(key="part").set_value(PARTS["earlier_bound"]).run()
    app.segmented_control(key="part").set_value(PARTS["landscape"]).run()
    assert app.get("progress")[0].proto.text == "4 of 9 queries"
    gate.set()
    finished(app)
    assert "1 local optimum among 9 sentences" in said(app)
    assert app.toggle(key="swarm").value


def test_a_stop_is_told_and_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Event()
    slow(monkeypatch, gate)
    app = page("landscape")
    app.button(key="theory.table.go").click().run()
    app.button(key="theory.table.stop").click().run()
    assert "Stopped" in app.info[0].value
    gate.set()
    go(app, "table")
    assert "among 9 sentences" in said(app)
    assert not app.info


def test_another_question_cancels_what_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Event()
    slow(monkeypatch, gate)
    app = page("landscape")
    app.button(key="theory.table.go").click().run()
    app.text_area(key="text").set_value("I love this great movie").run()
    assert [button.key for button in app.button] == ["attack", "theory.table.go"]  # and no Stop
    app.text_area(key="text").set_value(SMALL).run()
    assert [button.key for button in app.button] == ["attack", "theory.table.go"]
    gate.set()


def test_a_victim_that_breaks_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Event()
    gate.set()
    slow(monkeypatch, gate, "The service does not *answer*.")
    app = go(page("landscape"), "table")
    assert app.error[0].value == "The service does not \\*answer\\*."
    assert app.button(key="theory.table.go")


def test_bounds_compared() -> None:
    app = page("earlier_bound")
    assert len(app.get("plotly_chart")) == 2
    assert said(app).count("holds on") == 2
    app.slider(key="d").set_value(1.0).run()
    assert "the earlier one is" in app.caption[0].value


def test_sliders_are_part_of_the_address() -> None:
    app = page("earlier_bound", alpha="2.5", d="99")
    assert (app.slider(key="alpha").value, app.slider(key="d").value) == (2.5, 10.0)
    app.slider(key="d").set_value(3.5).run()
    assert app.query_params["d"] == "3.5"
    app.slider(key="d").set_value(3.0).run()
    assert "d" not in app.query_params  # where it starts
    app = page("earlier_bound", alpha="nan", d="-1")
    assert (app.slider(key="alpha").value, app.slider(key="d").value) == (1.0, 3.0)
    app = page("landscape", most="x", first="1")
    assert app.slider(key="most").value == 2
    assert app.slider(key="first").value == 1


@pytest.mark.parametrize("key", INSTANCES)
def test_every_instance_is_shown(key: str) -> None:
    app = page("hand")
    app.selectbox(key="instance").select(INSTANCES[key].title).run()
    assert not app.exception
    assert not app.error
    assert "Local search stops at" in said(app)
    limits = set(INSTANCES[key].matroid.limits)
    assert bool([b for b in app.button if b.key == "feed"]) == (limits == {1})


def test_an_instance_of_ones_own() -> None:
    app = page("hand")
    app.selectbox(key="instance").select("your own").run()
    app.slider(key="hand.positions").set_value(4).run()
    app.slider(key="hand.limit").set_value(2).run()
    assert not app.exception
    assert "$B_{4}$" in said(app)
    assert "Local search stops at 50 of 50" in said(app)


def test_an_instance_takes_the_place_of_a_sentence() -> None:
    app = page("hand")
    app.selectbox(key="instance").select("E7: stuck at 35 of 100").run()
    app.button(key="feed").click().run()
    assert "A set function by hand" in said(app)
    assert app.segmented_control(key="part").value == PARTS["hand"]  # nothing jumps
    app.segmented_control(key="part").set_value(PARTS["landscape"]).run()
    app.slider(key="most").set_value(3).run()
    go(app, "table")
    assert "10 local optima among 64 sentences" in said(app)
    assert "ends at f = 35, not the optimum" in said(app)
    app.button(key="back_to_sentences").click().run()
    assert app.text_area(key="text").value == SMALL


@pytest.mark.parametrize("text", ["", "…"])
def test_bad_input_is_a_sentence(text: str) -> None:
    assert len(page("check", text).error) == 1


@pytest.mark.parametrize("part", ["check", "bound", "certificate", "landscape"])
def test_a_sentence_without_substitutes_leaves_nothing_to_compute(part: str) -> None:
    app = page(part, "xyzzy")
    assert "No word of this sentence has a substitute" in app.info[0].value
    assert not [button for button in app.button if str(button.key).startswith("theory.")]


def test_one_word_with_substitutes_leaves_nothing_to_compare() -> None:
    app = go(page("check", "xyzzy love"), "check")
    assert "Nothing to compare" in said(app)
    go(page("certificate", "xyzzy love"), "certificate")
    go(page("landscape", "xyzzy love"), "table")
    assert "The bound tells" in said(finished(page("bound", "xyzzy love")))  # with the same table


def test_words_of_a_visitor_are_no_markup() -> None:
    assert pickers.plain("a|b *c* $d$\n[e](f)") == "a\\|b \\*c\\* \\$d\\$ \\[e\\](f)"
    assert pickers.plain(" 1. -- ~~b~~ &lt; ") == "1\\. -\u2060- \\~\\~b\\~\\~ \\&lt;"
    assert pickers.plain(":material/home:") == "\\:\u2060material/home\\:"
    space = SearchSpace.from_choices([["<b>", "<i>x"], ["$y$", "|z|"]])
    found = theory.landscape(np.array([[0.1, 0.2], [0.3, 0.1]]))
    assert landscape.rows(space, found)[0]["S"] == "{1_<i>x}"


def test_verdicts() -> None:
    flat: Bound[tuple[int, ...]] = Bound((0, 1), (1, 0), 0.4, 0.5, 0.1, 0.0, 0.0, 1, 1)
    space = SearchSpace.from_choices([["a", "a1"], ["b", "b1"]])
    assert "reaches 80% of the optimum" in bound.verdict(flat, space)
    assert "f(S) is at least 0.2." in bound.verdict(flat, space)
    empty: Bound[tuple[int, ...]] = Bound((0, 1), (1, 0), 0.4, 0.5, 0.5, 0.0, 0.0, 1, 1)
    assert "The bound tells nothing" in bound.verdict(empty, space)
    rising = theory.submodularity(space, function_goal(lambda state: float(sum(state))))
    assert "no proof" in check.verdict(rising)
    assert "never falls" in check.monotony(space, rising)
    goal = function_goal(lambda state: float(sum(state)))
    unfinished = theory.certify(space, goal, (0, 0))
    assert "ran out of its limit" in certificate.verdict(unfinished, early=False)
    assert "does not hold" in earlier_bound.statement_text(theory.check(1 / 3, 2), "1/3")


@pytest.mark.parametrize("name", ["lattice", "step", "race"])
def test_a_set_function_feeds_the_other_pages(name: str) -> None:
    app = harness(name)
    app.session_state["made"] = partial(by_hand.as_question, INSTANCES["goal"])
    app.run()
    assert not app.exception
    assert not app.error
    assert "A set function by hand" in said(app)
    assert "label" not in said(app)


@pytest.mark.parametrize(("exchange", "tried"), [("same", 6), ("any", 10)])
def test_theory_and_step_make_the_same_moves_with_the_same_exchange(
    exchange: str, tried: int
) -> None:
    app = page("hand")
    app.selectbox(key="exchange").select(exchange).run()
    rows = app.dataframe[-1].value
    assert rows["tried"][2] == tried
    app = harness("step")
    app.session_state["made"] = partial(by_hand.as_question, INSTANCES["exchange"])
    app.session_state["exchange"] = exchange
    app.run()
    assert not app.exception
    (component,) = app.get("bidi_component")
    data = json.loads(component.proto.json)
    told = [step["said"] for step in data["steps"]]
    assert told[:-1] == rows["in words"].tolist()
    assert told[2].startswith("Insertion w2 → b1 at word 2 raises f from 22 to 29; the best ")
    moves = data["steps"][2]["moves"]
    assert sum(len(table["gain"]) for table in moves.values()) == tried
    assert data["outcome"] == "The search comes to its own end, at f = 49."
    line = data["code"][9][2]
    assert line.startswith(f"e ∈ S, v ∉ S of {'the same' if exchange == 'same' else 'any'} word ")
    assert data["title"] == "f"
    assert not [word for word in ("attack", "0.490", "flips") if word in str(data)]


def test_the_instances_can_be_chosen_on_step() -> None:
    app = harness("step").run()
    app.button(key="use.goal").click().run()
    assert not app.exception
    assert "E8\\: with a goal**, f from 0 to 100, wanted above 50" in said(app)
    (component,) = app.get("bidi_component")
    assert json.loads(component.proto.json)["outcome"] == "The attack reaches the goal."


def test_without_its_set_function_a_page_opens_as_for_a_newcomer() -> None:
    app = harness("lattice")
    app.session_state["made"] = partial(by_hand.as_question, INSTANCES["goal"])
    app.run()
    del app.session_state["made"]
    app.run()
    assert not app.exception
    assert not app.error
    first = next(iter(recorded.examples().values()))
    assert app.text_area(key="text").value == first.text
    assert app.selectbox(key="victim").value == first.victim


def test_a_link_to_a_set_function_keeps_the_options_of_its_search() -> None:
    app = harness("step")
    app.session_state["made"] = partial(by_hand.as_question, INSTANCES["goal"])
    app.query_params.update({"search": "pso", "search_option": "population=7", "seed": "3"})
    app.run()
    assert not app.exception
    assert app.query_params["search_option"] == "population=7"
    assert (app.selectbox(key="search").value, app.number_input(key="seed").value) == ("pso", 3)
