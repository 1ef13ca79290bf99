"""Running a small experiment, and whether two runs found the same."""

from pathlib import Path
from typing import Any

from core.experiment import runner
from core.experiment.engines import Local
from core.experiment.plan import Plan
from core.experiment.results import Results

LONG = "This film is good and great and bad and nice and that is all there is."


def run(path: Path, what: Plan, engine: Any = None, watch: Any = lambda progress: None) -> Results:
    return runner.run(what, path, path.parent, engine or Local(4), watch)


def same(one: Results, other: Results) -> bool:
    return (one.inputs, one.skipped, one.judged, one.attacks) == (
        *(other.inputs, other.skipped, other.judged, other.attacks),
    )
