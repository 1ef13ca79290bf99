"""The same answers from every engine, whatever becomes of its workers."""

import subprocess
import sys
import threading
from collections.abc import Generator
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from core import Attack, InputError
from core.errors import CoreError
from core.experiment import engines
from core.experiment.engines import Local, Pool
from core.experiment.inputs import Input
from core.experiment.records import AttackRecord
from core.experiment.results import Results
from core.experiment.runner import RunProgress
from core.experiment.work import JudgeWork, Work, WorkItem
from tests.toys.experiment import plan
from tests.toys.runs import LONG, run, same


def test_side_by_side_gives_the_same_results(tmp_path: Path, alone: Results) -> None:
    assert same(run(tmp_path / "a.jsonl", plan(), Local(8)), alone)


def test_a_pool_gives_the_same_though_workers_are_killed(
    tmp_path: Path, alone: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the main module is an app that must not be started again, as under Streamlit."""
    app = tmp_path / "app.py"
    app.write_text("raise SystemExit('started again')")
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(app), raising=False)
    started: list[subprocess.Popen[bytes]] = []

    class Watched(engines.Process):
        def _start(self) -> None:
            super()._start()
            started.append(self.process)

    def kill(progress: RunProgress) -> None:
        if progress.done in (2, 9):
            next(process for process in started if process.poll() is None).kill()

    monkeypatch.setattr(engines, "Process", Watched)
    assert same(run(tmp_path / "a.jsonl", plan(), Pool(2), kill), alone)
    assert len(started) == 4
    assert all(process.poll() is not None for process in started)


class Dead(engines.Process):
    """A worker whose process dies at every attack."""

    def submit(self, task: Work) -> Connection:
        pipe = super().submit(task)
        if isinstance(task, WorkItem) or getattr(task, "victim", "") == "dead":
            self.process.kill()
        return pipe


def test_a_task_that_kills_its_workers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "Process", Dead)
    asked = Input(1, LONG, ("positive",))
    item = WorkItem(asked, "toy", "toy", "untargeted", "ls", 0)
    with Pool(1).workers(plan()) as workers:
        (first, told), (second, error) = list(workers([item, JudgeWork("dead", (asked,))]))
    assert (first, second) == (item, JudgeWork("dead", (asked,)))
    assert isinstance(told, list)
    assert isinstance(told[0], AttackRecord)
    assert told[0].status == "error"
    assert "died 3 times" in told[0].error
    assert isinstance(error, CoreError)


def test_leaving_early_stops_the_attacks_in_flight(monkeypatch: pytest.MonkeyPatch) -> None:
    """The third attack would never end by itself; leaving cancels it."""
    started = threading.Event()
    plain = Attack.run

    def endless(attack: Attack) -> Any:
        if threading.active_count() and attack.seed == 1:
            started.set()
            while not attack.cancelled():
                threading.Event().wait(0.005)
        return plain(attack)

    monkeypatch.setattr(Attack, "run", endless)
    asked = Input(1, LONG, ("positive",))
    items = [WorkItem(asked, "toy", "toy", "untargeted", "ls", seed) for seed in (0, 1)]
    with Local(2).workers(plan()) as workers:
        finished = workers(items)
        assert next(finished)[0] == items[0]
        assert started.wait(20)
        assert isinstance(finished, Generator)
        finished.close()


@pytest.mark.parametrize("make", [lambda: Local(0), lambda: Pool(0)])
def test_an_engine_needs_somebody_to_work(make: Any) -> None:
    with pytest.raises(InputError, match=r"[Aa]t least 1"):
        make()
