"""A step with all that it takes to describe it: each move it tried by kind, and its gain."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from core.endings import REACHED, TOO_MANY, status_of
from core.measure import SCORE, Measure, written
from core.objective import Candidate, Floats, Status, Step
from core.space import HIDDEN, NONE, Moves, SearchSpace, State

MoveKind: TypeAlias = Literal["insert", "delete", "exchange", "several", "hide", "same"]
KINDS: tuple[MoveKind, ...] = get_args(MoveKind)
ONE_WORD = KINDS[:3]
NUMBER: dict[str, int] = {kind: number for number, kind in enumerate(KINDS)}


@dataclass(frozen=True, eq=False)
class Evaluated:
    """Everything a step tried, in the order of ``step.tried``."""

    before: Candidate  # the sentence that the step changes
    kinds: NDArray[np.int8]  # a number in KINDS for each move
    scores: Floats
    chosen: int | None  # which of them the step took
    threshold: float | None  # the gain that a move had to exceed to be taken

    @property
    def gains(self) -> Floats:
        """The gain of each move over the sentence before; -inf beyond a hard limit."""
        return self.scores - self.before.score

    def of(self, kind: str) -> NDArray[np.intp]:
        """The numbers of the moves of a kind."""
        return np.flatnonzero(self.kinds == NUMBER[kind])

    def best(self, kind: str, but: int | None = None) -> int | None:
        """The number of the best move of a kind, apart from one; the first one wins a tie."""
        fine = [i for i in self.of(kind) if i != but and np.isfinite(self.scores[i])]
        return int(max(fine, key=lambda i: self.scores[i])) if fine else None

    def rivals(self, kind: str) -> dict[str, int]:
        """What a move is compared with: the best of every other kind, else the next of its own."""
        others = {str(other): self.best(other) for other in ONE_WORD if other != kind}
        found = {other: number for other, number in others.items() if number is not None}
        second = None if found else self.best(kind, but=self.chosen)
        return found if second is None else {kind: second}


@dataclass(frozen=True)
class Rules:
    """What counts in an attack: the words that may change, and what its goal maximises."""

    allowed: int = sys.maxsize
    measure: Measure = SCORE
    reached: str = REACHED  # what an attack does that reaches the goal; empty if none ever does


NO_RULES: Final = Rules()  # of an attack of which nothing more is known


@dataclass(frozen=True, eq=False)
class Moment:
    """A step of a trace in its surroundings."""

    space: SearchSpace
    step: Step
    tried: Evaluated
    last: Step  # the step before; the step itself if it is the first
    own: tuple[Candidate, ...] = ()  # the best sentence each member of a population had before
    rules: Rules = NO_RULES

    @cached_property
    def digits(self) -> int | None:
        """With how many digits its scores are written: as many as the reason for a move needs."""
        kind, tried = self.step.kind, self.tried
        rivals = list(tried.rivals(kind).values()) if kind in ONE_WORD else []
        compared = tried.scores if len(tried.scores) == 1 else tried.scores[rivals]
        scores = (tried.before.score, self.step.current.score, *compared.tolist())
        return self.rules.measure.digits(*filter(np.isfinite, scores))

    def written(self, score: float) -> str:
        """A score as this step writes it."""
        return written(score, self.digits)

    @property
    def now(self) -> str:
        """The score of the sentence that the step has ended with."""
        return self.written(self.step.current.score)

    @property
    def change(self) -> str:
        """What the step does to the score."""
        name, before, after = self.rules.measure.name, self.tried.before, self.step.current
        if before.score == after.score:
            return f"keeps {name} at {self.now}"
        verb = "raises" if after.score > before.score else "lowers"
        return f"{verb} {name} from {self.written(before.score)} to {self.now}"

    @property
    def status(self) -> Status:
        """What the sentence is worth that the step has ended with."""
        return status_of(self.space, self.step.current, self.rules.allowed)

    @property
    def reached(self) -> str:
        """That the step reaches the goal, if it does; beyond the limit it is no success."""
        if self.status == "failed":
            return ""
        return f" The goal is reached{f', {TOO_MANY}' if self.status == 'over_limit' else ''}."


def evaluated(space: SearchSpace, steps: Sequence[Step], number: int, must_beat: str) -> Evaluated:
    """Sort out what a step of a trace tried; ``must_beat`` is what a move of its search must."""
    step, last = steps[number], steps[max(number - 1, 0)].current
    before = step.base or (step.current if step.kind in ("start", "rank") else last)
    moves = step.tried.moves
    chosen = None
    if step.current.state != before.state:
        wanted = space.keys(Moves.of([step.current.state], len(space.choices)))
        hits = np.flatnonzero(space.keys(moves) == wanted)
        chosen = int(hits[0]) if len(hits) else None
    threshold = None
    if step.kind not in ("start", "rank", "end"):
        bars = {"current": before.score, "original": steps[0].current.score}
        threshold = bars[must_beat] - before.score if must_beat in bars else None
    kinds = kinds_of(moves, before.state)
    return Evaluated(before, kinds, step.tried.scores, chosen, threshold)


def kinds_of(moves: Moves, before: State) -> NDArray[np.int8]:
    """Name each move: a one-word change by its base, a whole sentence by what differs."""
    insert, delete, exchange, several, hide, same = range(len(KINDS))
    kinds = np.full(len(moves), several, dtype=np.int8)
    one = np.flatnonzero(moves.position != NONE)
    was = moves.bases[moves.base[one], moves.position[one]]
    now = moves.choice[one]
    named = np.where(was == 0, insert, np.where(now == 0, delete, exchange))
    named = np.where(now == was, same, named)
    # Restoring one word may pay for another; with that other one as it was, it is a deletion.
    pair = np.where(was == 0, exchange, np.where(now == was, delete, several))
    named = np.where(moves.restored[one] != NONE, pair, named)
    kinds[one] = np.where(now == HIDDEN, hide, named)
    whole = np.flatnonzero(moves.position == NONE)
    rows, start = moves.bases[moves.base[whole]], np.array(before, dtype=np.int32)
    differs = rows != start
    words = differs.sum(axis=1)
    grown = (rows > 0).sum(axis=1) - np.count_nonzero(start > 0)
    single = np.where(grown > 0, insert, np.where(grown < 0, delete, exchange))
    named = np.where(words == 0, same, np.where(words == 1, single, several))
    kinds[whole] = np.where((rows == HIDDEN).any(axis=1), hide, named)
    return kinds


def moved(before: State, step: Step) -> dict[int, str]:
    """Which words a step changed, and how each of them."""
    pairs = zip(before, step.current.state, strict=True)
    return {
        position: "exchange"
        if step.kind == "exchange" or (old and new)
        else ("delete" if old else "insert")
        for position, (old, new) in enumerate(pairs)
        if old != new
    }
