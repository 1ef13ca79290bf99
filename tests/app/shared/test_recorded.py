"""Attacks that come with the app."""

import json
from pathlib import Path

import numpy as np
import pytest

from app.shared import choices, recorded
from app.shared.recorded import Example
from core import trace
from core.substitutions.plausible import LEVELS

EXAMPLES = recorded.examples()
APPROVED = [one for one in EXAMPLES.values() if one.approved]


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_the_recorded_attack_is_what_the_victim_really_says(example: Example) -> None:
    known = recorded.find(example.spec)
    assert known is not None
    fresh = recorded.record(example)
    assert known.trace.space == fresh.space, "run python -m app.shared.recorded"
    assert known.trace.result.state == fresh.result.state
    assert known.trace.result.queries == fresh.result.queries
    task = known.trace.about
    for name in ("start", "end"):
        np.testing.assert_allclose(task[name], fresh.about[name], atol=1e-5)
    scores = [step.tried.scores for step in known.trace.result.steps]
    again = [step.tried.scores for step in fresh.result.steps]
    for one, other in zip(scores, again, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)


@pytest.mark.parametrize("example", APPROVED, ids=lambda one: one.title)
def test_what_is_shown_to_newcomers_was_read_and_falls_to_plausible_words(example: Example) -> None:
    known = recorded.find(example.spec)
    assert known is not None
    result, space = known.trace.result, known.trace.space
    assert (result.status, result.text) == ("success", example.approved)
    reasons = [space.reasons[at][result.state[at]] for at in space.changed(result.state)]
    assert {reason.partition(":")[0] for reason in reasons} <= {LEVELS[1], LEVELS[2]}


def test_there_are_examples_of_every_kind() -> None:
    groups = [choices.victim_group(example.victim) for example in APPROVED]
    assert len(groups) >= 8
    assert set(groups) == {"sst2", "ag", "snli"}


def test_a_recording_has_no_other_sentence_than_its_example() -> None:
    files = sorted(recorded.FOLDER.glob("*.json"))
    texts = [trace.load(path).about["text"] for path in files]
    assert sorted(texts) == sorted(example.text for example in EXAMPLES.values())


def test_another_attack_than_the_approved_one_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = Example("one", "I love this movie", "toy", "toy", approved="I adore this movie")
    monkeypatch.setattr(recorded, "examples", lambda: {"one": wrong})
    monkeypatch.setattr(recorded, "FOLDER", tmp_path)
    assert recorded.main() == 1
    assert "read it" in capsys.readouterr().out
    assert json.loads((tmp_path / "1.json").read_text())
