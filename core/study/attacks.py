"""Items from attacks: saved traces and batch runs, each with the address that shows its attack."""

from collections.abc import Iterable, Sequence
from functools import partial
from io import BytesIO
from itertools import islice

from core.errors import InputError, require
from core.experiment.records import AttackRecord
from core.experiment.results import Results, collect
from core.experiment.store import Line, contents_of
from core.experiment.work import spec_of_record
from core.spec import AttackSpec
from core.study import intake
from core.study.intake import Intake
from core.study.items import Item, source_of
from core.trace import Trace
from core.untrusted import MALFORMED, RUN, check_size, read_json, reason

MOST_LINES = 200_000  # of the results file of a batch run


def from_traces(
    traces: Iterable[tuple[str, Trace]], labels: Sequence[str], *, controls: bool = True
) -> Intake:
    """Successful attacks from saved traces, each with its original as a control."""

    def pair(named: tuple[str, Trace]) -> list[Item]:
        name, trace = named
        status = trace.result.status
        require(status == "success", f"Left out: {name} is not a successful attack ({status}).")
        spec = AttackSpec.of_trace(trace)
        require(bool(spec.reference), f"{name} does not tell the true label.")
        return _pair(spec, trace.result.text, controls)

    return intake.collect(traces, pair, labels)


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


def _line(name: str, line: bytes) -> Line:
    read: Line = read_json(line, name, RUN)
    return read


def from_run(run: Results, labels: Sequence[str], *, controls: bool = True) -> Intake:
    """Successful attacks of a batch run, of each the first seed; originals as controls."""
    plan = run.plan
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
        return _pair(spec_of_record(run, attack), run.text(attack), controls, method)

    return intake.collect(run.attacks, pair, labels)


def _pair(spec: AttackSpec, text: str, controls: bool, method: str = "") -> list[Item]:
    """An attack as an item, and its original."""
    context, label = "\n".join(spec.context.values()), " | ".join(spec.reference)
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
