"""What a generation of a population did: counted from the trace, and told in plain words."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.narrate.evaluated import Evaluated
from core.narrate.words import count, figures
from core.objective import Candidate, Step
from core.space import NONE, SearchSpace, State

Population = tuple[Candidate, ...]
NAMES = {"pso": ("particle", "lead"), "ga": ("member", "elite")}


@dataclass(frozen=True)
class Generation:
    """A population in numbers, compared with the one before it."""

    moved: int  # members that do not have the sentence they had
    mutated: int  # members that then had a word put at its best substitute
    improved: int  # particles that beat their own best; children that beat the old elite
    mean: float
    best: float
    different: int  # distinct sentences


def own_bests(steps: Sequence[Step]) -> list[Population]:
    """The best sentence each particle has had, after each step."""
    own: Population = ()
    result = []
    for step in steps:
        if step.kind in ("init", "generation"):
            pairs = zip(own or step.frontier, step.frontier, strict=True)
            own = tuple(now if now.score > best.score else best for best, now in pairs)
        result.append(own)
    return result


def measure(step: Step, last: Population, own: Population, search: str) -> Generation:
    """Count what a generation did; ``last`` and ``own`` are the population and bests before it."""
    people = step.frontier
    if search == "pso":
        made, bred, bars = people, _asked(step)[: len(people)], [best.score for best in own]
    else:  # the first member is the elite of the generation before; the others are its children
        made, bred, bars = people[1:], _asked(step), [people[0].score] * len(people[1:])
    return Generation(
        sum(one.state != old.state for one, old in zip(people, last, strict=True)),
        sum(one.state != state for one, state in zip(made, bred, strict=True)),
        sum(one.score > bar for one, bar in zip(made, bars, strict=True)),
        _mean(people),
        max(one.score for one in people),
        _different(people),
    )


def first(step: Step, search: str) -> str:
    """The population a search starts with."""
    people = step.frontier
    mean, best = figures(_mean(people), max(one.score for one in people))
    noun = NAMES.get(search, ("member",))[0]
    who = f"{count(len(people), noun)} start from the original, each"
    if len(people) == 1:
        who = f"1 {noun} starts from the original,"
    told = f"{who} with one word at its best substitute: {_sentences(people)}, "
    told += f"mean score {mean}, best {best}."
    return told + (" The goal is reached." if step.current.success else "")


def later(step: Step, tried: Evaluated, last: Population, own: Population, search: str) -> str:
    """What a generation of the swarm or of the genetic algorithm did."""
    done, size = measure(step, last, own, search), len(step.frontier)
    lead = NAMES[search][1]
    if search == "pso":
        told = f"{done.moved} of {count(size, 'particle')} moved, {done.mutated} mutated, "
        told += f"{done.improved} beat their own best. The {lead} "
    else:
        told = f"{count(size - 1, 'child', 'children')} bred, {done.mutated} of them mutated; "
        told += f"{done.improved or 'none'} beat the elite. The {lead} "
    (mean,) = figures(done.mean)
    told += f"{_course(tried.before.score, step.current.score)}; the mean score is {mean}, "
    told += f"with {_sentences(step.frontier)}."
    return told + (" The goal is reached." if step.current.success else "")


def draws(space: SearchSpace, step: Step, tried: Evaluated, search: str) -> str:
    """A batch of whole sentences, drawn or counted through."""
    told = count(len(step.tried), "sentence")
    told += " drawn at random" if search == "random" else " tried"
    if search == "exhaustive":
        told += f", {step.queries:,} of {space.size:,} so far"
    (best,) = figures(float(tried.scores.max()))
    told += f"; the best of them scores {best}. The best so far "
    told += f"{_course(tried.before.score, step.current.score)}."
    return told + (" The goal is reached." if step.current.success else "")


def _course(before: float, after: float) -> str:
    old, new = figures(before, after)
    if before == after:
        return f"stays at {old}"
    return f"{'rises' if after > before else 'falls'} from {old} to {new}"


def _asked(step: Step) -> list[State]:
    """The whole sentences a generation asked for, in order: moved particles, or bred children."""
    moves = step.tried.moves
    return list(moves[np.flatnonzero(moves.position == NONE)])


def _mean(people: Population) -> float:
    return float(np.mean([one.score for one in people]))


def _different(people: Population) -> int:
    return len({one.state for one in people})


def _sentences(people: Population) -> str:
    return count(_different(people), "different sentence")
