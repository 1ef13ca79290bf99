"""The story of a trace: what each step did, in the words of the search that made it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.errors import InputError
from core.narrate import Evaluated, Moment, sentences
from core.narrate.generations import own_bests
from core.narrate.moment import evaluated
from core.objective import INTERRUPTED, Candidate, Status, Step
from core.search import Search, UnknownSearch, search_named
from core.space import SearchSpace


@dataclass(frozen=True, eq=False)
class NarratedStep:
    """One step: what it did in words, what it tried, and the lines of pseudocode that it ran."""

    step: Step
    tried: Evaluated
    sentence: str
    lines: tuple[int, ...]
    own: tuple[Candidate, ...]  # the best sentence each member of a population has had


def narrate(
    space: SearchSpace, steps: Sequence[Step], search: str, status: Status
) -> tuple[NarratedStep, ...]:
    """Describe every step of a search; one that is not known here is described by its moves."""
    try:
        return tuple(_narrated(space, steps, narrator(steps, search), status))
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


def _narrated(
    space: SearchSpace, steps: Sequence[Step], search: type[Search], status: Status
) -> Iterator[NarratedStep]:
    own, scored = own_bests(steps), search.card.sees == "scores"
    maker = search
    for number, step in enumerate(steps):
        own_step = step
        if step.phase != INTERRUPTED:  # which is not a phase of any search
            maker, own_step = search.maker(step)
        tried = evaluated(space, steps, number, maker.card.must_beat)
        before = max(number - 1, 0)
        if step.kind == "end":
            sentence = sentences.answer(space, step, scored=scored)
        elif step.phase == INTERRUPTED:
            sentence = sentences.interrupted(step, status, scored=scored)
        else:
            sentence = maker.describe(Moment(space, own_step, tried, steps[before], own[before]))
        if maker is not search and step.kind != "end":
            sentence = f"{maker.card.title}. {sentence}"
        lines = search.card.active_lines(step.phase, "" if step.phase == INTERRUPTED else step.kind)
        yield NarratedStep(step, tried, sentence, lines, own[number])
