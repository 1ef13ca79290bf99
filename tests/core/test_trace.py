"""Traces as rows, curves and files that replay without a victim."""

import json
import os
import random
from pathlib import Path

import numpy as np
import pytest

from core import SEARCHES, Attack, InputError, function_goal, trace
from tests.core.cases import E1, E8
from tests.core.test_search_contract import SMALL, toy_case


def traced(key: str) -> trace.Trace:
    space, goal = toy_case(SMALL)
    result = Attack(space, goal, SEARCHES[key](), max_changed=1.0).run()
    return trace.Trace(space, result, {"victim": "toy", "search": key, "seed": 0})


@pytest.mark.parametrize("suffix", [".json", ".npz"])
@pytest.mark.parametrize("key", SEARCHES)
def test_a_saved_trace_comes_back_equal(key: str, suffix: str, tmp_path: Path) -> None:
    original = traced(key)
    path = tmp_path / f"run{suffix}"
    trace.save(original, path)
    assert trace.load(path) == original
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", trace.SUFFIXES)
def test_states_beyond_a_hard_limit_are_kept_too(suffix: str, tmp_path: Path) -> None:
    space, goal = toy_case(SMALL)
    result = Attack(space, goal, SEARCHES["ls"](), hard_limit=True).run()
    assert any(np.isinf(step.tried.scores).any() for step in result.steps)
    trace.save(trace.Trace(space, result), tmp_path / f"run{suffix}")
    assert trace.load(tmp_path / f"run{suffix}").result == result
    assert "Infinity" not in (tmp_path / f"run{suffix}").read_text(errors="replace")


def test_npz_needs_no_pickle(tmp_path: Path) -> None:
    trace.save(traced("pso"), tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz", allow_pickle=False) as file:
        assert all(file[name].dtype != object for name in file.files)


def test_rows_tell_what_each_step_changed() -> None:
    run = traced("ls")
    rows = trace.rows(run.space, run.result.steps)
    assert [(row["kind"], row["change"]) for row in rows] == [
        ("start", ""),
        ("insert", "love → favor"),
        ("insert", "movie → picture"),
        ("end", ""),
    ]
    assert rows[2]["text"] == "I favor this picture"
    assert rows[1]["gain"] == pytest.approx(rows[1]["score"] - rows[0]["score"])


def test_the_curve_rises_at_the_exact_query() -> None:
    steps = Attack(E1.space, function_goal(E1.f), SEARCHES["ls"]()).run().steps
    curve = trace.curve(steps)
    assert curve.best.tolist() == [10, 22, 29, 43, 49, 49]
    assert curve.queries.tolist() == [1, 2, 8, 12, 16, 20]
    assert curve.requests[-1] == 31


def test_hidden_words_do_not_count_as_best() -> None:
    steps = Attack(E8.space, function_goal(E8.f), SEARCHES["ibgs"]()).run().steps
    assert 45 not in trace.curve(steps).best


def test_the_state_at_a_number_of_queries() -> None:
    steps = Attack(E1.space, function_goal(E1.f), SEARCHES["ls"]()).run().steps
    assert trace.at_queries(steps, 0).kind == "start"
    assert E1.words(trace.at_queries(steps, 12).current.state) == "a1 b1"
    assert E1.words(trace.at_queries(steps, 13).current.state) == "a2 b1"
    assert trace.at_queries(steps, 1_000).kind == "end"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", b"", "not a Swapscope trace"),
        ("a.json", b"[1, 2]", "not a Swapscope trace"),
        ("a.json", b'{"arrays": {}, "format": "other"}', "another format: other"),
        ("a.json", b'{"format": "swapscope-trace-1", "arrays": {}}', "not a Swapscope trace"),
        ("a.json", b"\xff\xfe", "not a Swapscope trace"),
        ("a.npz", b"not a zip file", "not a Swapscope trace"),
    ],
)
def test_a_wrong_file_is_refused(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message):
        trace.load(tmp_path / name)


@pytest.mark.parametrize(
    ("path", "value"), [(("kinds", 1), "dance"), (("result", "status"), "perhaps")]
)
def test_a_tampered_file_is_refused(
    path: tuple[str, str | int], value: str, tmp_path: Path
) -> None:
    file = tmp_path / "run.json"
    trace.save(traced("ls"), file)
    data = json.loads(file.read_text())
    data[path[0]][path[1]] = value
    file.write_text(json.dumps(data))
    with pytest.raises(InputError, match="unknown"):
        trace.load(file)


def break_counts(arrays: dict[str, list[object]]) -> None:
    arrays["tried_count"][1] = -1


TAMPERED = {
    **{
        f"{name} one short": lambda arrays, name=name: arrays[name].pop()
        for name in ("base", "position", "choice", "restored", "scores", "successes", "fresh")
    },
    **{
        f"{name} out of range": lambda arrays, name=name: arrays[name].__setitem__(1, 99)
        for name in ("base", "position", "choice", "restored")
    },
    "bases one short": lambda arrays: arrays["bases"].pop(),
    "bases out of range": lambda arrays: arrays["bases"][0].__setitem__(0, 7),
    "current out of range": lambda arrays: arrays["current_state"][0].__setitem__(1, 9),
    "current hidden": lambda arrays: arrays["current_state"][-1].__setitem__(1, -1),
    "current one more": lambda arrays: arrays["current_score"].append(0.5),
    "frontier one short": lambda arrays: arrays["frontier_state"].pop(),
    "negative count": break_counts,
    "queries that jump": lambda arrays: arrays["queries"].__setitem__(-1, 10**30),
    "requests that fall": lambda arrays: arrays["requests"].__setitem__(-1, 0),
    "success that is none": lambda arrays: arrays["current_success"].__setitem__(-1, False),
}


@pytest.mark.parametrize("fault", TAMPERED)
def test_what_no_attack_could_have_written_is_refused(fault: str, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    trace.save(traced("ls"), file)
    data = json.loads(file.read_text())
    TAMPERED[fault](data["arrays"])
    file.write_text(json.dumps(data))
    with pytest.raises(InputError, match="not a Swapscope trace"):
        trace.load(file)


def test_a_truncated_or_flipped_archive_is_refused_or_equal(tmp_path: Path) -> None:
    original = traced("ls")
    file = tmp_path / "run.npz"
    trace.save(original, file)
    good = file.read_bytes()
    rng = random.Random(0)
    for _ in range(200):
        bad = bytearray(good[: rng.randrange(1, len(good) + 1)])
        bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(8)
        file.write_bytes(bad)
        try:
            assert trace.load(file).result.steps == original.result.steps
        except InputError:
            continue


def test_deeply_nested_json_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("[" * 100_000)
    with pytest.raises(InputError, match="not a Swapscope trace"):
        trace.load(tmp_path / "run.json")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Could not read .*nothing\.json: No such file"):
        trace.load(tmp_path / "nothing.json")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_is_named_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "run.json.part").symlink_to("/dev/full")
    with pytest.raises(InputError, match="No space left"):
        trace.save(traced("ls"), tmp_path / "run.json")
    assert not (tmp_path / "run.json").exists()


def test_only_two_kinds_of_file_are_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.json or \.npz"):
        trace.save(traced("ls"), tmp_path / "run.pkl")
