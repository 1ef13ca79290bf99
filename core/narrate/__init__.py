"""A trace told in plain words: a sentence a step, the active lines, what was tried and rejected."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.attack import Status
from core.errors import InputError
from core.narrate import generations, ours, sentences
from core.narrate.ending import WHY, certificate, complement, interrupted
from core.narrate.evaluated import KINDS, Evaluated, MoveKind, evaluated, moved
from core.narrate.pseudocode import Line, active, lines
from core.objective import Candidate, Step
from core.search import LABEL_ONLY
from core.search.portfolio import MEMBERS
from core.space import SearchSpace

__all__ = [
    "KINDS",
    "Line",
    "MoveKind",
    "Told",
    "certificate",
    "complement",
    "lines",
    "moved",
    "narrate",
]

ORDERED = ("sbgs", "ibgs", "sgs")
SWEEPING = ("ls", "greedy", "pso+ls", "ga+ls")  # they compare every move of a sweep


@dataclass(frozen=True, eq=False)
class Told:
    """One step: what it did in words, what it tried, and the lines of the search it ran."""

    step: Step
    tried: Evaluated
    sentence: str
    lines: tuple[int, ...]
    own: tuple[Candidate, ...]  # the best each particle has had, for a swarm


def narrate(
    space: SearchSpace, steps: Sequence[Step], search: str, status: Status
) -> tuple[Told, ...]:
    """Tell every step of a search; one that is not known here is told by its moves alone."""
    try:
        tell = _tell_members if search == "portfolio" else _tell
        return tuple(tell(space, steps, search, status))
    except (ValueError, IndexError) as error:  # a file may name a search that it is not of
        raise InputError(f'These are not the steps of the search "{search}".') from error


def _tell_members(
    space: SearchSpace, steps: Sequence[Step], search: str, status: Status
) -> Iterator[Told]:
    """A portfolio: the steps of each member in its own words."""
    starts = [number for number, step in enumerate(steps) if step.kind == "start"]
    if len(starts) > len(MEMBERS) or starts[0] != 0:
        raise ValueError("more members than there are, or none at the beginning")
    for member, begin, end in zip(MEMBERS, starts, [*starts[1:], len(steps)], strict=False):
        part, last = steps[begin:end], end == len(steps)
        title = (type(MEMBERS[member]).__doc__ or "").partition(":")[0]
        for number, told in enumerate(_tell(space, part, member, status if last else "failed")):
            sentence = f"{title}. {told.sentence}"
            if last and number == len(part) - 1:
                sentence = told.sentence
            elif last and number == len(part) - 2 and _picked(part, status):
                sentence = "No member has succeeded within the limit: the best answer is taken."
            yield replace(told, sentence=sentence, lines=active(search, told.step.kind))


def _picked(part: Sequence[Step], status: Status) -> bool:
    """Whether the step before the end takes an answer that another member has found."""
    before, step = part[-3:-1] if len(part) > 2 else (part[0], part[0])
    return status not in WHY and step.kind == "stop" and step.current != before.current


def _tell(space: SearchSpace, steps: Sequence[Step], search: str, status: Status) -> Iterator[Told]:
    people = search.removesuffix("+ls")  # a polished search is told as what it polishes
    own = generations.own_bests(steps) if people == "pso" else [()] * len(steps)
    turn = sentences.turn(steps) if search == "sgs" else len(steps)  # of the second pass
    for number, step in enumerate(steps):
        tried = evaluated(space, steps, number, people)
        if interrupted(steps, number, search, status):
            scored = search not in LABEL_ONLY
            moment, sentence = "interrupted", sentences.interrupted(step, status, scored=scored)
        elif step.kind == "generation" and people in generations.NAMES:
            before = steps[number - 1].frontier, own[number - 1]
            moment, sentence = step.kind, generations.later(step, tried, *before, people)
        else:
            turned = number >= turn
            moment = _moment(steps, number, search, status, turned)
            sentence = _sentence(space, steps, number, tried, search, status, turned)
        yield Told(step, tried, sentence, active(search, moment), own[number])


def _sentence(
    space: SearchSpace,
    steps: Sequence[Step],
    number: int,
    tried: Evaluated,
    search: str,
    status: Status,
    turned: bool,
) -> str:
    step = steps[number]
    if search in LABEL_ONLY:
        return _unseen(space, step, tried)
    match step.kind:
        case "start":
            return sentences.start(step)
        case "rank" if search == "swift":
            return ours.alone(step)
        case "rank":
            return sentences.rank(space, step, tried, search)
        case "init":
            return generations.first(step, search.removesuffix("+ls"))
        case "generation" if search == "swift":
            return ours.proposal(space, step, tried)
        case "generation":
            return generations.draws(space, step, tried, search)
        case "complement":
            return complement(space, steps, search, status)
        case "end":
            return sentences.answer(space, step)
        case "stop" if search in ORDERED:
            return sentences.out_of_turns(step, search, turned=turned)
        case "stop" if search == "swift" and "stop" in _kinds(steps[number + 1 :]):
            return sentences.goes_on(step)
        case "stop" if search == "swift" and step.current.success:
            return ours.succeeded(_kinds(steps), beyond=steps[number - 1].kind == "stop")
        case "stop":
            return certificate(space, steps, search, status)
    if search in ORDERED:
        return sentences.ordered_move(space, step, tried, search, turned=turned)
    return sentences.best_move(space, step, tried, rivals=search in SWEEPING)


def _unseen(space: SearchSpace, step: Step, tried: Evaluated) -> str:
    """A step of a search that is told only the label."""
    match step.kind:
        case "start":
            return ours.looked(step)
        case "init":
            return ours.singles(space, step)
        case "generation":
            return ours.drawn(space, step)
        case "stop":
            return ours.settled(step)
        case "end":
            return sentences.answer(space, step, scored=False)
    return ours.kept(space, step, tried)


def _kinds(steps: Sequence[Step]) -> set[str]:
    return {step.kind for step in steps}


def _moment(steps: Sequence[Step], number: int, search: str, status: Status, turned: bool) -> str:
    """The name under which the active lines of a step are listed."""
    step, last = steps[number], steps[number - 1]
    if step.kind == "insert" and turned:
        return "insert, from the right"
    if search == "swift" and step.kind == "stop" and step.current.success:
        return "end"
    if search == "swift" and "rank" in _kinds(steps[:number]):
        return step.kind if step.kind == "end" else f"{step.kind}, anew"
    if step.kind in ("stop", "end"):
        if search == "sgs" and step.current.success and not turned:
            return "reached"
        if search == "ls" and step.current.success and last.kind != "complement":
            return "reached"
        if search == "ls" and step.kind == "end" and last.kind == "stop":
            return "interrupted" if status in WHY else "end, stuck"
    return step.kind
