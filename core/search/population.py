"""What the swarm and the genetic algorithm share: choosing a word and substituting it well."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from random import Random

import numpy as np

from core.objective import Candidate, Objective
from core.space import Moves, SearchSpace, State


def score(candidate: Candidate) -> float:
    """The key to take the best candidate by."""
    return candidate.score


def draw(weights: Sequence[float], rng: Random) -> int:
    """An index with probability proportional to its weight."""
    sums = list(accumulate(weights))
    mark = rng.random() * sums[-1]
    return next((index for index, total in enumerate(sums) if mark < total), len(sums) - 1)


def drawn_column(space: SearchSpace, state: State, weights: Sequence[float], rng: Random) -> Moves:
    """Every substitute of a word, and last the sentence as it is.

    The word is drawn by weight among the unchanged ones, as long as one of them has substitutes.
    """
    free = [0.0 if choice else weight for choice, weight in zip(state, weights, strict=True)]
    column = space.column(state, draw(free if any(free) else weights, rng))
    return Moves.join([column, Moves.of([state], len(state))])


def perturbed(objective: Objective, columns: Sequence[Moves]) -> Iterator[Candidate]:
    """One after the other the best of each column if it gains; costs ``|B_i| + 1`` requests."""
    if columns:
        objective.expect(Moves.join(columns), sure=True)
    for column in columns:
        tried = objective(column)
        best = int(np.argmax(tried.scores[:-1]))
        yield tried[best] if tried.scores[best] > tried.scores[-1] else tried[-1]
