"""A real run as a user starts it, killed at random moments and continued."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from core.__main__ import main
from core.experiment import results
from core.experiment.records import AttackRecord, records_of
from core.experiment.results import Results
from core.experiment.store import read
from tests.toys.places import ROOT

PLAN = """
name = "toy"
victims = ["toy"]
substitutions = ["toy"]
searches = [
    "ls",
    "greedy",
    { method = "pso", seeds = 3, options = { population = 8, iterations = 3 } },
]
data = { bundled = "sentiment" }
"""


def heed_ctrl_c() -> None:
    """A shell that starts the tests in the background has them ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(
    folder: Path, *options: str, before: Callable[[], None] = heed_ctrl_c
) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "core", "run", str(folder / "toy.toml"), *options]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=before,
    )


def stop_at(process: subprocess.Popen[str], path: Path, size: int, how: signal.Signals) -> bool:
    """Send a signal once the file is as large as that; whether it was still running."""
    while process.poll() is None:
        if path.exists() and path.stat().st_size >= size:
            process.send_signal(how)
            break
        time.sleep(0.001)
    process.wait()
    return process.returncode != 0


def answers(found: Results) -> object:
    return found.inputs, found.skipped, found.judged, found.attacks


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that nobody disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "toy.toml").write_text(PLAN, encoding="utf-8")
    out, err = start(folder).communicate()
    assert "finished" in out, err
    return folder


def table(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["table", str(folder / "toy.toml")]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("engine", ["local", "pool"])
def test_a_run_that_is_killed_continues_to_the_same_table(
    tmp_path: Path, whole: Path, capsys: pytest.CaptureFixture[str], engine: str
) -> None:
    """kill -9 when the file has reached random sizes, then a run to the end."""
    (tmp_path / "toy.toml").write_text(PLAN, encoding="utf-8")
    path, rng = tmp_path / "toy.results.jsonl", Random(7)
    end = (whole / "toy.results.jsonl").stat().st_size
    moments = sorted(rng.uniform(0, 0.95) for _ in range(20 if engine == "local" else 3))
    killed = 0
    for moment in moments:
        process = start(tmp_path, "--engine", engine)
        killed += stop_at(process, path, int(moment * end), signal.SIGKILL)
        process.communicate()
    assert killed >= len(moments) - 1  # the last one may have been too quick for us
    out, err = start(tmp_path, "--engine", engine).communicate()
    assert "finished" in out, err
    assert answers(results.load(path)) == answers(results.load(whole / "toy.results.jsonl"))
    assert table(tmp_path, capsys) == table(whole, capsys)
    keys = [each.key for each in records_of(read(path).records).of(AttackRecord)]
    assert len(keys) == len(set(keys))  # nothing was done twice


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_with_one_line_and_keeps_what_is_done(
    tmp_path: Path, whole: Path, how: signal.Signals
) -> None:
    (tmp_path / "toy.toml").write_text(PLAN, encoding="utf-8")
    path = tmp_path / "toy.results.jsonl"
    process = start(tmp_path)
    stop_at(process, path, (whole / "toy.results.jsonl").stat().st_size // 2, how)
    _, err = process.communicate()
    assert process.returncode == 130
    assert err.splitlines()[-1] == "swapscope: stopped"
    assert "Traceback" not in err
    done = results.load(path)
    assert done.attacks
    assert not done.finished


def test_a_full_disk_ends_with_a_sentence_and_the_rest_is_done_later(
    tmp_path: Path, whole: Path
) -> None:
    (tmp_path / "toy.toml").write_text(PLAN, encoding="utf-8")
    size = (whole / "toy.results.jsonl").stat().st_size // 2

    def small_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    process = start(tmp_path, before=small_disk)
    _, err = process.communicate()
    assert process.returncode == 2
    assert "What was finished before is safe; make room and run the same command again." in err
    path = tmp_path / "toy.results.jsonl"
    assert size - 1_000 < path.stat().st_size <= size
    assert read(path).damaged == []
    out, err = start(tmp_path).communicate()
    assert "finished" in out, err
    assert answers(results.load(path)) == answers(results.load(whole / "toy.results.jsonl"))


def test_the_workers_end_when_the_run_is_killed(tmp_path: Path) -> None:
    (tmp_path / "toy.toml").write_text(PLAN, encoding="utf-8")
    process = start(tmp_path, "--engine", "pool")
    path = tmp_path / "toy.results.jsonl"
    while not path.exists() or path.stat().st_size < 20_000:
        time.sleep(0.01)
        assert process.poll() is None
    tasks = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not tasks.exists():  # not Linux
        process.kill()
        pytest.skip("the children of a process are listed on Linux only")
    children = [int(child) for child in tasks.read_text().split()]
    process.kill()
    process.communicate()
    assert children
    for _ in range(6_000):
        if not any(_alive(child) for child in children):
            return
        time.sleep(0.01)
    pytest.fail("workers are still there")


def _alive(process: int) -> bool:
    """Whether a process runs; one that has ended and waits to be collected does not."""
    try:
        return os.path.exists(f"/proc/{process}") and " Z " not in Path(
            f"/proc/{process}/stat"
        ).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
