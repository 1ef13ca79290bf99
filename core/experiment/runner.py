"""Run an experiment: continue where the file of results ends, until every input has its answer."""

import platform
from collections import deque
from collections.abc import Callable, Generator, Hashable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from typing import Final

from core.errors import CoreError, InputError, ResourceMissingError, require
from core.experiment.data import BUNDLED
from core.experiment.engines import Engine
from core.experiment.inputs import Input, Inputs, Skip
from core.experiment.inputs import load as load_inputs
from core.experiment.plan import Plan, difference
from core.experiment.records import (
    AttackRecord,
    Record,
    Records,
    Session,
    plain,
    records_of,
)
from core.experiment.results import Results, collect
from core.experiment.store import Writer, read
from core.experiment.work import ProofWork, WorkItem, items, judging
from core.generators import follow
from core.registry import find
from core.spec import make_substitution
from core.tasks import Task, task_of_card
from core.victims import VICTIMS

PATIENCE: Final = 10  # attacks that fail one after the other before a run gives up
_RECENT: Final = 200  # finished attacks that the rate is measured on
_VERSIONS: Final = ("numpy", "torch", "transformers")


@dataclass(frozen=True)
class RunProgress:
    done: int
    total: int
    successes: int = 0
    rate: float = 0.0  # per second
    what: str = "attacks"

    @property
    def seconds_left(self) -> float | None:
        """The time left at this rate; None while there is no rate yet."""
        return (self.total - self.done) / self.rate if self.rate else None

    @property
    def sentence(self) -> str:
        parts = [f"{self.done:,} of {self.total:,} {self.what}"]
        if self.done and self.what == "attacks":
            parts.append(f"{self.successes / self.done:.1%} succeeded")
        if self.rate:
            parts.append(f"{self.rate:.3g} per second")
        if self.seconds_left:
            parts.append(f"{duration(self.seconds_left)} left")
        return ", ".join(parts)


def duration(seconds: float) -> str:
    """A time as people say it."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


Watch = Callable[[RunProgress], None]


def run(
    plan: Plan,
    path: Path,
    folder: Path,
    engine: Engine,
    watch: Watch = lambda progress: None,
) -> Results:
    """Do what is left of a plan; the name of its data file is relative to the folder."""
    return follow(steps(plan, path, folder, engine), watch)


def steps(
    plan: Plan, path: Path, folder: Path, engine: Engine
) -> Generator[RunProgress, None, Results]:
    """The same as steps of progress; closing it loses at most the attacks in flight."""
    inputs = read_inputs(plan, folder)
    with Writer(path) as writer:
        before = read(path)
        if before.records or before.damaged:
            _refuse_changes(collect(before, path), plan, inputs, path)
        records = [_session(plan), *_rows(records_of(before.records), inputs)]
        writer.append(*map(plain, records))
        with engine.workers(plan) as workers:
            now = collect(read(path), path)
            for _, outcome in workers(judging(plan.victims, inputs.used, set(now.judged))):
                if isinstance(outcome, CoreError):
                    raise outcome
                writer.append(*map(plain, outcome))
            now = collect(read(path), path)
            clock = _Clock(now)
            yield clock.progress
            for _, outcome in workers(remaining(now)):
                assert isinstance(outcome, list)  # a failed attack has a record too
                for record in outcome:
                    assert isinstance(record, AttackRecord)
                    writer.append(plain(record))
                    yield clock.tick(record)
            now = collect(read(path), path)
            done = now.proofs_total - len(left := unproved(now))
            for number, (_, outcome) in enumerate(workers(left), start=done + 1):
                assert isinstance(outcome, list)
                writer.append(*map(plain, outcome))
                yield RunProgress(number, now.proofs_total, what="proofs")
    return collect(read(path), path)


def read_inputs(plan: Plan, folder: Path) -> Inputs:
    """The rows of a plan that can run here; refused if none can be attacked."""
    inputs = load_inputs(plan.data, plan.limits, check(plan), folder)
    require(bool(inputs.used), "No row can be attacked. " + " ".join(inputs.report()))
    return inputs


def check(plan: Plan) -> Task:
    """Refuse a plan that cannot run here; the task of its victims."""
    plan.check_names()
    for choice in plan.substitutions:
        make_substitution(choice)
    tasks = {}
    for victim in plan.victims:
        entry = VICTIMS[victim]
        if missing := entry.missing():
            raise ResourceMissingError(missing)
        tasks[victim] = task_of_card(entry.card)
    first, *others = plan.victims
    task = tasks[first]
    for other in others:
        for what, same in (
            ("tasks", tasks[other].key == task.key),
            ("labels", sorted(tasks[other].choices) == sorted(task.choices)),
        ):
            require(
                same,
                f"The victims {first} and {other} have different {what}; give each a plan of its "
                "own.",
            )
    bundled = plan.data.bundled
    require(
        not bundled or BUNDLED[bundled] == task.key,
        f"The bundled {bundled} sentences are no data for {first}; name a file of its task, "
        f"{task.title.lower()}.",
    )
    for goal in plan.goals:
        find(task.goals, goal.partition("=")[0], "goal of these victims")
    return task


def remaining(results: Results) -> Iterator[WorkItem]:
    """The attacks that have no answer yet, or ended with an error; in the order of the plan."""
    answered = {each.key for each in results.attacks if each.status != "error"}
    right = {
        (victim, each.row) for victim in results.plan.victims for each in results.correct(victim)
    }
    for item in items(results.plan, list(results.inputs.values())):
        if (item.victim, item.input.row) in right and item.key not in answered:
            yield item


def unproved(results: Results) -> list[ProofWork]:
    """The proofs that are still to do."""
    if not results.plan.proofs:
        return []
    done = {proof.key for proof in results.proofs if proof.verdict != "error"}
    right = {
        (victim, each.row) for victim in results.plan.victims for each in results.correct(victim)
    }
    first: dict[Hashable, WorkItem] = {}
    for item in items(results.plan, list(results.inputs.values())):
        if (item.victim, item.input.row) in right:
            first.setdefault(item.scoring_key, item)
    return [ProofWork(item) for key, item in first.items() if key not in done]


def _refuse_changes(results: Results, plan: Plan, inputs: Inputs, path: Path) -> None:
    """Results of another plan, other weights or other rows must not be mixed."""
    first = results.sessions[0]
    before = {**first.plan.as_dict(), "weights": dict(first.weights)}
    changes = difference(before, {**plan.as_dict(), "weights": _weights(plan)})
    now: dict[int, Input | Skip] = {each.row: each for each in inputs.used}
    now |= {skip.row: skip for skip in inputs.skipped}
    then: list[Input | Skip] = [*results.inputs.values(), *results.skipped]
    other = [each for each in then if now.get(each.row) != each]
    if other:
        changes.append(f"row {other[0].row:,} of the data is another one")
    if changes:
        raise InputError(
            f'The results of "{plan.name}" in {path} were made by another plan: '
            f"{'; '.join(changes)}. Give the new plan another name, or remove the file."
        )


def _rows(before: Records, inputs: Inputs) -> list[Record]:
    """Records of the rows that the file does not have yet."""
    used = {each.row for each in before.of(Input)}
    skipped = {each.row for each in before.of(Skip)}
    return [
        *(each for each in inputs.used if each.row not in used),
        *(each for each in inputs.skipped if each.row not in skipped),
    ]


def _session(plan: Plan) -> Session:
    versions = {name: version(name) for name in _VERSIONS}
    versions = {"python": platform.python_version(), **versions}
    return Session(plan, _weights(plan), versions, datetime.now(UTC).isoformat(timespec="seconds"))


def _weights(plan: Plan) -> dict[str, str]:
    """The hash of each victim's weights, where its card says it."""
    files = {name: VICTIMS[name].card.get("files", {}) for name in plan.victims}
    return {name: each.get("weights.safetensors", "") for name, each in files.items()}


@dataclass
class _Clock:
    """Counts finished attacks and measures how fast they come."""

    results: Results
    total: int = field(init=False)
    done: int = field(init=False)
    successes: int = field(init=False)
    failures: int = 0  # one after the other
    ticks: deque[float] = field(default_factory=lambda: deque([monotonic()], maxlen=_RECENT))

    def __post_init__(self) -> None:
        statuses = [attack.status for attack in self.results.attacks]
        self.total = self.results.total
        self.done = len(statuses) - statuses.count("error")
        self.successes = statuses.count("success")

    @property
    def progress(self) -> RunProgress:
        span = self.ticks[-1] - self.ticks[0]
        rate = (len(self.ticks) - 1) / span if span > 0 else 0.0
        return RunProgress(self.done, self.total, self.successes, rate)

    def tick(self, record: AttackRecord) -> RunProgress:
        """One more; too many failures one after the other end the run."""
        self.ticks.append(monotonic())
        self.done += 1
        self.successes += record.success
        self.failures = self.failures + 1 if record.status == "error" else 0
        if self.failures >= PATIENCE:
            raise CoreError(
                f"{PATIENCE} attacks failed one after the other, the last one so: "
                f"{record.error} What was finished is kept; run it again to continue."
            )
        return self.progress
