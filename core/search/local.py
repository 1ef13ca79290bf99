"""Local search (Liu et al., Algorithm 1) and Greedy, its case with insertions only."""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from random import Random

from core.errors import require
from core.objective import Candidate, Objective, Step
from core.space import Exchange, Moves, SearchSpace, State

EPSILON = 1e-10  # a gain below it is rounding


@dataclass(frozen=True)
class LocalSearch:
    """Local search: the best insertion, deletion or exchange until none improves the score.

    Departs from the paper, as its code does:
    - exchange stays at one word by default (``exchange="any"`` is the paper's, over any pair);
    - a move must gain more than ``epsilon`` (the paper mentions it, the code uses 1e-10);
    - the search ends as soon as the best move of a finished sweep reaches the goal, even without
      a gain (``stop_on_first`` ends it within the sweep, at the first move that does).
    Departs from the code: the complement of the local optimum is tried, as in the paper, and kept
    only if it is better; the code tries another set in most of its scenarios.
    """

    exchange: Exchange = "same"
    complement: bool = True
    epsilon: float = EPSILON
    stop_on_first: bool = False

    def __post_init__(self) -> None:
        require(self.exchange in ("same", "any"), 'exchange must be "same" or "any".')
        require(self.epsilon >= 0, f"epsilon is {self.epsilon}; it must not be negative.")

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        def neighbourhood(state: State) -> Moves:
            return space.neighbours(state, self.exchange)  # lines 3-11

        current = objective.one(space.origin)  # line 1
        yield objective.step("start", current)
        current = yield from climb(
            space, objective, current, neighbourhood, self.epsilon, self.stop_on_first
        )
        other = space.complement(current.state)
        if not self.complement or current.success or other in (None, current.state):
            return
        complement = objective.one(other)  # line 17
        best = complement if complement.score > current.score else current
        yield objective.step("complement", best)  # line 18


@dataclass(frozen=True)
class Greedy:
    """Greedy: the best insertion until none improves the score; a changed word stays changed."""

    epsilon: float = EPSILON

    def __post_init__(self) -> None:
        require(self.epsilon >= 0, f"epsilon is {self.epsilon}; it must not be negative.")

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        current = objective.one(space.origin)
        yield objective.step("start", current)
        yield from climb(space, objective, current, space.insertions, self.epsilon)


def climb(
    space: SearchSpace,
    objective: Objective,
    current: Candidate,
    neighbourhood: Callable[[State], Moves],
    epsilon: float,
    stop_on_first: bool = False,
) -> Generator[Step, None, Candidate]:
    """Steepest ascent from a state (Algorithm 1, lines 2-16)."""
    while not current.success:  # line 2
        moves = neighbourhood(current.state)
        tried = objective.until_success(moves) if stop_on_first else objective(moves)
        best = (stop_on_first and tried.first_success()) or tried.best()
        if best is None or not (best.success or best.score - current.score > epsilon):  # line 13
            yield objective.step("stop", current)  # line 15: a local optimum
            break
        kind = space.kind(current.state, best.state)
        current = best  # line 14
        yield objective.step(kind, current)
    return current
