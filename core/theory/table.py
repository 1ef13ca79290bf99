"""f of every feasible set of a small space, as an array.

Every axis is a word and index 0 its original. As in the paper, f is 0 on infeasible sets (two
substitutes of one word); they are not in the table.
"""

from collections.abc import Generator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.errors import require
from core.measure import SCORE
from core.objective import Bools, Floats, Goal
from core.space import Ints, Moves, SearchSpace, State
from core.theory.asking import Progress, asking, finish

LIMIT = 1_000_000


def trimmed(space: SearchSpace, substitutes: int, words: int | None = None) -> SearchSpace:
    """The same text with the first substitutes of each word only, at the first words that have any.

    A state of the trimmed space is the same state of the whole one, so a goal serves both.
    """
    changeable = np.flatnonzero(space.counts)[:words].tolist()
    kept = [substitutes + 1 if i in changeable else 1 for i in range(len(space.choices))]
    return replace(
        space,
        choices=tuple(column[:n] for column, n in zip(space.choices, kept, strict=True)),
        reasons=tuple(column[:n] for column, n in zip(space.reasons, kept, strict=True)),
    )


def gains_alone(space: SearchSpace, goal: Goal) -> Generator[Progress, None, Floats]:
    """What each substitute gains on its own, in the order of ``space.insertions``."""
    singles = space.insertions(space.origin)
    start = goal([space.origin]).scores[0]
    scores, _ = yield from asking(goal, len(singles), lambda first, end: singles[first:end])
    return np.asarray(scores - start)


def mattering(space: SearchSpace, gains: Floats, substitutes: int, words: int) -> SearchSpace:
    """The same text with the substitutes that gain most alone, at the words where one does.

    Its states are its own: a goal must be bound to it.
    """
    ends = np.cumsum(space.counts)
    columns = [gains[end - count : end] for end, count in zip(ends, space.counts, strict=True)]
    best = [column.max(initial=-np.inf) for column in columns]
    able = [at for at in np.argsort(-np.array(best), kind="stable") if space.counts[at]][:words]
    kept = [
        [0, *(np.argsort(-column, kind="stable")[:substitutes] + 1).tolist()] if at in able else [0]
        for at, column in enumerate(columns)
    ]

    def chosen(table: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
        pairs = zip(table, kept, strict=True)
        return tuple(tuple(column[choice] for choice in numbers) for column, numbers in pairs)

    return replace(space, choices=chosen(space.choices), reasons=chosen(space.reasons))


def tabulate(space: SearchSpace, goal: Goal, limit: int = LIMIT) -> Floats:
    """f of every feasible set, an array with one axis a word."""
    return finish(tabulate_steps(space, goal, limit))


def tabulate_steps(
    space: SearchSpace, goal: Goal, limit: int = LIMIT
) -> Generator[Progress, None, Floats]:
    """Fill the table, telling how far it is; the number of queries is ``space.size``."""
    require(
        space.size <= limit,
        f"The space has {space.size:,} sentences and the limit is {limit:,}; "
        "take fewer substitutes or a shorter text.",
    )
    require(len(space.choices) <= 64, "A table holds at most 64 words; take a shorter text.")
    shape = tuple(len(column) for column in space.choices)

    def part(start: int, end: int) -> Moves:
        return Moves.rows(states_at(np.arange(start, end), shape))

    values, _ = yield from asking(goal, space.size, part)
    return values.reshape(shape)


def optimum(table: Floats) -> tuple[State, float]:
    """The best feasible set (the first in order, on a tie) and its value."""
    return state_at(int(np.argmax(table)), table.shape), float(table.max())


def states_at(flat: NDArray[np.integer], shape: tuple[int, ...]) -> Ints:
    """The states at places of a flattened table, one in a row."""
    return np.stack(np.unravel_index(flat, shape), axis=1).astype(np.int32)


def state_at(place: int, shape: tuple[int, ...]) -> State:
    """The state at a place of a flattened table."""
    return tuple(int(choice) for choice in np.unravel_index(place, shape))


def table_goal(table: Floats) -> Goal:
    """Maximise what a table says; never reached, so that a search runs to its end."""

    def judge(values: Floats) -> tuple[Floats, Bools]:
        return values, np.zeros(len(values), dtype=bool)

    def look_up(states: Ints) -> Floats:
        return np.asarray(table[tuple(states.T)])

    measure = replace(SCORE, largest=max(1.0, float(table.max())))
    return Goal(lambda moves: moves.matrix, look_up, judge, lambda state: False, measure=measure)
