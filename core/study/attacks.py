"""Items from attacks: saved traces and batch runs, each with the address that shows its attack."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from io import BytesIO
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from core.errors import InputError, require
from core.experiment.results import Results, collect
from core.experiment.store import Record, contents_of
from core.experiment.work import PARTS, target_of
from core.study import intake
from core.study.intake import Intake
from core.study.items import Item, source_of
from core.trace import Trace
from core.untrusted import MALFORMED, RUN, check_size, read_json, reason
from core.victims import VICTIMS

UNLIMITED = 100_000  # queries: as many as Step through allows
MOST_LINES = 200_000  # of the results file of a batch run


def from_traces(
    traces: Iterable[tuple[str, Trace]], labels: Sequence[str], *, controls: bool = True
) -> Intake:
    """Successful attacks from saved traces, each with its original as a control."""

    def pair(named: tuple[str, Trace]) -> list[Item]:
        name, trace = named
        status, space = trace.result.status, trace.space
        require(status == "success", f"Left out: {name} is not a successful attack ({status}).")
        about = {key: value for key, value in trace.about.items() if value is not None}
        names = {str(at): label for at, label in enumerate(_labels(str(about.get("victim"))))}
        for key in ("label", "target") & about.keys():
            about[key] = names.get(str(about[key]), about[key])
        require("label" in about, f"{name} does not tell the true label.")
        return _pair(space.text(space.origin), trace.result.text, about, controls)

    return intake.collect(traces, pair, labels)


def read_run(name: str, content: bytes) -> Results:
    """The results file of a batch run."""
    check_size(len(content), name, RUN)
    lines = BytesIO(content)
    try:
        run = collect(contents_of(islice(lines, MOST_LINES), partial(_record, name)), name)
        _check(run)
    except MALFORMED as error:
        raise InputError(
            f"{name} is not the results file of a batch run ({reason(error)})."
        ) from error
    require(not lines.read(1), f"{name} has more than {MOST_LINES:,} lines; {RUN.advice}.")
    return run


def _record(name: str, line: bytes) -> Record:
    record: Record = read_json(line, name, RUN)
    return record


def _check(run: Results) -> None:
    """Refuse texts and changed words that are none; what the plan names was looked up before."""
    given = [text for each in run.inputs.values() for text in (each.text, each.label, each.premise)]
    names = [attack[part] for attack in run.attacks for part in PARTS[1:-1]]
    won = (attack for attack in run.attacks if attack["status"] == "success")
    swaps = [(place, word) for attack in won for place, word in attack["swaps"]]
    texts = [*given, *names, *(word for _, word in swaps)]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("a text in it is none")
    if not all(isinstance(place, int) for place, _ in swaps):
        raise TypeError("the place of a word in it is no number")


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

    def pair(attack: Record) -> list[Item]:
        status, given = attack["status"], run.inputs[attack["row"]]
        require(status == "success", f"Left out: not a successful attack ({status}).")
        method = ", ".join([attack["search"], *(attack[part] for part in several)])
        require((given.row, method) not in taken, "Left out: another seed of an attack that is in.")
        taken.add((given.row, method))
        return _pair(given.text, run.text(attack), _about(run, attack), controls, method)

    return intake.collect(run.attacks, pair, labels)


def address(run: Results, attack: Mapping[str, Any]) -> str:
    """The query part of the address at which Step through shows an attack of a batch run."""
    return reference(run.inputs[attack["row"]].text, _about(run, attack))


def _about(run: Results, attack: Mapping[str, Any]) -> dict[str, Any]:
    """What was attacked, with what, and how, by the names that a trace has for it."""
    given, limits = run.inputs[attack["row"]], run.plan.limits
    search = next(one for one in run.plan.searches if one.name == attack["search"])
    words = next(one for one in run.plan.substitutions if one.name == attack["substitution"])
    goal, _, target = attack["goal"].partition("=")
    others = _labels(attack["victim"])
    if goal == "targeted" and not target and others:
        target = target_of(given.label, others, limits.sample_seed, given.row)
    return {
        **{"victim": attack["victim"], "words": words.method, "constraint": words.constraints},
        **{"substitution_option": words.options, "search_option": search.options},
        **{"search": search.method, "seed": attack["seed"]},
        **{"budget": limits.budget, "max_changed": limits.modification},
        **{"hard_limit": limits.enforced == "constraint", "label": given.label},
        **{"target": target, "premise": given.premise},
    }


def _labels(victim: str) -> Sequence[str]:
    """What a victim calls its labels; nothing if it is not known here."""
    return VICTIMS[victim].card.get("labels", ()) if victim in VICTIMS else ()


def _pair(
    original: str, text: str, about: Mapping[str, Any], controls: bool, method: str = ""
) -> list[Item]:
    """An attack as an item, and its original."""
    label, premise = str(about["label"]), str(about.get("premise", ""))
    source = source_of(f"{premise}\n{original}")
    attacked = Item(
        text,
        label,
        source,
        method or str(about.get("search", "")),
        context=premise,
        victim=str(about.get("victim", "")),
        trace=reference(original, about),
    )
    control = Item(original, label, source, kind="original", context=premise)
    return [attacked, control] if controls else [attacked]


def reference(text: str, about: Mapping[str, Any]) -> str:
    """The query part of the address at which Step through shows an attack."""
    same = (
        *("victim", "premise", "search", "seed", "label", "target", "edits"),
        *("search_option", "substitution_option", "constraint"),
    )
    asked: dict[str, Any] = {"text": text, **{key: about.get(key, "") for key in same}}
    asked["words"] = about.get("words") or about.get("substitution", "")
    asked["budget"] = about.get("budget") or UNLIMITED
    if isinstance(share := about.get("max_changed"), float):
        asked["limit"] = round(100 * share)
    if about.get("hard_limit"):
        asked["hard"] = "true"
    return urlencode({key: value for key, value in asked.items() if value != ""}, doseq=True)
