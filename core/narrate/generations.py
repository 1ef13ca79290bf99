"""What a generation of a population did, counted from the trace and in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from core.narrate.moment import Moment
from core.narrate.words import count
from core.objective import Candidate, Step
from core.space import NONE, State

Members: TypeAlias = tuple[Candidate, ...]


@dataclass(frozen=True)
class Generation:
    """A population in numbers, compared with the one before it."""

    moved: int  # members that do not have the sentence they had
    mutated: int  # members that then had a word put at its best substitute
    improved: int  # members that beat their bar
    mean: float
    best: float
    different: int  # distinct sentences


def own_bests(steps: Sequence[Step]) -> list[Members]:
    """The best sentence each member of a population has had, after each step."""
    own: Members = ()
    result = []
    for step in steps:
        if step.kind in ("init", "generation"):
            begins = step.kind == "init" or len(own) != len(step.frontier)
            pairs = zip(step.frontier if begins else own, step.frontier, strict=True)
            own = tuple(now if now.score > best.score else best for best, now in pairs)
        result.append(own)
    return result


def measure(
    members: Members, last: Members, new: Members, bred: Sequence[State], bars: Sequence[float]
) -> Generation:
    """Count what a generation did.

    ``last`` is the population before; ``new`` are the new members, ``bred`` their sentences
    before any mutation, and ``bars`` the scores they want to beat.
    """
    return Generation(
        sum(one.state != old.state for one, old in zip(members, last, strict=True)),
        sum(one.state != state for one, state in zip(new, bred, strict=True)),
        sum(one.score > bar for one, bar in zip(new, bars, strict=True)),
        _mean(members),
        max(one.score for one in members),
        _different(members),
    )


def first(moment: Moment, noun: str = "member") -> str:
    """The population a search starts with."""
    members = moment.step.frontier
    mean, best = map(moment.written, (_mean(members), max(one.score for one in members)))
    who = f"{count(len(members), noun)} start from the original, each"
    if len(members) == 1:
        who = f"1 {noun} starts from the original,"
    return (
        f"{who} with one word at its best substitute: {_sentences(members)}, "
        f"mean {moment.rules.measure.noun} {mean}, best {best}.{moment.reached}"
    )


def later(moment: Moment, done: str, leader: str) -> str:
    """What a generation did, where its leader stands, and how it is spread."""
    members, noun = moment.step.frontier, moment.rules.measure.noun
    return (
        f"{done} The {leader} {_course(moment)}; mean {noun} {moment.written(_mean(members))}, "
        f"with {_sentences(members)}.{moment.reached}"
    )


def batch(moment: Moment, what: str) -> str:
    """A batch of whole sentences, and where the best one so far stands."""
    best, verb = moment.written(float(moment.tried.scores.max())), moment.rules.measure.verb
    return (
        f"{count(len(moment.step.tried), 'sentence')} {what}; the best of them {verb} {best}. "
        f"The best so far {_course(moment)}.{moment.reached}"
    )


def whole_sentences(step: Step) -> list[State]:
    """The whole sentences a generation scored, in order: moved particles, or bred children."""
    moves = step.tried.moves
    return list(moves[np.flatnonzero(moves.position == NONE)])


def _course(moment: Moment) -> str:
    """Where the score goes."""
    before, after = moment.tried.before.score, moment.step.current.score
    if before == after:
        return f"stays at {moment.now}"
    return f"{'rises' if after > before else 'falls'} from {moment.written(before)} to {moment.now}"


def _mean(members: Members) -> float:
    return float(np.mean([one.score for one in members]))


def _different(members: Members) -> int:
    return len({one.state for one in members})


def _sentences(members: Members) -> str:
    return count(_different(members), "different sentence")
