"""The typed lines of a results file."""

import json
from typing import Any

import pytest

from core import InputError
from core.experiment.inputs import Input, Skip
from core.experiment.records import (
    AttackRecord,
    ProofRecord,
    Record,
    Session,
    Swap,
    VictimJudgement,
    plain,
    records_of,
)
from tests.toys.experiment import plan

SWAPS = (Swap(1, "x"), Swap(3, "y", 2))
ATTACK = AttackRecord(
    *(1, "toy", "toy", "untargeted", "ls", 0, "success", 5, 6, 12, 3, SWAPS, 0.2, 0.9),
    answer="negative",
)
EVERY: tuple[Record, ...] = (
    Session(plan(), {"toy": ""}, {"python": "3.11"}, "2026-11-18T20:00:00+00:00"),
    Input(1, "A film.", ("positive",), {"premise": "Rain."}),
    Skip(2, "too_short", "2 words"),
    VictimJudgement("toy", 1, "positive", True),
    ATTACK,
    AttackRecord(1, "toy", "toy", "untargeted", "portfolio", 0, "success", member="ls", answer=""),
    AttackRecord(1, "toy", "toy", "untargeted", "greedy", 0, "error", error="It is away."),
    ProofRecord(
        1, "toy", "toy", "untargeted", "flip", 1, (Swap(0, "x"), Swap(3, "y")), 10**30, 7, 0.5
    ),
    ProofRecord(2, "toy", "toy", "untargeted", "error", error="It is away."),
)


def through_json(records: tuple[Record, ...]) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = json.loads(json.dumps([plain(each) for each in records]))
    return lines


def test_every_record_comes_back_from_its_line() -> None:
    assert records_of(through_json(EVERY)).all == EVERY
    assert list(records_of(through_json(EVERY)).of(Skip)) == [EVERY[2]]
    assert "member" not in plain(ATTACK)


def test_lines_from_before_are_read() -> None:
    session = through_json(EVERY)[0]
    del session["format"]
    data = session["plan"]["data"]
    data |= {"label": data.pop("reference"), "premise": ""}
    del data["context"]
    old = [
        session,
        {"kind": "input", "row": 1, "text": "A film.", "label": "positive", "premise": "Rain."},
        {"kind": "judged", "victim": "toy", "row": 1, "label": "positive"},
        {"kind": "judged", "victim": "other", "row": 1, "label": "negative"},
        {**through_json((ATTACK,))[0], "output": "negative"},
        {"kind": "of a later version"},
    ]
    del old[4]["answer"]
    wrong = VictimJudgement("other", 1, "negative", False)
    assert records_of(old).all == (EVERY[0], EVERY[1], EVERY[3], wrong, ATTACK)


@pytest.mark.parametrize(
    ("at", "changes"),
    [
        (1, {"reference": [3]}),
        (1, {"text": None}),
        (3, {"answer": ["positive"]}),
        (4, {"swaps": [["1", "x"]]}),
        (4, {"queries": "many"}),
        (4, {"victim": 1}),
    ],
)
def test_a_line_of_other_types_is_refused(at: int, changes: dict[str, Any]) -> None:
    lines = through_json(EVERY)
    lines[at] |= changes
    with pytest.raises(TypeError, match="in it is none"):
        records_of(lines)


def test_a_newer_format_is_a_sentence() -> None:
    with pytest.raises(InputError, match="format 99, which is newer"):
        records_of([{**through_json(EVERY)[0], "format": 99}])
