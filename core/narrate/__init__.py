"""A trace told in plain words: a sentence a step, the active lines, what was tried and rejected."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.attack import Status
from core.errors import InputError
from core.narrate import generations, sentences
from core.narrate.ending import WHY, certificate, complement, interrupted
from core.narrate.evaluated import KINDS, Evaluated, MoveKind, evaluated, moved
from core.narrate.pseudocode import Line, active, lines
from core.objective import Candidate, Step
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
PLANNED = ("swift", "portfolio")  # they go on with something else where one of their parts stops


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
        return tuple(_tell(space, steps, search, status))
    except (ValueError, IndexError) as error:  # a file may name a search that it is not of
        raise InputError(f'These are not the steps of the search "{search}".') from error


def _tell(space: SearchSpace, steps: Sequence[Step], search: str, status: Status) -> Iterator[Told]:
    own = generations.own_bests(steps) if search == "pso" else [()] * len(steps)
    turn = sentences.turn(steps) if search == "sgs" else len(steps)  # of the second pass
    for number, step in enumerate(steps):
        tried = evaluated(space, steps, number, search)
        if interrupted(steps, number, search, status):
            moment, sentence = "interrupted", sentences.interrupted(step, status)
        elif step.kind == "generation" and search in generations.NAMES:
            before = steps[number - 1].frontier, own[number - 1]
            moment, sentence = step.kind, generations.later(step, tried, *before, search)
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
    match step.kind:
        case "start":
            return sentences.start(step)
        case "rank":
            return sentences.rank(space, step, tried, search)
        case "init":
            return generations.first(step, search)
        case "generation":
            return generations.draws(space, step, tried, search)
        case "complement":
            return complement(space, steps, search, status)
        case "end":
            return sentences.answer(space, step)
        case "stop" if search in ORDERED:
            return sentences.out_of_turns(step, search, turned=turned)
        case "stop" if search in PLANNED and number < len(steps) - 2:
            return sentences.goes_on(step)
        case "stop":
            return certificate(space, steps, search, status)
    if search in ORDERED:
        return sentences.ordered_move(space, step, tried, search, turned=turned)
    return sentences.best_move(space, step, tried, rivals=search in ("ls", "greedy"))


def _moment(steps: Sequence[Step], number: int, search: str, status: Status, turned: bool) -> str:
    """The name under which the active lines of a step are listed."""
    step, last = steps[number], steps[number - 1]
    if step.kind == "insert" and turned:
        return "insert, from the right"
    if search == "swift" and step.kind == "stop" and step.current.success:
        return "end"
    if search == "swift" and "rank" in (before.kind for before in steps[:number]):
        return step.kind if step.kind == "end" else f"{step.kind}, anew"
    if step.kind in ("stop", "end"):
        if search == "sgs" and step.current.success and not turned:
            return "reached"
        if search == "ls" and step.current.success and last.kind != "complement":
            return "reached"
        if search == "ls" and step.kind == "end" and last.kind == "stop":
            return "interrupted" if status in WHY else "end, stuck"
    return step.kind
