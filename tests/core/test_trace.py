"""Traces as rows, curves and files that replay without a victim."""

import copy
import io
import json
import os
import random
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import SEARCHES, Attack, Candidates, InputError, SearchSpace, function_goal, trace
from core.attack import Trace
from core.untrusted import TRACE
from tests.toys.cases import E1, E8
from tests.toys.memory import refusal
from tests.toys.narrow import narrow_trace
from tests.toys.spaces import SMALL, toy_case


def traced(key: str) -> Trace:
    space, goal = toy_case(SMALL)
    result = Attack(space, goal, SEARCHES[key](), max_changed=1.0).run()
    return Trace(space, result, {"victim": "toy", "search": key, "seed": 0})


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
    trace.save(Trace(space, result), tmp_path / f"run{suffix}")
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
        ("a.json", b'{"format": "swapscope-trace-2", "arrays": {}}', "not a Swapscope trace"),
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


def one_short(name: str) -> Callable[[Any], object]:
    return lambda arrays: arrays[name].pop()


def out_of_range(name: str) -> Callable[[Any], object]:
    return lambda arrays: arrays[name].__setitem__(1, 99)


TAMPERED: dict[str, Callable[[Any], object]] = {
    **{
        f"{name} one short": one_short(name)
        for name in ("base", "position", "choice", "restored", "scores", "successes", "fresh")
    },
    **{
        f"{name} out of range": out_of_range(name)
        for name in ("base", "position", "choice", "restored")
    },
    "bases one short": lambda arrays: arrays["bases"].pop(),
    "bases out of range": lambda arrays: arrays["bases"][0].__setitem__(0, 7),
    "current out of range": lambda arrays: arrays["current_state"][0].__setitem__(1, 9),
    "current hidden": lambda arrays: arrays["current_state"][-1].__setitem__(1, -1),
    "base out of the space": lambda arrays: arrays["base_state"][1].__setitem__(0, 9),
    "bases of steps one short": lambda arrays: arrays["base_score"].pop(),
    "current one more": lambda arrays: arrays["current_score"].append(0.5),
    "frontier one short": lambda arrays: arrays["frontier_state"].pop(),
    "negative count": lambda arrays: arrays["tried_count"].__setitem__(1, -1),
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


def npz(content: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, member in content.items():
            archive.writestr(f"{name}.npy", member)
    return file.getvalue()


def test_an_archive_of_zeros_takes_no_memory() -> None:
    data = npz({"header": b"\0" * 150_000_000})
    said = refusal(lambda: trace.loads(data, "bomb.npz"), 5)
    assert said == "bomb.npz unpacks to more than 100 MB; save a shorter search."


def test_a_file_that_declares_more_numbers_than_there_is_memory_is_refused(tmp_path: Path) -> None:
    """375 bytes: numpy made room for all of them, and nobody caught its MemoryError."""
    header = b"{'descr': '|u1', 'fortran_order': False, 'shape': (10000000000000,), }\n"
    start = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
    said = refusal(lambda: trace.loads(npz({"header": start}), "a.npz"), 5)
    assert "not a Swapscope trace" in said
    trace.save(traced("ls"), tmp_path / "a.npz")
    with zipfile.ZipFile(tmp_path / "a.npz") as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    members["scores.npy"] = start
    data = npz({name.removesuffix(".npy"): content for name, content in members.items()})
    assert "not a Swapscope trace" in refusal(lambda: trace.loads(data, "a.npz"), 5)


def test_a_long_text_among_numbers_does_not_widen_them_all(tmp_path: Path) -> None:
    """To find a type for the list, numpy gave each of its values the room of the longest text."""
    trace.save(traced("ls"), tmp_path / "a.json")
    content = json.loads((tmp_path / "a.json").read_text())
    content["arrays"]["scores"] = ["x" * 1_000_000] + [0] * 1_000
    data = json.dumps(content).encode()
    assert "not a Swapscope trace" in refusal(lambda: trace.loads(data, "a.json"), 30)


def change(content: dict[str, Any], name: str, value: object) -> None:
    content["arrays"][name][1] = value


HOSTILE: dict[str, Callable[[Any], object]] = {
    "a count of 2^62": lambda content: change(content, "tried_count", 2**62),
    "counts whose sum is too large": lambda content: change(content, "frontier_count", 2**31 - 1),
    "a number of 400 digits": lambda content: change(content, "queries", 10**400),
    "a score that is not finite": lambda content: change(content, "scores", 1e308),
    "no score at all": lambda content: change(content, "current_score", None),
    "scores in lists": lambda content: content["arrays"].update(scores=[[1.0]]),
    "a choice too wide": lambda content: content["space"].update(
        choices=[[str(n) for n in range(2_000_000)], *content["space"]["choices"][1:]]
    ),
    "reasons that are missing": lambda content: content["space"]["reasons"].pop(),
    "notes that are no texts": lambda content: content["space"].update(notes=[1, 2, 3, 4]),
    "words that are lists": lambda content: content["space"]["choices"][0].append(["x"]),
    "half a character": lambda content: content["space"]["gaps"].__setitem__(0, "\ud800"),
    "a million steps": lambda content: content.update(kinds=["insert"] * 1_000_000 + ["end"]),
    "steps without arrays": lambda content: content["kinds"].insert(0, "start"),
    "nothing but a number": lambda content: content.update(result=1),
    "a time of no length": lambda content: content["result"].update(seconds="x" * 100_000),
    "nested about": lambda content: content.update(about=json.loads("[" * 50 + "]" * 50)),
}


@pytest.mark.parametrize("fault", HOSTILE)
def test_what_would_break_a_page_is_refused(fault: str) -> None:
    content = json.loads(trace.dumps(traced("ls")))
    HOSTILE[fault](content)
    data = json.dumps(content).encode()
    refusal(lambda: trace.loads(data, "a.json"), 300)


def test_there_are_only_so_many_steps_candidates_and_choices(tmp_path: Path) -> None:
    """Each becomes an object, or a row of a table, though a file holds it in a byte or none."""
    run = traced("ls")
    first, *_, last = run.result.steps
    idle = replace(last, kind="generation", tried=last.tried[:0])
    start = replace(last, tried=Candidates.join([step.tried for step in run.result.steps], 4))
    crowd = replace(start, kind="init", frontier=(first.current,) * 500_001)
    wide = SearchSpace.from_choices([[f"{n}" for n in range(1_300_000)], ["b"], ["c"], ["d"]])
    long = SearchSpace.from_choices(
        [[word.ljust(10_000, "x") for word in column] for column in run.space.choices]
    )
    for space, steps, words in (
        (long, (replace(start, kind="start"), *[idle] * 2_000, last), "too long for so many steps"),
        (run.space, (replace(start, kind="start"), *[idle] * 20_000, last), "20,000 steps"),
        (run.space, (crowd, replace(last, tried=last.tried[:0])), "500,000 candidates"),
        (wide, run.result.steps, "larger than any attack has"),
    ):
        trace.save(Trace(space, replace(run.result, steps=steps)), tmp_path / "a.npz")
        with pytest.raises(InputError, match=words):
            trace.load(tmp_path / "a.npz")


@pytest.mark.parametrize(
    ("steps", "words", "frontier"), [(2, 195, 480_000), (19_000, 1_000, 0)], ids=str
)
def test_numbers_of_a_byte_are_not_made_wider(steps: int, words: int, frontier: int) -> None:
    """Files of 100 kB took up to 1.3 GB: each byte became four, and then an object's eight."""
    data = narrow_trace(steps, words, frontier)
    assert len(data) < 100_000
    assert "fewer bytes than Swapscope" in refusal(lambda: trace.loads(data, "a.npz"), 200)
    content = json.loads(trace.dumps(traced("ls")))
    content["arrays"]["frontier_state"] = [[0] * words] * (4_500_000 // words)
    data = json.dumps(content).encode()
    assert "more than 4,000,000 values" in refusal(lambda: trace.loads(data, "a.json"), 100)


def test_a_long_run_on_a_long_text_can_be_saved_and_opened() -> None:
    space = SearchSpace.from_choices([[f"{at}x{n}" for n in range(9)] for at in range(1_000)])
    goal = function_goal(lambda state: float(sum(state)))
    run = Attack(space, goal, SEARCHES["sgs"](), max_changed=1.0).run()
    assert len(run.steps) > 500
    saved = trace.packed(Trace(space, run))
    assert trace.loads(saved, "run.npz").result == run


@pytest.mark.parametrize("key", ["ls", "pso", "ibgs", "random"])
def test_what_fits_json_can_be_opened_again(key: str) -> None:
    space = SearchSpace.from_choices([[f"{at}x{n}" for n in range(9)] for at in range(100)])
    weights = np.random.default_rng(0).normal(size=(100, 9))
    goal = function_goal(lambda state: float(weights[np.arange(100), list(state)].sum()))
    run = Trace(space, Attack(space, goal, SEARCHES[key](), 5_000).run())
    share = run.nbytes / trace._MOST_IN_JSON
    text = trace.dumps(run)
    assert trace.fits_json(run)
    assert len(text) < share * TRACE.size
    assert text.count(",") < share * TRACE.values
    large = replace(run, result=replace(run.result, steps=run.result.steps * int(1 / share + 1)))
    assert not trace.fits_json(large)


def mutated(content: Any, rng: random.Random, odd: list[Any]) -> None:
    """Change, remove or add one thing somewhere in plain data."""
    parent, key = content, rng.choice(list(content))
    while isinstance(parent[key], dict | list) and parent[key] and rng.random() < 0.8:
        parent = parent[key]
        key = rng.choice(list(parent)) if isinstance(parent, dict) else rng.randrange(len(parent))
    match rng.randrange(4):
        case 0:
            del parent[key]
        case 1 if isinstance(parent, list):
            parent.insert(key, rng.choice(odd))
        case _:
            parent[key] = copy.deepcopy(rng.choice(odd))


def test_a_file_that_was_changed_anywhere_is_refused_or_can_be_used() -> None:
    rng = random.Random(0)
    odd: list[Any]
    odd = [None, True, -1, 0, 2**40, 1.5, "", "x", "\ud800", [], {}, [[]], ["a", "b"], "end", "ls"]
    files = [json.loads(trace.dumps(traced(key))) for key in ("ls", "pso", "swift")]
    for _ in range(600):
        content = copy.deepcopy(rng.choice(files))
        mutated(content, rng, odd)
        try:
            found = trace.loads(json.dumps(content).encode(), "a.json")
        except InputError:
            continue
        trace.rows(found.space, found.result.steps)
        trace.curve(found.result.steps)
        assert trace.loads(trace.dumps(found).encode(), "a.json") == found


def test_a_file_is_measured_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(TRACE.size + 1)
    assert "larger than 20 MB; save a shorter search" in refusal(lambda: trace.load(path), 1)
    trace.save(traced("ls"), path)
    assert trace.load(path, replace(TRACE, size=10**9)) == traced("ls")


def test_the_first_success_is_counted_in_queries() -> None:
    result = traced("ls").result
    asked = Candidates.join([step.tried for step in result.steps], len(result.state))
    for most in (1, 2, 4):
        fine = np.flatnonzero(asked.successes & (asked.moves.changed <= most))
        expected = int(asked.fresh[: fine[0] + 1].sum()) if len(fine) else None
        assert trace.first_success(result.steps, most) == expected
    assert trace.first_success(result.steps, 0) is None


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


@pytest.mark.parametrize(
    "phases",
    [["start"], ["start"] * 9, [1, 2, 3, 4], ["x" * 10_000] * 4, "abcd", None],
)
def test_odd_phases_are_refused(phases: object, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    trace.save(traced("ls"), file)
    data = json.loads(file.read_text())
    assert len(data["phases"]) == 4
    file.write_text(json.dumps({**data, "phases": phases}))
    with pytest.raises(InputError, match="not a Swapscope trace"):
        trace.load(file)
