"""The same experiment on a Ray cluster of two workers, one of which is killed."""

import os
import signal
from pathlib import Path

import pytest

from core import CoreError, InputError, ResourceMissingError
from core.experiment import cluster, runner
from core.experiment.cluster import ClusterWorker, Ray
from core.experiment.engines import Local
from core.experiment.plan import Plan
from core.experiment.runner import RunProgress
from tests.toys.experiment import plan

# Ray's own code, on a session that ends with its processes.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::FutureWarning")


class Told(ClusterWorker):
    """A worker that leaves a file with the number of its process."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        Path(os.environ["SWAPSCOPE_TEST_PIDS"], str(os.getpid())).touch()


def test_the_same_results_though_a_worker_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pids").mkdir()
    monkeypatch.setenv("SWAPSCOPE_TEST_PIDS", str(tmp_path / "pids"))
    monkeypatch.setattr(cluster, "ClusterWorker", Told)
    killed: list[int] = []

    def kill(progress: RunProgress) -> None:
        if progress.done == 5:
            killed.append(int(sorted(os.listdir(tmp_path / "pids"))[0]))
            os.kill(killed[0], signal.SIGKILL)

    alone = runner.run(plan(), tmp_path / "alone.jsonl", tmp_path, Local(4))
    far = runner.run(plan(), tmp_path / "far.jsonl", tmp_path, Ray(processes=2), kill)
    assert killed
    assert len(os.listdir(tmp_path / "pids")) == 3
    assert far.finished
    assert (far.inputs, far.skipped, far.judged) == (alone.inputs, alone.skipped, alone.judged)
    assert far.attacks == alone.attacks


@pytest.mark.parametrize(
    ("address", "said"),
    [("127.0.0.1:1", "There is no Ray cluster at"), ("nowhere", "as HOST:PORT")],
)
def test_a_wrong_address_is_said_at_once(tmp_path: Path, address: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        runner.run(plan(), tmp_path / "a.jsonl", tmp_path, Ray(address))


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CoreError, match="At least 1 worker"):
        Ray(processes=0)
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    with pytest.raises(ResourceMissingError, match="python -m pip install ray"):
        runner.run(plan(), tmp_path / "b.jsonl", tmp_path, Ray())
