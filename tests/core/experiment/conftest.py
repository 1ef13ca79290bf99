"""What several tests of experiments share."""

import pytest

from core.experiment import runner
from core.experiment.engines import Local
from core.experiment.results import Results
from tests.toys.experiment import plan
from tests.toys.runs import run


@pytest.fixture(scope="session")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """The small experiment, one sentence at a time."""
    return run(tmp_path_factory.mktemp("alone") / "a.jsonl", plan(), Local(1))


@pytest.fixture(scope="session")
def done(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("tables")
    return runner.run(plan(goals=["untargeted"]), folder / "a.jsonl", folder, Local(4))
