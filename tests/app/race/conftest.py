"""Lanes of a race that is over."""

import pytest

from app.race.lanes import Lane
from app.shared import traces
from tests.toys.racing import lane_of, toy_attack


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty store of traces."""
    monkeypatch.setattr(traces, "_traces", type(traces._traces)())


@pytest.fixture(scope="module")
def lanes() -> list[Lane]:
    return [
        lane_of("ls", [toy_attack("ls").run()]),
        lane_of("pso", [toy_attack("pso", seed, max_changed=1.0).run() for seed in range(5)]),
    ]
