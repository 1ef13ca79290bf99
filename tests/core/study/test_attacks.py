"""Saved attacks become items that link back."""

import json
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl
from zlib import crc32

import pytest

from core import SEARCHES, SUBSTITUTIONS, VICTIMS, Attack, SearchSpace, trace, untargeted
from core.attack import Trace
from core.errors import InputError
from core.experiment import runner
from core.experiment.engines import Local
from core.experiment.store import line_of
from core.study import attacks
from core.study.attacks import from_run, from_traces, read_run
from tests.toys import experiment
from tests.toys.memory import refusal

LABELS = ("negative", "positive")


def saved(tmp_path: Path, text: str, **about: Any) -> Trace:
    victim = VICTIMS["toy"]()
    space = SearchSpace.from_text(text, SUBSTITUTIONS["toy"]())
    attack = Attack(space, untargeted(victim, space, "positive"), SEARCHES["ls"](), max_changed=0.5)
    path = tmp_path / "run.json"
    trace.save(Trace(space, attack.run(), about), path)
    return trace.load(path)


def test_saved_traces_become_items_that_link_back(tmp_path: Path) -> None:
    about = {"search": "ls", "victim": "toy", "substitution": "toy", "label": "positive"}
    good = saved(tmp_path, "I love this movie", **about)
    nothing = saved(tmp_path, "This sentence has nothing", **about)
    unlabelled = saved(tmp_path, "I love this movie")
    named = [("a", good), ("b", nothing), ("c", unlabelled)]
    intake = from_traces(named, LABELS)
    attacked, control = intake.items
    assert (attacked.text, attacked.method, attacked.victim) == (
        "I favor this picture",
        "ls",
        "toy",
    )
    assert attacked.trace == (
        "text=I+love+this+movie&victim=toy&search=ls&seed=0&reference=positive&words=toy"
        "&budget=none&limit=25"
    )
    assert (control.text, control.kind) == ("I love this movie", "original")
    assert attacked.source == control.source
    assert ["Left out: b is not" in intake.faults[0][1], "c does not" in intake.faults[1][1]] == [
        True,
        True,
    ]
    assert len(from_traces([("a", good)], LABELS, controls=False).items) == 1


def test_a_trace_of_step_through_tells_its_label_as_a_number(tmp_path: Path) -> None:
    about = {
        **{"search": "pso", "victim": "toy", "words": "toy", "seed": 3, "budget": None},
        **{"label": 1, "target": 0, "max_changed": 0.5, "hard_limit": True, "premise": ""},
    }
    (attacked, _) = from_traces(
        [("a", saved(tmp_path, "I love this movie", **about))], LABELS
    ).items
    assert attacked.label == "positive"
    assert dict(parse_qsl(attacked.trace)) == {
        **{"text": "I love this movie", "victim": "toy", "words": "toy", "search": "pso"},
        **{"seed": "3", "budget": "none", "reference": "positive", "target": "negative"},
        **{"limit": "50", "hard": "true"},
    }


def test_a_batch_run_becomes_items_that_link_back(tmp_path: Path) -> None:
    path = tmp_path / "small.jsonl"
    done = runner.run(experiment.plan(), path, tmp_path, Local(1))
    intake = from_run(read_run(path.name, path.read_bytes()), LABELS)
    won = [attack for attack in done.attacks if attack.status == "success"]
    first = {(a.row, a.search, a.goal): a for a in reversed(won)}
    attacked = [item for item in intake.items if item.kind == "adversarial"]
    assert {(item.text, item.method) for item in attacked} == {
        (done.text(a), f"{a.search}, {a.goal}") for a in first.values()
    }
    assert len(attacked) == len(first)
    assert len(intake.faults) == len(done.attacks) - len(first)
    originals = {done.inputs[a.row].text for a in won}
    assert {item.text for item in intake.items if item.kind == "original"} == originals
    shown = [dict(parse_qsl(item.trace)) for item in attacked]
    assert {link["text"] for link in shown} == originals
    assert {link["search"] for link in shown} <= {"ls", "greedy", "pso"}
    swarms = [parse_qs(item.trace) for item in attacked if item.method.startswith("pso")]
    assert swarms
    assert all(set(one["search_option"]) == {"population=4", "iterations=2"} for one in swarms)
    targeted = [link for link in shown if "target" in link]
    assert targeted
    assert all({link["reference"], link["target"]} == set(LABELS) for link in targeted)
    assert len(from_run(done, LABELS, controls=False).items) == len(attacked)


def lines_of_a_run(tmp_path: Path) -> list[dict[str, Any]]:
    path = tmp_path / "small.jsonl"
    runner.run(experiment.plan(), path, tmp_path, Local(1))
    return [json.loads(line)["record"] for line in path.read_bytes().splitlines()]


def as_line(record: dict[str, Any]) -> bytes:
    """A line with its checksum, whatever the record holds."""
    body = json.dumps(record).encode()
    return b'{"check":"%08x","record":' % crc32(body) + body + b"}\n"


def test_a_batch_run_that_would_break_a_page_is_a_sentence(tmp_path: Path) -> None:
    records = lines_of_a_run(tmp_path)
    won = next(each for each in records if each.get("status") == "success")
    given = next(each for each in records if each["kind"] == "input")
    for record, changes in (
        (won, {"swaps": 3}),
        (won, {"swaps": [[0, ["x"]]]}),
        (won, {"swaps": [["0", "x"]]}),
        (won, {"search": ["ls"]}),
        (won, {"goal": 1}),
        (given, {"text": 7}),
        (given, {"context": None}),
        (given, {"context": {"premise": 3}}),
        (given, {"reference": [3]}),
        (records[0], {"format": 99}),
        (given, {"text": "\ud800"}),
        (records[0], {"plan": {**records[0]["plan"], "searches": "ls"}}),
        (records[0], {"plan": {**records[0]["plan"], "name": None}}),
        (records[0], {"more": json.loads("[" * 40 + "]" * 40)}),
        (records[0], {"more": float("inf")}),
    ):
        changed = [{**each, **changes} if each is record else each for each in records]
        content = b"".join(map(as_line, changed))
        refusal(partial(read_run, "run.jsonl", content), 5)


def test_a_batch_run_of_nothing_but_lines_takes_no_memory() -> None:
    said = refusal(lambda: read_run("run.jsonl", b"\n" * 10_000_000), 30)
    assert "holds no results" in said


def test_a_batch_run_that_is_too_long_is_not_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = lines_of_a_run(tmp_path)
    monkeypatch.setattr(attacks, "MOST_LINES", len(records) - 1)
    with pytest.raises(InputError, match="run fewer sentences"):
        read_run("run.jsonl", b"".join(map(line_of, records)))
    monkeypatch.setattr(attacks, "MOST_LINES", len(records))
    assert read_run("run.jsonl", b"".join(map(line_of, records))).attacks


@pytest.mark.parametrize("content", [b"", b"nonsense\n", line_of({"kind": "session"})])
def test_a_file_that_is_no_batch_run_is_a_sentence(content: bytes) -> None:
    with pytest.raises(InputError, match=r"run\.jsonl"):
        read_run("run.jsonl", content)
