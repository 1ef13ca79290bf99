"""Attacks that come with the app."""

import numpy as np

from app.shared import recorded
from core import trace


def test_the_recorded_attack_is_what_the_victim_really_says() -> None:
    for path in sorted(recorded.FOLDER.glob("*.json")):
        known = trace.load(path)
        fresh = recorded.record(known.space.text(known.space.origin))
        assert known.space == fresh.space, f"{path.name}: run python -m app.shared.recorded"
        assert known.result.state == fresh.result.state
        assert known.result.queries == fresh.result.queries
        scores = [step.tried.scores for step in known.result.steps]
        again = [step.tried.scores for step in fresh.result.steps]
        for one, other in zip(scores, again, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-5)
