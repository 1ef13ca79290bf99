"""The paper's 26 scenarios, run one after the other as far as the time allows."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from itertools import takewhile
from pathlib import Path
from time import monotonic
from typing import Any, Final

from core import assets
from core.errors import CoreError
from core.experiment import paper, runner
from core.experiment.claims import Figures, figures_of
from core.experiment.engines import Local
from core.experiment.plan import Plan
from core.experiment.plan_file import read_plan
from core.experiment.results import load
from core.experiment.runner import RunProgress
from core.registry import find

FOLDER: Final = assets.FOLDER / "experiments" / "paper"
MEASURED: Final = "paper/measured.json"  # among the assets
MINUTES: Final = 15.0
ROWS: Final = 100
RUNS: Final = 3


@dataclass(frozen=True)
class Extent:
    """How much of each plan is run."""

    rows: int = ROWS
    runs: int = RUNS  # at most, of a search that draws at random
    minutes: float = MINUTES

    def of(self, plan: Plan) -> Plan:
        """A plan of fewer inputs and runs."""
        searches = tuple(replace(each, seeds=each.seeds[: self.runs]) for each in plan.searches)
        return replace(plan, limits=replace(plan.limits, rows=self.rows), searches=searches)


@dataclass(frozen=True)
class Replication:
    """What became of a plan: its figures, or why there are none."""

    figures: Figures | None = None
    error: str = ""

    @property
    def summary(self) -> str:
        return f"{self.figures.inputs:,} inputs" if self.figures else self.error


def names() -> list[str]:
    """The plans, in the order of the paper's table."""
    return [row["plan"] for row in paper.rows("scenarios")]


def replicate(
    name: str,
    data: Path,
    results: Path,
    extent: Extent,
    watch: Callable[[RunProgress], object] = lambda progress: None,
) -> Replication:
    """Run a plan, or continue it, until its time is over."""
    until = monotonic() + 60 * extent.minutes
    try:
        path = _file(name, results)
        plan = extent.of(read_plan(FOLDER / f"{name}.toml"))
        with closing(runner.steps(plan, path, data, Local())) as steps:
            for progress in takewhile(lambda _: monotonic() < until, steps):
                watch(progress)
    except CoreError as error:
        return Replication(error=str(error))
    return reread(name, results)


def reread(name: str, results: Path) -> Replication:
    """What was run before."""
    try:
        return Replication(figures_of(load(_file(name, results))))
    except CoreError as error:
        return Replication(error=str(error))


def _file(name: str, results: Path) -> Path:
    return (
        results / f"{find(dict.fromkeys(names(), name), name, 'plan of the paper')}.results.jsonl"
    )


def plain_figures(figures: Sequence[Figures], extent: Extent) -> dict[str, Any]:
    """Figures as JSON keeps them, with how they were made."""
    return {"extent": asdict(extent), "rows": [asdict(each) for each in figures]}


def measured() -> list[Figures]:
    """The figures that come with the project; none if it has none yet."""
    if not (assets.FOLDER / MEASURED).is_file():
        return []
    return [Figures(**row) for row in assets.read_json(MEASURED)["rows"]]
