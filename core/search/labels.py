"""What the searches share that see only the victim's top label."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import TypeAlias

import numpy as np

from core.objective import Candidate, Floats, Objective
from core.search.ranked import put
from core.space import Moves, SearchSpace, State

Distance: TypeAlias = Callable[[Moves], Floats]  # how far sentences are from the original

AT_ONCE = 32  # sentences that are worked out before they are needed
TOGETHER = 3  # words whose restoring is looked at together


def growing(space: SearchSpace, most: int | None, whole: int, rng: Random) -> Iterator[State]:
    """Sentences with 1, 2, 3, ... words replaced, in a random order, each word anew each time.

    ``whole`` more follow with every word replaced, or as many as a hard limit leaves.
    """
    able = np.flatnonzero(space.counts).tolist()
    order = rng.sample(able, len(able))[:most]
    for count in range(1, len(order) + 1):
        yield replaced(space, order[:count], rng)
    for _ in range(whole):
        yield replaced(space, rng.sample(able, len(able))[:most], rng)


def replaced(
    space: SearchSpace, positions: Sequence[int], rng: Random, nearest: int | None = None
) -> State:
    """The original with some words replaced at random, each by one of its nearest substitutes."""
    state = list(space.origin)
    for position in positions:
        count = int(space.counts[position])
        state[position] = rng.randint(1, min(count, nearest or count))
    return tuple(state)


def first_flip(objective: Objective, states: Iterator[State]) -> Candidate | None:
    """The first of these sentences that changes the label."""
    while some := list(islice(states, AT_ONCE)):
        moves = Moves.of(some, len(objective.space.choices))
        if found := objective.until_success(moves).first_success():
            return found
    return None


def thinned(space: SearchSpace, objective: Objective, current: Candidate, rng: Random) -> Candidate:
    """Restore, in a random order, each word that the success can do without."""
    changed = list(space.changed(current.state))
    order = rng.sample(changed, len(changed))
    for number, position in enumerate(order):
        if number % TOGETHER == 0:
            objective.expect(with_some_restored(current.state, order[number : number + TOGETHER]))
        answer = objective.one(put(current.state, position, 0))
        current = answer if answer.success else current
    return current


def with_some_restored(state: State, positions: Sequence[int]) -> Iterator[State]:
    """Each sentence that can be asked for while these words are restored one after the other."""
    states = [state]
    for position in positions:
        restored = [put(one, position, 0) for one in states]
        yield from restored
        states += restored


def down_the_columns(space: SearchSpace) -> Distance:
    """How far down their columns the substitutes stand: the nearest stands first."""
    return lambda moves: moves.matrix.sum(axis=1).astype(np.float64)


def unlike(space: SearchSpace) -> Distance:
    """One minus the similarity of a sentence and the original."""
    from core.quality.similarity import Similarity  # torch is loaded only when it is needed

    measure, original = Similarity.load(), space.text(space.origin)

    def distance(moves: Moves) -> Floats:
        texts = space.texts(moves)
        # the last digits depend on the batch, and a search must not
        return np.round(1 - measure.scores([original] * len(texts), texts), 5)

    return distance


DISTANCES: dict[str, Callable[[SearchSpace], Distance]] = {
    "similarity": unlike,
    "column": down_the_columns,
}
