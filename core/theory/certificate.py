"""The certificate of a local optimum: its whole neighbourhood, asked for again."""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from core.objective import Candidate, Candidates, Floats, Goal
from core.space import Exchange, SearchSpace, State
from core.theory.asking import Progress, asking, finish


@dataclass(frozen=True)
class Certificate:
    """The whole neighbourhood of a state, scored anew, move by move."""

    center: Candidate
    tried: Candidates
    epsilon: float

    @property
    def gains(self) -> Floats:
        """What each move would gain."""
        return self.tried.scores - self.center.score

    @property
    def better(self) -> Candidates | None:
        """The moves that gain more than epsilon, or None: then the state is a local optimum."""
        found = np.flatnonzero(self.gains > self.epsilon)
        if not len(found):
            return None
        scores, successes, fresh = self.tried.scores, self.tried.successes, self.tried.fresh
        return Candidates(self.tried.moves[found], scores[found], successes[found], fresh[found])

    @property
    def holds(self) -> bool:
        """Whether no move is better."""
        return self.better is None


def certify(
    space: SearchSpace,
    goal: Goal,
    state: State,
    exchange: Exchange = "same",
    epsilon: float = 1e-10,
) -> Certificate:
    """Check Definition 3 by asking for every neighbour of a state again."""
    return finish(certify_steps(space, goal, state, exchange, epsilon))


def certify_steps(
    space: SearchSpace,
    goal: Goal,
    state: State,
    exchange: Exchange = "same",
    epsilon: float = 1e-10,
) -> Generator[Progress, None, Certificate]:
    """The check, telling how far it is; it costs one query and one for each neighbour."""
    moves = space.neighbours(state, exchange)
    found = yield from asking(goal, len(moves), lambda start, end: moves[start:end])
    tried = Candidates(moves, *found, np.ones(len(moves), dtype=bool))
    return Certificate(goal([state])[0], tried, epsilon)
