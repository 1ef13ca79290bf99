"""A race of searches on one question: which runs are wanted, and how far they are."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from app.shared import choices, traces
from app.shared.jobs import Job, Jobs
from app.shared.question import Question
from core import AttackResult
from core.attack import Trace
from core.endings import ending
from core.errors import require
from core.narrate import NO_RULES, Rules
from core.objective import Step
from core.search import Card

MOST: Final = 4  # searches in a race
SEEDS: Final = 10
BUDGET: Final = 2_000
MOST_QUERIES: Final = 1_000_000  # of a whole race
UNDER_WAY: Final = ("waiting", "running")


@dataclass(frozen=True, eq=False)
class Run:
    """One search with one seed, as far as it has come."""

    seed: int
    status: str  # of its result, or waiting, running, error
    steps: tuple[Step, ...] = ()
    queries: int = 0
    result: AttackResult | None = None
    error: str = ""
    before: int | None = None  # visitors who are served first, while it waits for its turn
    recorded: bool = False  # it comes with the app: its seconds are another machine's

    @property
    def over(self) -> bool:
        """Whether it has ended by itself."""
        return self.status not in (*UNDER_WAY, "cancelled", "error")

    @property
    def won(self) -> bool:
        """Whether it ended at the goal, within the limit of changed words."""
        return self.status == "success"


@dataclass(frozen=True, eq=False)
class Lane:
    """A search in the race with all its seeds; the first one is drawn in full."""

    search: str
    runs: tuple[Run, ...]
    rules: Rules = NO_RULES

    @property
    def card(self) -> Card:
        return choices.card(self.search)

    @property
    def sees_scores(self) -> bool:
        """Whether it is told more than whether it reaches the goal."""
        return self.card.sees == "scores"

    @property
    def name(self) -> str:
        return choices.title(self.search)

    @property
    def first(self) -> Run:
        """The run that is drawn."""
        return self.runs[0]

    @property
    def ending(self) -> str:
        """What becomes of the run that is drawn, in words."""
        return ending(self.first.status, self.rules.reached)

    @property
    def busy(self) -> bool:
        """Whether some seed still runs or waits for its turn."""
        return any(run.status in UNDER_WAY for run in self.runs)

    @property
    def over(self) -> list[Run]:
        """The seeds that have ended by themselves."""
        return [run for run in self.runs if run.over]

    @property
    def complete(self) -> bool:
        """Whether all seeds have."""
        return len(self.over) == len(self.runs)

    @property
    def ended(self) -> tuple[Run, ...]:
        """All seeds once they have ended; before that, none, so that no figure is told early."""
        return self.runs if self.complete else ()

    @property
    def wins(self) -> list[Run]:
        """The seeds that are a success."""
        return [run for run in self.runs if run.won]


def check(searches: Sequence[str], seeds: int, budget: int) -> None:
    """Refuse a race that would keep the server busy for too long."""
    runs = sum(len(seeds_of(search, seeds)) for search in searches)
    require(
        runs * budget <= MOST_QUERIES,
        f"These {runs} runs may ask the victim {runs * budget:,} times; the limit is "
        f"{MOST_QUERIES:,}. Lower the budget or the number of seeds.",
    )


def seeds_of(search: str, seeds: int) -> range:
    """Only a randomised search runs more than once."""
    return range(seeds if choices.card(search).randomised else 1)


def watch(
    jobs: Jobs[Job], question: Question, searches: Sequence[str], seeds: int, budget: int
) -> list[Lane]:
    """Start what is not known yet, stop what is no longer wanted, and tell how far all are."""
    keys = {
        (search, seed): traces.key(question, search, seed, budget)
        for search in searches
        for seed in seeds_of(search, seeds)
    }
    known = {one: found for one in keys if (found := traces.known(question, *one, budget))}
    makers: dict[Hashable, Callable[[], Job]] = {
        key: partial(traces.job, question, *one, budget)
        for one, key in keys.items()
        if one not in known or key in jobs  # what is ours stays, should the server forget it
    }
    running, bundled = jobs.keep(makers), question.recorded and question.recorded.trace
    lanes = []
    for search in searches:
        runs = [
            _of_trace(seed, known[search, seed], known[search, seed] is bundled)
            if (search, seed) in known
            else _of_job(seed, running[keys[search, seed]])
            for seed in seeds_of(search, seeds)
        ]
        lane = Lane(search, tuple(runs), question.rules)
        _start(lane, [running.get(keys[search, run.seed]) for run in runs])
        lanes.append(lane)
    return lanes


def cancel(jobs: Jobs[Job], question: Question, search: str, seeds: int, budget: int) -> None:
    """Stop a search with all its seeds."""
    jobs.cancel(*(traces.key(question, search, seed, budget) for seed in seeds_of(search, seeds)))


def again(jobs: Jobs[Job], question: Question, search: str, seeds: int, budget: int) -> None:
    """Let what was stopped start anew."""
    jobs.forget(*(traces.key(question, search, seed, budget) for seed in seeds_of(search, seeds)))


def _start(lane: Lane, jobs: Sequence[Job | None]) -> None:
    """The first seed goes ahead, since it is the one that is drawn; then all others at once."""
    ready = jobs[:1] if lane.first.status in UNDER_WAY else jobs
    for job in ready:
        if job is not None:
            job.start()


def _of_trace(seed: int, found: Trace, recorded: bool) -> Run:
    result = found.result
    return Run(seed, result.status, result.steps, result.queries, result, recorded=recorded)


def _of_job(seed: int, job: Job) -> Run:
    if job.error:
        return Run(seed, "error", job.steps, job.queries, error=job.error)
    if job.result:
        return Run(seed, job.result.status, job.result.steps, job.result.queries, job.result)
    if job.waiting:
        return Run(seed, "waiting", before=job.before)
    status = "running" if job.running else "cancelled" if job.cancelled else "waiting"
    return Run(seed, status, job.steps, job.queries)
