"""Items from attacks: saved traces and batch runs, each with the address that shows its attack."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import islice

from core.attack import Trace
from core.errors import InputError, require
from core.experiment.records import AttackRecord
from core.experiment.results import Results, collect
from core.experiment.store import StoredLine, contents_of
from core.experiment.work import spec_of_record
from core.spec import AttackSpec
from core.study import intake
from core.study.intake import Intake
from core.study.items import Item, source_of
from core.tasks import Task, task_named
from core.tasks.protocol import RaterQuestion, joined
from core.untrusted import MALFORMED, RUN, check_size, read_json, reason

MOST_LINES = 200_000  # of the results file of a batch run


def from_traces(
    traces: Iterable[tuple[str, Trace]], labels: Sequence[str] = (), *, controls: bool = True
) -> Intake:
    """Successful attacks from saved traces, each with its original as a control.

    What raters are asked is the first one's task's business.
    """
    questions: list[RaterQuestion] = []

    def pair(named: tuple[str, Trace]) -> list[Item]:
        name, trace = named
        status = trace.result.status
        require(status == "success", f"Left out: {name} is not a successful attack ({status}).")
        spec = AttackSpec.of_trace(trace)
        require(bool(spec.reference), f"{name} does not tell what is right.")
        task = task_named(spec.victim)
        questions.append(task.question)
        require(
            task.question.question == questions[0].question,
            f"Left out: raters would be asked something else: {task.question.question}",
        )
        return _pair(spec, task, trace.result.text, controls)

    taken = intake.collect(traces, pair, labels)
    return replace(taken, question=questions[0] if questions else None)


def read_run(name: str, content: bytes) -> Results:
    """The results file of a batch run."""
    check_size(len(content), name, RUN)
    lines = BytesIO(content)
    try:
        run = collect(contents_of(islice(lines, MOST_LINES), partial(_line, name)), name)
    except MALFORMED as error:
        raise InputError(
            f"{name} is not the results file of a batch run ({reason(error)})."
        ) from error
    require(not lines.read(1), f"{name} has more than {MOST_LINES:,} lines; {RUN.advice}.")
    return run


def _line(name: str, line: bytes) -> StoredLine:
    read: StoredLine = read_json(line, name, RUN)
    return read


def from_run(run: Results, labels: Sequence[str] = (), *, controls: bool = True) -> Intake:
    """Successful attacks of a batch run, of each the first seed; originals as controls."""
    plan, task = run.plan, task_named(run.plan.victims[0])
    several = [
        part
        for part, names in (
            ("victim", plan.victims),
            ("substitution", plan.substitutions),
            ("goal", plan.goals),
        )
        if len(names) > 1
    ]
    taken = set[tuple[object, ...]]()

    def pair(attack: AttackRecord) -> list[Item]:
        require(attack.success, f"Left out: not a successful attack ({attack.status}).")
        method = ", ".join([attack.search, *(getattr(attack, part) for part in several)])
        taken_as = (attack.row, method)
        require(taken_as not in taken, "Left out: another seed of an attack that is in.")
        taken.add(taken_as)
        return _pair(spec_of_record(run, attack), task, run.text(attack), controls, method)

    return replace(intake.collect(run.attacks, pair, labels), question=task.question)


def _pair(spec: AttackSpec, task: Task, text: str, controls: bool, method: str = "") -> list[Item]:
    """An attack as an item, and its original; what raters compare it with is shown above it."""
    shown, label = [*spec.context.values()], joined(spec.reference)
    if task.question.right:
        shown.append(f"{task.reference.title}: {label}")
        label = task.question.right
    context = "\n".join(shown)
    source = source_of(f"{context}\n{spec.text}")
    attacked = Item(
        text,
        label,
        source,
        method or spec.search.method,
        context=context,
        victim=spec.victim,
        trace=spec.address(),
    )
    control = Item(spec.text, label, source, kind="original", context=context)
    return [attacked, control] if controls else [attacked]
