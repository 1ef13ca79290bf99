"""Recorded traces: any change in what a search does must be intended.

Record them anew with: python -m tests.core.search.test_golden
"""

import json
from typing import Any

import pytest

from core import SEARCHES, Attack
from core.objective import Step
from core.theory.searches import endless
from tests.toys.places import DATA
from tests.toys.spaces import random_case, toy_case

FILE = DATA / "golden.json"


def summary(step: Step) -> list[Any]:
    return [
        step.kind,
        "".join(map(str, step.current.state)),
        round(step.current.score, 9),
        round(float(sum(person.score for person in step.frontier)), 6),
        step.queries,
        step.requests,
    ]


def recorded(key: str) -> dict[str, Any]:
    small, sentence = random_case(2), toy_case()
    cases = {"small": small, "small, endless": (small[0], endless(small[1]))}
    if key != "exhaustive":
        cases["sentence, endless"] = (sentence[0], endless(sentence[1]))
    return {
        name: [summary(step) for step in Attack(*case, SEARCHES[key](), seed=11).run().steps]
        for name, case in cases.items()
    }


@pytest.mark.parametrize("key", json.loads(FILE.read_text()))
def test_a_search_does_what_it_did(key: str) -> None:
    assert recorded(key) == json.loads(FILE.read_text())[key]


if __name__ == "__main__":
    lines = (f"{json.dumps(key)}: {json.dumps(recorded(key))}" for key in SEARCHES)
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
