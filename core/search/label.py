"""Local search that sees only the victim's top label (the paper's second open question)."""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from core.errors import require
from core.objective import Candidate, Floats, Objective, Step
from core.space import HIDDEN, Moves, SearchSpace, State

Distance: TypeAlias = Callable[[Moves], Floats]  # how far sentences are from the original


@dataclass(frozen=True)
class LabelSearch:
    """LS-label: any sentence with another label, then fewer and nearer substitutes that keep it.

    Looks only at whether a sentence succeeds, never at its score. It starts with every one-word
    change. If none succeeds, it draws sentences: each word is hidden with a chance of ``hidden``,
    or else changed if it can be, and the label changes far more easily so. From a success it walks,
    with random words put in that keep the success, until no word is hidden. Words that can go are
    restored, and from the best of ``starts`` such sentences it takes moves that keep the success:
    - restore a word; or restore one and exchange another; the sentence has one change less;
    - exchange a substitute for one that brings the sentence nearer to the original: more similar
      as a whole (``distance="similarity"``, by a sentence encoder, no query of the victim), or
      earlier in its column (``distance="column"``, without a second model).
    It ends when no such move succeeds: a local optimum of changed words, then of nearness. As long
    as that has more changed words than ``limit`` allows it starts again, ``rounds`` times in all.
    """

    label_only: ClassVar[bool] = True  # an attack that is cut short must not look at scores either
    draws: int = 2_200  # sentences drawn or walked through, at most
    starts: int = 3
    rounds: int = 4
    walk: int = 2  # steps for each substitute there is until a walk is given up
    hidden: float = 0.3
    limit: float = 0.25  # share of words that may be changed, as the attack's own
    distance: Literal["similarity", "column"] = "similarity"

    def __post_init__(self) -> None:
        require(self.draws >= 0 and self.walk >= 0, "draws and walk must not be negative.")
        require(self.starts >= 1 and self.rounds >= 1, "starts and rounds must be at least 1.")
        require(0 <= self.hidden <= 1, f"hidden is {self.hidden}; it must lie between 0 and 1.")
        require(0 < self.limit <= 1, f"limit is {self.limit}; it must lie between 0 and 1.")
        require(self.distance in DISTANCES, 'distance must be "similarity" or "column".')

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        distance = DISTANCES[self.distance](space)
        origin = objective.one(space.origin)
        yield objective.step("start", origin)
        if origin.success or not space.elements:
            return
        best = objective.until_success(space.insertions(space.origin)).first_success()
        yield objective.step("init", best or origin)
        if best:
            best = yield from self._shrink(space, objective, distance, best)
        else:
            best = yield from self._restart(space, objective, distance, rng)
        yield objective.step("stop", best or origin)

    def _restart(
        self, space: SearchSpace, objective: Objective, distance: Distance, rng: Random
    ) -> Generator[Step, None, Candidate | None]:
        """The best of several local optima, until one is within the limit."""

        def far(one: Candidate) -> tuple[int, float]:
            state = Moves.of([one.state], len(one.state))
            return int(state.changed[0]), float(distance(state)[0])

        most = max(1, space.allowed(self.limit))
        found = self._successes(space, objective, rng)
        best = None
        for _ in range(self.rounds):
            current = None
            for success in islice(found, self.starts):
                thin = thinned(space, objective, success, rng)
                current = min(current or thin, thin, key=far)
                yield objective.step("generation", current)
            if current is None:
                break
            current = yield from self._shrink(space, objective, distance, current)
            best = min(best or current, current, key=far)
            if len(space.changed(best.state)) <= most:
                break
        return best

    def _successes(
        self, space: SearchSpace, objective: Objective, rng: Random
    ) -> Iterator[Candidate]:
        """Draw and walk; each success that hides no word, until all draws are used."""
        current, steps = None, 0
        for _ in range(self.draws):
            if current is None or steps == self.walk * space.elements:
                current, steps = None, 0
                state = drawn(space, objective.most, self.hidden, rng)
            else:
                steps += 1
                state = stepped(space, current.state, rng)
            answer = objective.one(state)
            current = answer if answer.success else current
            if current and HIDDEN not in current.state:
                yield current
                current = None

    def _shrink(
        self, space: SearchSpace, objective: Objective, distance: Distance, current: Candidate
    ) -> Generator[Step, None, Candidate]:
        """Take the first move that keeps the success, until none does."""
        while True:
            for moves in smaller_or_nearer(space, distance, current.state):
                found = objective.until_success(moves).first_success()
                if found:
                    break
            else:
                return current
            kind = space.kind(current.state, found.state)
            current = found
            yield objective.step(kind, current)


def drawn(space: SearchSpace, most: int | None, hidden: float, rng: Random) -> State:
    """A sentence with each word hidden, with a chance of ``hidden``, or else changed if it can be.

    A hard limit leaves only as many of them changed or hidden.
    """
    state = [
        HIDDEN if rng.random() < hidden else rng.randint(min(count, 1), count)
        for count in space.counts.tolist()
    ]
    if most is not None:
        changed = [index for index, choice in enumerate(state) if choice]
        for index in rng.sample(changed, max(0, len(changed) - most)):
            state[index] = 0
    return tuple(state)


def stepped(space: SearchSpace, state: State, rng: Random) -> State:
    """Another choice for one word, every second time a hidden one; none is hidden anew."""
    hidden = [index for index, choice in enumerate(state) if choice == HIDDEN]
    able = np.flatnonzero(space.counts).tolist()
    position = rng.choice(hidden if rng.random() < 0.5 else able)
    others = [c for c in range(int(space.counts[position]) + 1) if c != state[position]]
    return (*state[:position], rng.choice(others), *state[position + 1 :])


def thinned(space: SearchSpace, objective: Objective, current: Candidate, rng: Random) -> Candidate:
    """Restore, in a random order, each word that the success can do without."""
    changed = list(space.changed(current.state))
    for position in rng.sample(changed, len(changed)):
        state = (*current.state[:position], 0, *current.state[position + 1 :])
        answer = objective.one(state)
        current = answer if answer.success else current
    return current


def smaller_or_nearer(space: SearchSpace, distance: Distance, state: State) -> Iterator[Moves]:
    """One change less, then one change less and another exchanged, then nearer substitutes."""
    changed = space.changed(state)
    positions = np.array(changed, dtype=np.int32)
    restored = Moves.at(state, positions, np.zeros_like(positions))
    yield restored[np.argsort(distance(restored), kind="stable")]
    for gone in changed:
        for kept in changed:
            if kept != gone:
                column = space.column(state, kept)
                rest = np.full(len(column), gone, dtype=np.int32)
                yield Moves.at(state, column.position, column.choice, rest)
    for kept in changed:
        column = space.column(state, kept)
        far = distance(column)
        nearer = int((far < far[state[kept] - 1]).sum())
        yield column[np.argsort(far, kind="stable")[:nearer]]


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
