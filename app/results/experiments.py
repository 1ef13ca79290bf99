"""Experiments of this server: their files, and runs in the background that anybody may watch."""

import os
from collections import OrderedDict
from pathlib import Path, PurePath, PureWindowsPath
from threading import Lock, RLock
from typing import Final

from app.shared import jobs, visitor
from app.shared.jobs import MB, Computation
from app.shared.turns import Watcher
from core import assets
from core.assets import data_folder
from core.errors import InputError, require
from core.experiment import runner
from core.experiment.engines import Local
from core.experiment.plan import Plan
from core.experiment.results import Results, load
from core.experiment.runner import RunProgress
from core.untrusted import check_file_name, folded

ENDING: Final = ".results.jsonl"
DATA: Final = ".data"  # and the kind: what stands behind the name of an experiment's own table
KNOWN_BYTES: Final = 32 * MB  # of files whose results are kept in memory
_runs: dict[Path, "ExperimentRun"] = {}
# What was read, and of which version of the file: when it was changed, and its size.
_known: OrderedDict[Path, tuple[tuple[int, int], Results]] = OrderedDict()
_lock = RLock()  # for runs
_reading = Lock()


class ExperimentRun(Computation[RunProgress, Results]):
    """One experiment in the background; it goes on when its tab is left."""

    def __init__(self, plan: Plan, path: Path) -> None:
        super().__init__(runner.steps(plan, path, path.parent, Local()), jobs.EXPERIMENTS)

    def add(self, step: RunProgress) -> None:
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


def data_name(experiment: str, kind: str) -> str:
    """The file in which an experiment keeps the table that was sent for it."""
    return f"{experiment}{DATA}.{kind}"


def begin(plan: Plan, data: bytes | None = None) -> ExperimentRun:
    """Start a new experiment; its table is kept under the plan's name for it, or nothing is."""
    check_file_name(plan.name)
    require(
        not plan.name.casefold().endswith((DATA, PurePath(ENDING).stem)),
        f'The name "{plan.name}" ends as files of an experiment do; choose another one.',
    )
    with _lock:
        _forget_failure(plan.name)
        _refuse_taken(plan.name)
        if data is None:
            return start(plan)
        path = folder() / data_name(plan.name, plan.data.file.rpartition(".")[2])
        require(path.name == plan.data.file, "The table of an experiment bears its name.")
        _write_new(path, data)
    try:
        runner.read_inputs(plan, folder())  # a table without a row to attack is refused at once
        return start(plan)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _forget_failure(name: str) -> None:
    """A run that failed before its first result leaves its name, and the table kept for it."""
    path = folder() / f"{name}{ENDING}"
    run = _runs.get(path)
    if run and not run.running and not path.exists():
        del _runs[path]
        for table in folder().glob(f"*{DATA}.*"):
            if table.name.rpartition(f"{DATA}.")[0] == name:
                table.unlink()


def _refuse_taken(name: str) -> None:
    kept = [path.name.rpartition(f"{DATA}.")[0] for path in folder().glob(f"*{DATA}.*")]
    require(
        folded(name) not in map(folded, [*found(), *kept]),
        f"There is an experiment {name} already; give this one another name.",
    )


def _write_new(path: Path, data: bytes) -> None:
    """Write a file that is not there yet, whole or not at all."""
    try:
        with path.open("xb") as file:
            try:
                file.write(data)
            except OSError:
                path.unlink()
                raise
    except OSError as error:
        raise InputError(f"The table could not be kept: {error.strerror}.") from error


def _check_inside(name: str) -> None:
    """Refuse a data file elsewhere: a plan that anybody may resume must not read it."""
    parts = PurePath(name).parts, PureWindowsPath(name).parts
    require(
        all(len(each) <= 1 and ".." not in each for each in parts),
        "This experiment reads a file outside its folder; go on with it by python -m core run.",
    )


def start(plan: Plan) -> ExperimentRun:
    """Begin an experiment in the background, or go on with it."""
    _check_inside(plan.data.file)
    path = folder() / f"{plan.name}{ENDING}"
    with _lock:
        before = _runs.get(path)
        if before and before.running:
            return before
        runner.check(plan)  # a plan that cannot run is refused at once
        _runs[path] = run = ExperimentRun(plan, path)
        run.join(Watcher(visitor.current()))
        if not run.start():
            del _runs[path]
            raise InputError(run.error)
        return run


def run_of(path: Path) -> ExperimentRun | None:
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
