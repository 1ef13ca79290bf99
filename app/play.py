"""A visitor's own attack: a sentence changed by hand, with every answer of the victim counted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.objective import Bools, Candidate, Floats, Goal, Objective, Step
from core.space import Moves, SearchSpace, State

CHUNK = 64  # substitutes scored between two looks at the page


@dataclass
class Play:
    """The states a visitor has been through, and a ledger of what the victim was asked."""

    space: SearchSpace
    goal: Goal
    probabilities: dict[State, Floats] = field(default_factory=dict)  # what the victim said
    history: list[State] = field(default_factory=list)
    cursor: int = 0
    turn: int = 0  # the last change that the lattice has told of
    steps: list[Step] = field(default_factory=list)  # the same as a trace

    def __post_init__(self) -> None:
        self.objective = Objective(self.space, _remembering(self.goal, self.probabilities))
        self.history = [self.space.origin]
        self.steps = [self.objective.step("start", self.objective.one(self.space.origin))]

    @property
    def state(self) -> State:
        """Where the visitor is."""
        return self.history[self.cursor]

    def score(self, states: Sequence[State]) -> tuple[Floats, Bools]:
        """Scores and successes of states that the victim has been asked about."""
        return self.goal.judge(np.array([self.probabilities[state] for state in states]))

    @property
    def current(self) -> Candidate:
        """The visitor's sentence, scored."""
        scores, successes = self.score([self.state])
        return Candidate(self.state, float(scores[0]), bool(successes[0]))

    def go(self, state: Sequence[int]) -> None:
        """Move to a state; what had been undone is forgotten."""
        target = tuple(state)
        if not self._fits(target) or target == self.state:
            return
        kind = self.space.kind(self.state, target)
        self.steps.append(self.objective.step(kind, self.objective.one(target)))
        self.history = [*self.history[: self.cursor + 1], target]
        self.cursor += 1

    def undo(self) -> None:
        """Go one state back."""
        self.cursor = max(self.cursor - 1, 0)

    def redo(self) -> None:
        """Go forward again."""
        self.cursor = min(self.cursor + 1, len(self.history) - 1)

    def scan(self) -> Iterator[float]:
        """Score every substitute on its own, |V| queries; yields the share that is done."""
        singles = self.space.insertions(self.space.origin)
        for start in range(0, len(singles), CHUNK):
            self.objective(singles[start : start + CHUNK])
            yield min(1.0, (start + CHUNK) / len(singles))
        self.steps.append(self.objective.step("rank", self.current))

    @property
    def scanned(self) -> bool:
        """Whether every substitute has been scored on its own."""
        return all(
            single in self.probabilities for single in self.space.insertions(self.history[0])
        )

    def _fits(self, state: State) -> bool:
        return len(state) == len(self.space.choices) and all(
            0 <= choice < len(column)
            for choice, column in zip(state, self.space.choices, strict=True)
        )


def lattice_data(play: Play, labels: Sequence[str]) -> dict[str, Any]:
    """What the lattice component draws, as plain data."""
    space, origin = play.space, play.space.origin
    start = play.probabilities[origin]
    base = float(play.score([origin])[0][0])
    columns: list[dict[str, Any]] = []
    widest = 0.0
    for position, words in enumerate(space.choices):
        column: dict[str, Any] = {
            "choices": words,
            "reasons": space.reasons[position],
            "note": space.notes[position],
        }
        singles = list(space.column(origin, position))
        if singles and all(state in play.probabilities for state in singles):
            scores, _ = play.score(singles)
            shifts = [play.probabilities[state] - start for state in singles]
            column["gains"] = [None, *(scores - base).tolist()]
            column["shifts"] = [None, *(shift.tolist() for shift in shifts)]
            widest = max(widest, float(np.abs(scores - base).max()))
        columns.append(column)
    return {
        "id": str(hash((space.choices, space.gaps))),
        "columns": columns,
        "labels": list(labels),
        "state": list(play.state),
        "turn": play.turn,
        "range": widest,
    }


def _remembering(goal: Goal, seen: dict[State, Floats]) -> Goal:
    """The same goal, keeping the victim's probabilities for each state it is asked about."""
    asked: list[Moves] = []

    def prepare(moves: Moves) -> Any:
        asked.append(moves)
        return goal.prepare(moves)

    def ask(inputs: Any) -> NDArray[Any]:
        rows = goal.ask(inputs)
        seen.update(zip(asked.pop(), rows, strict=True))
        return rows

    return replace(goal, prepare=prepare, ask=ask)
