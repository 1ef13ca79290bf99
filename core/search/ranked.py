"""Searches that first rank the words by hiding them: SBGS (PWWS) and IBGS (TextFooler)."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from core.objective import Candidates, Floats, Objective, Step
from core.space import SearchSpace, State


@dataclass(frozen=True)
class SaliencyGreedy:
    """SBGS: the best substitute of each word, applied in the order of saliency times gain.

    Ren et al. (2019). Requests are ``1 + n + |V| + k`` for ``k`` substitutions, the honest count;
    the reference code halves its own. A word is hidden by its own index (the reference mixes two
    tokenisations), the first substitute wins a tie, and one with a negative gain is applied too.
    """

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        current = objective.one(space.origin)
        yield objective.step("start", current)

        saliency = objective(space.hiding(space.origin)).scores - current.score
        positions = np.flatnonzero(space.counts).tolist()
        columns = [objective(space.column(space.origin, position)) for position in positions]
        chosen = [int(np.argmax(column.scores)) + 1 for column in columns]
        gain = np.array([column.scores.max() for column in columns]) - current.score
        priority = softmax(saliency)[positions] * gain
        yield objective.step("rank", current)

        for index in np.argsort(-priority, kind="stable"):
            candidate = objective.one(put(current.state, positions[index], chosen[index]))
            if not np.isfinite(candidate.score):  # one word more than a hard limit allows
                break
            current = candidate
            yield objective.step("insert", current)
            if current.success:
                return
        yield objective.step("stop", current)


@dataclass(frozen=True)
class ImportanceGreedy:
    """IBGS: words in the order of importance, each with its best substitute in the text so far.

    Jin et al. (2020). A substitute is taken if it scores above the original text, not the current
    one, as in the original. Of several that reach the goal the first is taken, which is the nearest
    where the space lists the nearest first (the original takes the most similar sentence). When
    hiding a word flips the label its gain counts twice, which is the original's formula for two
    labels; with more labels the original adds the flipped label's own gain instead. The stop list,
    the similarity and the part-of-speech filter are constraints on the space, not on the search.
    """

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        current = original = objective.one(space.origin)
        yield objective.step("start", current)

        gain = importance(objective(space.hiding(space.origin)), original.score)
        order = np.argsort(-gain, kind="stable")
        yield objective.step("rank", current)

        for position in order[space.counts[order] > 0]:
            column = objective(space.column(current.state, int(position)))
            best = column.first_success() or column.best()
            if best and (best.success or best.score > original.score):
                current = best
                yield objective.step("insert", current)
            if current.success:
                return
        yield objective.step("stop", current)


def softmax(values: Floats) -> Floats:
    """Positive weights that sum to one."""
    weights = np.exp(values - values.max(initial=-np.inf))
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def importance(hidden: Candidates, original: float) -> Floats:
    """How much hiding each word raises the score, twice where it flips the label."""
    return np.asarray((hidden.scores - original) * np.where(hidden.successes, 2.0, 1.0))


def put(state: State, position: int, choice: int) -> State:
    """A state with one entry set."""
    return (*state[:position], choice, *state[position + 1 :])
