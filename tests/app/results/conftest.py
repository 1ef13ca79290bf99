"""A place for experiments, and the results of a small one."""

from pathlib import Path

import pytest

from core.experiment import runner
from core.experiment.engines import Local
from core.experiment.results import Results
from tests.toys.experiment import plan


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where experiments are kept, two folders below anything else."""
    path = tmp_path / "data" / "experiments"
    path.mkdir(parents=True)
    monkeypatch.setenv("SWAPSCOPE_EXPERIMENTS", str(path))
    return path


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    path = tmp_path_factory.mktemp("results") / "small.results.jsonl"
    return runner.run(plan(), path, path.parent, Local(4))
