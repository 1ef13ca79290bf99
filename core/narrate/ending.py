"""What an ended search can vouch for: its certificate, and what became of the complement."""

from collections.abc import Sequence

import numpy as np

from core.attack import Status
from core.narrate.words import figures
from core.objective import Floats, Step
from core.space import Moves, SearchSpace

WHY = {"budget": "the budget was spent", "cancelled": "it was stopped"}
OPEN_ENDED = ("pso", "ga", "random", "exhaustive")  # they never make a step "stop" themselves
SAY_SO = ("sgs", "swift", "ls-label", "portfolio")  # they make one even when the goal is reached


def interrupted(steps: Sequence[Step], number: int, search: str, status: Status) -> bool:
    """Whether a step "stop" was made for the search, because it might not go on."""
    step = steps[number]
    if step.kind != "stop" or number != len(steps) - 2:
        return False
    reached = step.current.success and search not in SAY_SO  # the others end without a word
    return status in WHY or search in OPEN_ENDED or reached


def certificate(space: SearchSpace, steps: Sequence[Step], search: str, status: Status) -> str:
    """What the trace proves about the answer, and no more."""
    if search == "exhaustive" and steps[-1].queries == space.size:
        return f"All {space.size:,} sentences were tried: the answer is the best there is."
    if search not in ("ls", "greedy"):
        last = next((step for step in reversed(steps) if step.kind == "stop"), None)
        if last is not None and not last.current.success and _neighbours(space, last) is not None:
            return _swept(space, last)
        if steps[-1].current.success and _each_needed(space, steps):
            return "Every change is needed: with any of them undone the goal is lost, as was tried."
        return "This search proves nothing about its answer: a better neighbour may exist."
    own = (i for i in range(len(steps)) if not interrupted(steps, i, search, status))
    stop = next((steps[i] for i in own if steps[i].kind == "stop"), None)
    if stop is not None:
        return _swept(space, stop)
    if status in WHY:
        return f"There is no certificate: {WHY[status]} before the last sweep was through."
    return (
        "There is no certificate: the search ended because the goal was reached. "
        "It did not look for a better neighbour."
    )


def _each_needed(space: SearchSpace, steps: Sequence[Step]) -> bool:
    """Whether the answer was tried with each changed word restored, always without success."""
    state = steps[-1].current.state
    positions = np.array(space.changed(state), dtype=np.int32)
    missed = np.concatenate([space.keys(s.tried.moves)[~s.tried.successes] for s in steps])
    restored = Moves.at(state, positions, np.zeros_like(positions))
    return bool(len(restored)) and bool(np.isin(space.keys(restored), missed).all())


def _swept(space: SearchSpace, stop: Step) -> str:
    """What the last sweep of a climbing search has shown."""
    every = _neighbours(space, stop)
    scores = stop.tried.scores if every is None else every
    gain = float(scores.max(initial=-np.inf)) - stop.current.score
    if every is not None:
        name = "A local optimum. " if gain <= 0 else ""
        return f"{name}{_tried(scores, 'neighbour', gain)}"
    return (
        f"{_tried(scores, 'insertion', gain)} "
        "A deletion or an exchange may be better: greedy never tries one."
    )


def _neighbours(space: SearchSpace, stop: Step) -> Floats | None:
    """The scores of all neighbours of a step's sentence, if it looked at every one."""
    wanted = space.keys(space.neighbours(stop.current.state))
    known, first = np.unique(space.keys(stop.tried.moves), return_index=True)
    if not np.isin(wanted, known).all():
        return None
    return np.asarray(stop.tried.scores[first[np.searchsorted(known, wanted)]])


def _tried(scores: Floats, noun: str, gain: float) -> str:
    barred = int(np.isinf(scores).sum())  # beyond a hard limit, and so not asked about
    size = len(scores) - barred
    verdict = "is better" if gain <= 0 else f"gains more than {gain:.1g}"
    told = {0: f"There was no {noun} to try", 1: f"The only {noun} was tried; it is not better"}
    whole = told.get(size, f"All {size:,} {noun}s were tried; none {verdict}")
    return whole + (f" ({barred:,} more would change too many words)." if barred else ".")


def complement(space: SearchSpace, steps: Sequence[Step], search: str, status: Status) -> str:
    """What the complement check of local search did, or why it was not made."""
    if search != "ls":
        return ""
    number = next((i for i, step in enumerate(steps) if step.kind == "complement"), None)
    if number is not None:
        optimum, kept = steps[number - 1].current, steps[number].current
        own, old = figures(float(steps[number].tried.scores[0]), optimum.score)
        told = f"The complement, every substitute not chosen, scores {own}"
        if kept.state == optimum.state:
            return f"{told}, which is not above {old}: it is rejected."
        return f"{told} against {old}: it takes the optimum's place."
    answer = steps[-1].current
    if answer.success:
        return "The complement was not tried: the goal was reached before."
    if status in WHY:
        return f"The complement was not tried: {WHY[status]} before."
    for position, (column, taken) in enumerate(zip(space.choices, answer.state, strict=True)):
        left = len(column) - 1 - bool(taken)
        if left > 1:
            return (
                f"The complement was not tried: it would need {left} substitutes of "
                f"word {position + 1}, {column[0]}, at once."
            )
    return "The complement was not tried in this run."
