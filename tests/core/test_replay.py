"""Old traces, which do not tell their phases: they open, and are told as they were."""

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core import trace
from core.attack import Trace
from core.objective import INTERRUPTED
from core.replay import with_phases
from core.story import certificate, narrate, remark
from tests.toys.places import DATA, ROOT

# Written by the code before steps had phases, each with the sentences it had for the trace.
OLD = json.loads(gzip.decompress((DATA / "traces_without_phases.json.gz").read_bytes()))
RECORDED = ROOT / "assets" / "recorded"


def opened(content: dict[str, Any], **about: Any) -> Trace:
    content = {**content, "about": {**content["about"], **about}}
    return trace.loads(json.dumps(content).encode(), "old.json")


def of(search: str, kind: str) -> dict[str, Any]:
    """An old trace of a search in which there is a step of a kind."""
    traces = (one["trace"] for one in OLD)
    return next(t for t in traces if t["about"]["search"] == search and kind in t["kinds"])


@pytest.mark.parametrize("search", sorted({one["trace"]["about"]["search"] for one in OLD}))
def test_an_old_trace_is_told_as_it_was(search: str) -> None:
    records = [one for one in OLD if one["trace"]["about"]["search"] == search]
    for one in records:
        old = opened(one["trace"])
        parts = (old.space, old.result.steps, search, old.result.status)
        story = narrate(*parts)
        assert [each.sentence for each in story] == one["sentences"], one["name"]
        assert [list(each.lines) for each in story] == one["lines"], one["name"]
        assert (certificate(*parts), remark(*parts)) == (one["certificate"], one["complement"])


def test_an_old_archive_and_the_recorded_first_screen_regain_their_phases() -> None:
    paths = (DATA / "trace_without_phases.npz", *sorted(RECORDED.glob("*.json")))
    assert len(paths) > 1
    for path in paths:
        assert all(step.phase and step.base for step in trace.load(path).result.steps)


def test_an_old_trace_saved_again_is_a_new_one(tmp_path: Path) -> None:
    old = opened(of("swift", "generation"))
    trace.save(old, tmp_path / "new.npz")
    assert trace.load(tmp_path / "new.npz") == old
    assert json.loads(trace.dumps(old))["format"] == trace.FORMAT


@pytest.mark.parametrize(
    "about",
    [
        {"search": "gone"},
        {"search": ["ls"]},
        {"search": "pso"},
        {"search_option": ["exchange"]},
        {"search_option": 5},
        {"max_changed": "much", "hard_limit": True},
    ],
)
def test_what_cannot_be_run_again_is_told_by_its_moves(about: dict[str, Any]) -> None:
    old = opened(of("ls", "insert"), **about)
    assert {step.phase for step in old.result.steps} <= {"", INTERRUPTED}
    story = narrate(old.space, old.result.steps, "ls", old.result.status)
    told = [one.sentence for one in story]
    assert told[0].startswith("The original sentence scores ")
    assert next(one for one in told if one.startswith("Insertion ")).count(";") == 0
    assert told[-1].startswith("The answer: ")
    again = trace.loads(trace.dumps(old).encode(), "new.json")
    assert again.result.steps == old.result.steps


def test_a_search_that_does_something_else_now_leaves_its_old_trace_as_it_is() -> None:
    content = of("ls", "insert")
    assert opened(content).result.steps[1].phase == "sweep"
    arrays = {**content["arrays"], "scores": [2 * score for score in content["arrays"]["scores"]]}
    assert {step.phase for step in opened({**content, "arrays": arrays}).result.steps} <= {
        *("", INTERRUPTED),
    }


def test_that_the_budget_was_spent_is_known_without_the_search() -> None:
    cut = next(t for t in (one["trace"] for one in OLD) if t["result"]["status"] == "budget")
    old = opened(cut, search="gone")
    assert [step.phase for step in old.result.steps][-2] == INTERRUPTED
    story = narrate(old.space, old.result.steps, "gone", "budget")
    assert story[-2].sentence.startswith("The search ends because the budget was spent.")


@pytest.mark.parametrize(
    ("search", "setting"),
    [("random", "batch"), ("ga", "population"), ("pso", "iterations"), ("ls-label", "draws")],
)
def test_a_file_cannot_ask_for_more_work_than_it_has_recorded(
    search: str, setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = opened(of(search, "start"))
    ran = []
    monkeypatch.setattr("core.replay._same", lambda one, other: ran.append(one))
    for size in (10_001, 10**12):
        about = {**old.about, "search_option": [f"{setting}={size}"]}
        assert not any(step.phase for step in with_phases(old.space, bare(old).result, about)[:-2])
    assert not ran


def test_a_search_that_goes_on_where_the_record_ends_is_stopped() -> None:
    old = bare(opened(of("random", "generation")))
    assert all(step.phase for step in with_phases(old.space, old.result, old.about))
    end = replace(old.result.steps[-1], tried=old.result.steps[1].tried)  # all answers are there
    begun = replace(old.result, status="failed", steps=(old.result.steps[0], end))
    assert not any(step.phase for step in with_phases(old.space, begun, old.about))


def bare(known: Trace) -> Trace:
    """A trace without its phases."""
    steps = tuple(replace(step, phase="", base=None) for step in known.result.steps)
    return replace(known, result=replace(known.result, steps=steps))
