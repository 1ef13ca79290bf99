"""A visitor's own attack: a sentence changed by hand, with every answer of the victim counted."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import RLock
from typing import Any

from numpy.typing import NDArray

from app.shared.components import columns_of
from app.shared.jobs import VISITOR_BYTES, Kept
from app.shared.question import Question
from core.attack import AttackResult, Trace
from core.edits import Edits
from core.endings import status_of
from core.objective import Candidate, Floats, Goal, Objective, Status, Step
from core.options import Choice
from core.space import Moves, SearchSpace, State
from core.spec import BY_HAND
from core.tasks.protocol import Bar, stacked

CHUNK = 64  # substitutes scored between two looks at the page
ROW_BYTES, STEP_ROWS = 400, 6  # of memory for a sentence beside its words; a step as sentences


@dataclass
class Play:
    """The states a visitor has been through, and a ledger of what the victim was asked.

    One thread at a time moves: at a quick second click Streamlit starts a new run of the page while
    the one before still waits for the victim.
    """

    question: Question
    blind: bool = False  # whether what comes with the app about the question is left out
    found: AttackResult | None = None  # what a search has found, once it is shown
    probabilities: dict[State, Floats] = field(default_factory=dict)  # what the victim said
    history: list[State] = field(default_factory=list)
    cursor: int = 0
    turn: int = 0  # the last change that the lattice has told of
    steps: list[Step] = field(default_factory=list)  # the same as a trace
    memory: Kept = field(default_factory=Kept)
    _moving: RLock = field(default_factory=RLock)

    def __post_init__(self) -> None:
        self.history = [self.space.origin]
        self.probabilities[self.space.origin] = self.question.start
        known = None if self.blind else self.question.recorded
        if known:
            self.probabilities.update(recorded_scan(self.question, known.trace))
            self.probabilities[known.trace.result.state] = known.end

    @property
    def space(self) -> SearchSpace:
        return self.question.space

    @cached_property
    def objective(self) -> Objective:
        """The ledger; recorded answers are asked for again, so that it holds what was shown."""
        shown = list(self.probabilities)
        ledger = Objective(self.space, _remembering(self.question.goal, self.probabilities))
        self.steps.append(ledger.step("start", ledger.one(shown[0])))
        if shown[1:]:
            ledger(shown[1:])
            self.steps.append(ledger.step("rank", self.steps[0].current))
        return ledger

    @property
    def queries(self) -> int:
        """How many sentences the victim has been asked about."""
        return len(self.probabilities)

    @property
    def state(self) -> State:
        return self.history[self.cursor]

    @property
    def current(self) -> Candidate:
        """The visitor's sentence, scored."""
        return self.scored(self.state)

    def scored(self, state: State) -> Candidate:
        """A sentence that the victim has been asked about."""
        scores, successes = self.question.judge(stacked([self.probabilities[state]]))
        return Candidate(state, float(scores[0]), bool(successes[0]))

    def take(self, turn: int, state: Sequence[int]) -> None:
        """Follow the lattice, unless it has told of a later change already."""
        with self._moving:
            if turn > self.turn:
                self.turn = turn
                self.go(state)

    def go(self, state: Sequence[int]) -> None:
        """Move to a state; what had been undone is forgotten."""
        target = tuple(state)
        with self._moving:
            if not fits(self.space, target) or target == self.state or not self.has_room():
                return
            kind, ledger = self.space.kind(self.state, target), self.objective
            candidate = ledger.one(target)
            self.steps.append(ledger.step(kind, candidate, base=self.current))
            self.history = [*self.history[: self.cursor + 1], target]
            self.cursor += 1

    def show(self, found: AttackResult) -> None:
        """Go to the sentence of a search; one that comes with the app is not asked about."""
        with self._moving:
            self.found = found
            if found.state == self.state:
                return
            if found.state in self.probabilities and "objective" not in vars(self):
                self.history, self.cursor = [self.space.origin, found.state], 1
            else:
                self.go(found.state)

    @property
    def found_here(self) -> AttackResult | None:
        """What a search has found, if this is its sentence and not the visitor's own."""
        return self.found if self.found and self.state == self.found.state else None

    def undo(self) -> None:
        with self._moving:
            self.cursor = max(self.cursor - 1, 0)

    def redo(self) -> None:
        with self._moving:
            self.cursor = min(self.cursor + 1, len(self.history) - 1)

    def has_room(self, more: int = 0) -> bool:
        """Whether so many more sentences may be asked about; each takes memory for its words."""
        kept = len(self.probabilities) + len(self.history) + STEP_ROWS * len(self.steps)
        row = ROW_BYTES + 8 * len(self.space.choices)
        self.memory.nbytes = kept * row
        return (kept + more) * row <= VISITOR_BYTES and self.memory.has_room(more * row)

    def scan(self) -> Generator[float, None, None]:
        """Score every substitute on its own, |V| queries; yields the share that is done.

        The victim is loaded at once, so that the steps may be taken on a thread.
        """
        return self._scan(self.objective)

    def _scan(self, ledger: Objective) -> Generator[float, None, None]:
        singles = self.space.insertions(self.space.origin)
        for start in range(0, len(singles), CHUNK):
            with self._moving:
                ledger(singles[start : start + CHUNK])
            yield min(1.0, (start + CHUNK) / len(singles))
        with self._moving:
            self.steps.append(ledger.step("rank", self.current))

    @property
    def scanned(self) -> bool:
        """Whether every substitute has been scored on its own."""
        return all(
            single in self.probabilities for single in self.space.insertions(self.history[0])
        )

    @property
    def status(self) -> Status:
        if self.current.success and self.state == self.space.origin:
            return "skipped"
        return status_of(self.space, self.current, self.question.rules.allowed)

    def trace(self) -> Trace:
        """What the visitor has done so far, as a trace like any search's."""
        ledger, current = self.objective, self.current
        steps = (*self.steps, ledger.step("end", current))
        result = AttackResult(
            current.state,
            self.space.text(current.state),
            current.score,
            self.status == "success",
            ledger.queries,
            ledger.requests,
            self.status,
            steps,
        )
        return Trace(self.space, result, self.question.by(Choice(BY_HAND)).plain())


def fits(space: SearchSpace, state: State) -> bool:
    """Whether a state is one of the space's sentences."""
    return len(state) == len(space.choices) and all(
        isinstance(choice, int) and 0 <= choice < len(column)
        for choice, column in zip(state, space.choices, strict=True)
    )


def recorded_scan(question: Question, known: Trace) -> dict[State, Floats]:
    """What the victim said about each single swap, from the first sweep of local search."""
    output_at, reference = question.kind.output_at, question.spec.reference
    if output_at is None:
        return {}
    singles = known.result.steps[1].tried
    return {single.state: output_at(reference, single.score) for single in singles}


def written(state: State) -> str:
    """A state in a few letters, for an address: ``4.2-7.1`` takes choice 2 for word 4."""
    return "-".join(f"{at + 1}.{choice}" for at, choice in enumerate(state) if choice)


def read(space: SearchSpace, text: str) -> State:
    """The state that ``written`` wrote, or the original if it is none of this space."""
    state = list(space.origin)
    try:
        for part in filter(None, text.split("-")):
            at, choice = part.split(".")
            state[int(at) - 1] = int(choice)
    except (ValueError, IndexError):
        return space.origin
    return tuple(state) if fits(space, tuple(state)) else space.origin


def lattice_data(play: Play) -> dict[str, Any]:
    """What the lattice component draws, as plain data."""
    space, origin, edits = play.space, play.space.origin, play.question.spec.edits
    base, shown = play.scored(origin).score, _shown(play, origin)
    columns, widest, measure = columns_of(space), 0.0, play.question.kind.measure
    for position, column in enumerate(columns):
        column["locked"] = position in edits.locked
        singles = list(space.column(origin, position))
        if singles and all(state in play.probabilities for state in singles):
            gains = [play.scored(state).score - base for state in singles]
            column["gains"] = [None, *gains]
            if shown:
                column["shifts"] = [None, *(_shifts(play, state) for state in singles)]
            widest = max(widest, *map(abs, gains))
    return {
        "id": str(hash((space.choices, space.gaps))),
        "columns": columns,
        "labels": [bar.title for bar in shown],
        "state": list(play.state),
        "turn": play.turn,
        "base": base,
        "measure": measure.name,
        "digits": measure.digits(),
        "range": widest,
        "text": space.text(play.state),
        "edits": plain_edits(edits),
    }


def _shown(play: Play, state: State) -> tuple[Bar, ...]:
    """The bars of the original and of a state."""
    question = play.question
    said = play.probabilities[play.space.origin], play.probabilities[state]
    spec = question.spec
    return question.task.shown(*said, spec.reference, spec.context).bars


def _shifts(play: Play, state: State) -> list[float]:
    """How far each bar moves."""
    return [bar.after - bar.before for bar in _shown(play, state)]


def plain_edits(edits: Edits) -> dict[str, Any]:
    """The edits that are made in the lattice itself."""
    return {"locked": list(edits.locked), "removed": [list(pair) for pair in edits.removed]}


def _remembering(goal: Goal, seen: dict[State, Floats]) -> Goal:
    """The same goal, keeping the victim's probabilities for each state it is asked about."""
    question: list[Moves] = []

    def prepare(moves: Moves) -> Any:
        question.append(moves)
        return goal.prepare(moves)

    def ask(inputs: Any) -> NDArray[Any]:
        rows = goal.ask(inputs)
        seen.update(zip(question.pop(), rows, strict=True))
        return rows

    return replace(goal, prepare=prepare, ask=ask)
