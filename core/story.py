"""The story of a trace: what each step did, in the words of the search that made it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.attack import Trace
from core.endings import ending
from core.errors import InputError
from core.narrate import NO_RULES, Evaluated, Moment, Rules, sentences
from core.narrate.generations import own_bests
from core.narrate.moment import evaluated
from core.objective import INTERRUPTED, Candidate, Status, Step
from core.options import configure
from core.search import Search, UnknownSearch, search_named
from core.search.card import PseudocodeLine
from core.space import SearchSpace
from core.spec import AttackSpec


@dataclass(frozen=True, eq=False)
class NarratedStep:
    """One step: what it did in words, what it tried, and the lines of pseudocode that it ran."""

    step: Step
    tried: Evaluated
    sentence: str
    lines: tuple[int, ...]
    own: tuple[Candidate, ...]  # the best sentence each member of a population has had
    digits: int | None  # with which its scores are written; None for as they are
    status: Status  # what its sentence is worth


def narrate(
    space: SearchSpace, steps: Sequence[Step], search: str, status: Status, rules: Rules = NO_RULES
) -> tuple[NarratedStep, ...]:
    """Describe every step of a search; one that is not known here is described by its moves."""
    try:
        return tuple(_narrated(space, steps, narrator(steps, search), status, rules))
    except (ValueError, IndexError, KeyError) as error:  # a file may name what it is not of
        raise InputError(f'These are not the steps of the search "{search}".') from error


def certificate(space: SearchSpace, steps: Sequence[Step], search: str, status: Status) -> str:
    """What a trace proves about its answer, and no more."""
    return narrator(steps, search).certify(space, steps, status)


def remark(space: SearchSpace, steps: Sequence[Step], search: str, status: Status) -> str:
    """What else a search says at its end; nothing for most of them."""
    return narrator(steps, search).remark(space, steps, status)


def narrator(steps: Sequence[Step], search: str) -> type[Search]:
    """Who describes these steps: their search, if each of them tells its phase."""
    return search_named(search) if all(step.phase for step in steps) else UnknownSearch


def search_of(trace: Trace) -> str:
    """The search that made a trace, as far as the trace tells."""
    search = trace.about.get("search")
    return search if isinstance(search, str) else ""


def rules_of(trace: Trace) -> Rules:
    """What counted in the attack that a trace is the answer to, as far as it tells."""
    try:
        spec = AttackSpec.of_trace(trace)
    except InputError:
        return NO_RULES
    allowed, kind = trace.space.allowed(spec.max_changed), spec.kind
    return Rules(allowed, kind.measure, kind.reached) if kind else Rules(allowed)


def outcome(trace: Trace) -> str:
    """What became of an attack, in a sentence."""
    rules, result = rules_of(trace), trace.result
    if rules.reached:
        return f"The attack {ending(result.status, rules.reached)}."
    return f"The search {ending(result.status, '')}, at {rules.measure.told(result.score)}."


def pseudocode(trace: Trace) -> tuple[PseudocodeLine, ...]:
    """The lines of a trace's search with its settings, as far as it tells them."""
    search = search_named(search_of(trace))()
    try:
        return configure(search, AttackSpec.of_trace(trace).search.options).pseudocode
    except InputError:
        return search.pseudocode


def _narrated(
    space: SearchSpace, steps: Sequence[Step], search: type[Search], status: Status, rules: Rules
) -> Iterator[NarratedStep]:
    own, scored = own_bests(steps), search.card.sees == "scores"
    maker = search
    for number, step in enumerate(steps):
        own_step = step
        if step.phase != INTERRUPTED:  # which is not a phase of any search
            maker, own_step = search.maker(step)
        tried = evaluated(space, steps, number, maker.card.must_beat)
        before = max(number - 1, 0)
        moment = Moment(space, own_step, tried, steps[before], own[before], rules)
        if step.kind == "end":
            sentence = sentences.answer(moment, scored=scored)
        elif step.phase == INTERRUPTED:
            sentence = sentences.interrupted(moment, status, scored=scored)
        else:
            sentence = maker.describe(moment)
        if maker is not search and step.kind != "end":
            sentence = f"{maker.card.title}. {sentence}"
        lines = search.card.active_lines(step.phase, "" if step.phase == INTERRUPTED else step.kind)
        yield NarratedStep(step, tried, sentence, lines, own[number], moment.digits, moment.status)
