"""The race page in Streamlit's harness."""

import json
from typing import Any

from streamlit.testing.v1 import AppTest

from app.race import board
from core import SEARCHES, Attack, SearchSpace
from core.goals import function_goal
from tests.toys.pages import harness
from tests.toys.racing import SEARCHES_RACED, TEXT, lane_of, toy_attack, until


def test_all_count_the_words_that_may_change_alike() -> None:
    """0.58 * 50 is 28.999999999999996, and 58 % of 50 words are 29."""
    space = SearchSpace.from_choices([[f"a{at}", f"b{at}"] for at in range(50)])
    assert [space.allowed(share) for share in (0.58, 0.579, 0.0, 1.0)] == [29, 28, 0, 50]
    goal = function_goal(lambda state: float(sum(state)), lambda value: value >= 29)
    attack = Attack(space, goal, SEARCHES["ls"](), max_changed=0.58, hard_limit=True)
    result = attack.run()
    assert (result.status, sum(result.state)) == ("success", 29)
    assert board.board_data(space, [lane_of("ls", [result])], 0.58)["allowed"] == 29
    words = " ".join(["film"] * 50)
    app = done(page(text=words, limit=58, race=["ls", "greedy"]))
    figures = [json.loads(one.proto.spec) for one in app.get("plotly_chart")]
    told = [note["text"] for one in figures for note in one["layout"].get("annotations", [])]
    assert "limit: 29" in told


def page(**inputs: Any) -> AppTest:
    app = harness("race")
    small = {"victim": "toy", "words": "toy", "text": TEXT, "seeds": 2, "budget": 300}
    for key, value in {**small, **inputs}.items():
        app.session_state[key] = value
    app.run()
    return app


def done(app: AppTest) -> AppTest:
    until(lambda: not any(b.label == "Cancel" for b in app.run().button))
    assert not app.exception
    return app


def shown(app: AppTest) -> dict[str, Any]:
    (component,) = app.get("bidi_component")
    told: dict[str, Any] = json.loads(component.proto.json)
    return told


def text_of(app: AppTest) -> str:
    return " ".join(one.value for one in app.markdown)


def test_the_page_races_three_searches_to_the_end() -> None:
    app = done(page())
    assert "Queries spent until a search flips the label: Local search" in text_of(app)
    data = shown(app)
    assert [lane["search"] for lane in data["lanes"]] == list(SEARCHES_RACED)
    last = toy_attack("ls", budget=300).run().steps[-1]
    assert data["lanes"][0]["frames"][-1]["score"] == last.current.score
    labels = [button.label for button in app.button]
    assert labels.count("Open in Step through") == 3


def test_the_board_follows_the_cursor_of_a_link() -> None:
    app = page(**{"race.of": None})
    app = done(app)
    assert shown(app)["at"] is None
    app.session_state["race.at"] = 40
    app.run()
    assert shown(app)["at"] == 40
    assert app.query_params["at"] in ("40", ["40"])


def test_a_link_to_a_number_of_queries_that_is_none_is_harmless() -> None:
    app = harness("race")
    for key, value in {"victim": "toy", "words": "toy", "text": TEXT, "budget": 300}.items():
        app.session_state[key] = value
    app.query_params["at"] = "9" * 5_000
    app = done(app.run())
    assert shown(app)["at"] is None


def test_fewer_than_two_searches_are_asked_for() -> None:
    app = page(race=["ls"])
    assert "Pick two to four" in app.info[0].value


def test_a_bad_sentence_gets_a_sentence_back() -> None:
    assert "no words" in page(text="?!").error[0].value


def test_a_step_through_button_takes_search_and_seed_along() -> None:
    app = done(page())
    app.button(key="race.open.pso").click().run()
    assert (app.session_state["search"], app.session_state["seed"]) == ("pso", 0)
