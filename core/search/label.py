"""Local search that sees only the victim's top label (the paper's second open question)."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from core.errors import require
from core.objective import Candidate, Objective, Step
from core.space import Moves, SearchSpace, State


@dataclass(frozen=True)
class LabelSearch:
    """LS-label: any sentence with another label, then fewer and nearer substitutes that keep it.

    Looks only at whether a sentence succeeds, never at its score. It starts with every one-word
    change, then draws sentences with all words changed. From a success it takes moves that keep it:
    - restore a word; or restore one and exchange another; the sentence has one change less;
    - exchange a substitute for one earlier in its column, where the nearest stands first.
    It ends when no such move succeeds: a local optimum of changed words, then of nearness. The best
    of ``starts`` drawn sentences is the answer.
    """

    draws: int = 1_200
    starts: int = 3

    def __post_init__(self) -> None:
        require(
            self.draws >= 0 and self.starts >= 1, "starts must be at least 1, draws at least 0."
        )

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        origin = objective.one(space.origin)
        yield objective.step("start", origin)
        if origin.success or not space.elements:
            return
        best = objective.until_success(space.insertions(space.origin)).first_success()
        yield objective.step("init", best or origin)
        if best:
            best = yield from self._shrink(space, objective, best)
        left = 0 if best else self.draws
        for _ in range(self.starts):
            found = None
            while left and found is None:
                left -= 1
                drawn = objective.one(full(space, objective.most, rng))
                found = drawn if drawn.success else None
            if found is None:
                break
            yield objective.step("generation", best or found)
            found = yield from self._shrink(space, objective, found)
            best = min(best or found, found, key=distance)
        yield objective.step("stop", best or origin)

    def _shrink(
        self, space: SearchSpace, objective: Objective, current: Candidate
    ) -> Generator[Step, None, Candidate]:
        """Take the first move that keeps the success, until none does."""
        while True:
            for moves in (restored(space, current.state), *closer(space, current.state)):
                found = objective.until_success(moves).first_success()
                if found:
                    break
            else:
                return current
            kind = space.kind(current.state, found.state)
            current = found
            yield objective.step(kind, current)


def full(space: SearchSpace, most: int | None, rng: Random) -> State:
    """A sentence with every word changed that can be, or as many as a hard limit allows."""
    able = np.flatnonzero(space.counts).tolist()
    taken = able if most is None or most >= len(able) else rng.sample(able, most)
    counts = enumerate(space.counts.tolist())
    return tuple(rng.randint(1, count) if index in taken else 0 for index, count in counts)


def distance(candidate: Candidate) -> tuple[int, int]:
    """Changed words first, then how far down their columns the substitutes stand."""
    return sum(map(bool, candidate.state)), sum(candidate.state)


def restored(space: SearchSpace, state: State) -> Moves:
    """A state with each changed word restored in turn, the furthest substitutes first."""
    changed = sorted(space.changed(state), key=lambda position: -state[position])
    positions = np.array(changed, dtype=np.int32)
    return Moves.at(state, positions, np.zeros_like(positions))


def closer(space: SearchSpace, state: State) -> Iterator[Moves]:
    """Restore one word and exchange another; then nearer substitutes of one word."""
    changed = space.changed(state)
    for gone in changed:
        for kept in changed:
            if kept != gone:
                column = space.column(state, kept)
                rest = np.full(len(column), gone, dtype=np.int32)
                yield Moves.at(state, column.position, column.choice, rest)
    for kept in changed:
        yield space.column(state, kept)[: state[kept] - 1]
