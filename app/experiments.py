"""Experiments of this server: their files, and runs in the background that anybody may watch."""

import os
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import Final

from app import jobs, visitor
from app.jobs import MB, Computation
from app.turns import Watcher
from core import assets
from core.errors import InputError, require
from core.experiment import runner
from core.experiment.engines import Local
from core.experiment.plan import Plan
from core.experiment.results import Results, load
from core.experiment.runner import Progress
from core.study.database import data_folder

ENDING: Final = ".results.jsonl"
KNOWN_BYTES: Final = 32 * MB  # of files whose results are kept in memory
_runs: dict[Path, "Run"] = {}
# What was read, and of which version of the file: when it was changed, and its size.
_known: OrderedDict[Path, tuple[tuple[int, int], Results]] = OrderedDict()
_lock = Lock()  # for runs
_reading = Lock()


class Run(Computation[Progress, Results]):
    """One experiment in the background; it goes on when its tab is left."""

    def __init__(self, plan: Plan, path: Path) -> None:
        super().__init__(runner.steps(plan, path, path.parent, Local()), jobs.EXPERIMENTS)

    def add(self, step: Progress) -> None:
        """Only the newest progress is kept."""
        self._steps[:] = [step]

    def ended(self) -> None:
        """The results are in their file, and need no memory."""
        self.result = None


def folder() -> Path:
    """Where experiments are kept: what SWAPSCOPE_EXPERIMENTS says, else in the user's folder."""
    path = Path(os.environ.get("SWAPSCOPE_EXPERIMENTS") or data_folder() / "experiments")
    path.mkdir(parents=True, exist_ok=True)
    return path


def found() -> dict[str, Path]:
    """The experiments by name: those of this server, the newest first, then the bundled ones."""
    own = sorted(folder().glob(f"*{ENDING}"), key=lambda path: -path.stat().st_mtime)
    own += [path for path in list(_runs) if is_own(path) and path not in own]  # has no file yet
    bundled = sorted((assets.FOLDER / "experiments").glob(f"*{ENDING}"))
    return {path.name.removesuffix(ENDING): path for path in [*own, *bundled]}


def is_own(path: Path) -> bool:
    """Whether an experiment was made here, so that it may go on here."""
    return path.parent == folder()


def start(plan: Plan) -> Run:
    """Begin an experiment in the background, or go on with it."""
    path = folder() / f"{plan.name}{ENDING}"
    with _lock:
        before = _runs.get(path)
        if before and before.running:
            return before
        runner.check(plan)  # a plan that cannot run is refused at once
        _runs[path] = run = Run(plan, path)
        run.join(Watcher(visitor.current()))
        if not run.start():
            del _runs[path]
            raise InputError(run.error)
        return run


def run_of(path: Path) -> Run | None:
    """The run of an experiment since this server was started."""
    return _runs.get(path)


def read(path: Path) -> Results:
    """The results so far; read again only when the file has changed."""
    require(path.exists(), "There are no results yet.")
    stamp = path.stat()
    changed = stamp.st_mtime_ns, stamp.st_size
    with _reading:
        known = _known.get(path)
        if known and known[0] == changed:
            _known.move_to_end(path)
            return known[1]
    results = load(path)
    with _reading:
        _known[path] = changed, results
        _known.move_to_end(path)
        while len(_known) > 1 and sum(size for (_, size), _ in _known.values()) > KNOWN_BYTES:
            _known.popitem(last=False)
    return results
