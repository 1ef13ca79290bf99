"""What an ended search can vouch for, proved by its trace alone."""

from collections.abc import Sequence

import numpy as np

from core.narrate.words import count
from core.objective import Floats, Step
from core.space import Exchange, Moves, SearchSpace, State

EXCHANGES: tuple[Exchange, ...] = ("any", "same")  # the larger neighbourhood first
NOTHING = "This search proves nothing about its answer: a better neighbour may exist."


def proved(space: SearchSpace, steps: Sequence[Step]) -> str:
    """What the trace of any search proves about the answer, and no more."""
    last = next((step for step in reversed(steps) if step.kind == "stop"), None)
    if last is not None and not last.current.success and (sentence := local_optimum(space, last)):
        return sentence
    if steps[-1].current.success and _each_needed(space, steps):
        return "Every change is needed: with any of them undone the goal is lost, as was tried."
    return NOTHING


def local_optimum(space: SearchSpace, stop: Step) -> str:
    """That no neighbour is better, if a step has tried all of them; names the neighbourhood."""
    for exchange in EXCHANGES:
        scores = _neighbours(space, stop, exchange)
        if scores is not None:
            gain = float(scores.max(initial=-np.inf)) - stop.current.score
            name = "A local optimum. " if gain <= 0 else ""
            verdict = f"{name}{none_better(scores, 'neighbour', gain)}"
            return verdict + neighbourhood(space, stop.current.state, exchange)
    return ""


def neighbourhood(space: SearchSpace, state: State, exchange: Exchange) -> str:
    """Whether the neighbours have exchanges between two words, where there are any."""
    crossed = space.exchanges_between_words(state)
    if not crossed:
        return ""
    if exchange == "any":
        return f" {count(crossed, 'exchange')} between two words among them."
    return (
        " Exchanges were tried within one word; the paper also has those between two words: "
        f"{crossed:,} here."
    )


def none_better(scores: Floats, noun: str, gain: float) -> str:
    """That none of the moves tried is better, or at least not by more than a gain."""
    barred = int(np.isinf(scores).sum())  # beyond a hard limit, and so not asked about
    size = len(scores) - barred
    verdict = "is better" if gain <= 0 else f"gains more than {gain:.1g}"
    few = {0: f"There was no {noun} to try", 1: f"The only {noun} was tried; it is not better"}
    whole = few.get(size, f"All {count(size, noun)} were tried; none {verdict}")
    return whole + (f" ({barred:,} more would change too many words)." if barred else ".")


def _each_needed(space: SearchSpace, steps: Sequence[Step]) -> bool:
    """Whether the answer was tried with each changed word restored, always without success."""
    state = steps[-1].current.state
    positions = np.array(space.changed(state), dtype=np.int32)
    missed = np.concatenate([space.keys(s.tried.moves)[~s.tried.successes] for s in steps])
    restored = Moves.at(state, positions, np.zeros_like(positions))
    return bool(len(restored)) and bool(np.isin(space.keys(restored), missed).all())


def _neighbours(space: SearchSpace, stop: Step, exchange: Exchange) -> Floats | None:
    """The scores of all neighbours of a step's sentence, if it looked at every one."""
    wanted = space.keys(space.neighbours(stop.current.state, exchange))
    known, first = np.unique(space.keys(stop.tried.moves), return_index=True)
    if not np.isin(wanted, known).all():
        return None
    return np.asarray(stop.tried.scores[first[np.searchsorted(known, wanted)]])
