"""The board of a race."""

import json

import pytest

from app.race import board
from app.race.lanes import Lane
from tests.toys.racing import SPACE


def test_the_board_shows_what_each_trace_holds(lanes: list[Lane]) -> None:
    data = board.board_data(SPACE, lanes, 0.25)
    json.dumps(data)
    assert data["most"] == max(lane.first.queries for lane in lanes)
    for lane, told in zip(lanes, data["lanes"], strict=True):
        assert told["population"] == (lane.search == "pso")
        for step, frame in zip(lane.first.steps, told["frames"], strict=True):
            words = [
                column["choices"][number]
                for column, number in zip(data["columns"], frame["state"], strict=True)
            ]
            expected = zip(SPACE.choices, step.current.state, strict=True)
            assert words == [column[choice] for column, choice in expected]
            assert frame["queries"] == step.queries
            for name, share in frame["shades"].items():
                at, number = map(int, name.split(","))
                choice = SPACE.choices[at].index(data["columns"][at]["choices"][number])
                has = sum(member.state[at] == choice for member in step.frontier)
                assert share == pytest.approx(has / len(step.frontier), abs=1e-3)
