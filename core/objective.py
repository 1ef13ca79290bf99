"""The ledger between a search and its goal: it caches, counts, and keeps to the budget."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from core.key_index import KeyIndex
from core.measure import SCORE, Measure
from core.space import Moves, SearchSpace, State

Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]
Keys: TypeAlias = NDArray[np.uint64]
FIRST_AHEAD: Final = 8  # texts beside the one that is needed, when it is not sure what comes next
MOST_FORESEEN: Final = 10_000  # answers that nobody has asked for yet
STEP_BYTES: Final = 1_200  # of memory, beside the numbers in its arrays
CANDIDATE_BYTES: Final = 200  # beside its state
Kind: TypeAlias = Literal[
    "start",
    "insert",
    "delete",
    "exchange",
    "complement",
    "rank",
    "init",
    "generation",
    "stop",
    "end",
]
Status: TypeAlias = Literal["success", "failed", "over_limit", "skipped", "budget", "cancelled"]

INTERRUPTED = "interrupted"  # the phase of a step "stop" that ends a search which might not go on


@dataclass(frozen=True)
class Candidate:
    """A state with its score (higher is better) and whether it reaches the goal."""

    state: State
    score: float
    success: bool


@dataclass(frozen=True, eq=False)
class Candidates(Sequence[Candidate]):
    """Candidates in compact arrays, made into objects only when looked at."""

    moves: Moves
    scores: Floats
    successes: Bools
    fresh: Bools  # was this request the first for its text, and so a query?

    def __len__(self) -> int:
        return len(self.moves)

    @overload
    def __getitem__(self, index: int) -> Candidate: ...
    @overload
    def __getitem__(self, index: slice) -> "Candidates": ...
    def __getitem__(self, index: int | slice) -> "Candidate | Candidates":
        if isinstance(index, slice):
            return Candidates(
                self.moves[index], self.scores[index], self.successes[index], self.fresh[index]
            )
        return Candidate(self.moves[index], float(self.scores[index]), bool(self.successes[index]))

    def __iter__(self) -> Iterator[Candidate]:
        rows = zip(self.moves, self.scores.tolist(), self.successes.tolist(), strict=True)
        return (Candidate(state, score, success) for state, score, success in rows)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Candidates)
            and self.moves == other.moves
            and np.array_equal(self.scores, other.scores)
            and np.array_equal(self.successes, other.successes)
            and np.array_equal(self.fresh, other.fresh)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def nbytes(self) -> int:
        return sum(part.nbytes for part in (self.moves, self.scores, self.successes, self.fresh))

    def best(self) -> Candidate | None:
        """The highest score; the first one wins a tie."""
        return self[int(np.argmax(self.scores))] if len(self) else None

    def first_success(self) -> Candidate | None:
        """The first candidate that reaches the goal."""
        return self[int(np.argmax(self.successes))] if self.successes.any() else None

    @classmethod
    def join(cls, parts: Sequence["Candidates"], width: int) -> "Candidates":
        """Several batches one after the other."""
        if not parts:
            none = np.zeros(0, dtype=bool)
            return cls(Moves.of([], width), np.zeros(0), none, none)
        return cls(
            Moves.join([part.moves for part in parts]),
            np.concatenate([part.scores for part in parts]),
            np.concatenate([part.successes for part in parts]),
            np.concatenate([part.fresh for part in parts]),
        )


@dataclass(frozen=True)
class Step:
    """One step of a search, with everything it tried, the rejected candidates too."""

    kind: Kind
    current: Candidate
    tried: Candidates
    frontier: tuple[Candidate, ...]  # the population; one candidate for a single-point search
    best: Candidate  # the highest score so far
    queries: int  # distinct texts sent to the victim so far; each state is a text of its own,
    # unless a substitute with a space in it happens to spell the same sentence in another way
    requests: int  # texts asked for so far, repeated ones too: the paper's count
    phase: str = ""  # what the search was doing, in a short name of its own; "" if nobody knows
    base: Candidate | None = None  # the sentence it started from, if that is known

    @property
    def nbytes(self) -> int:
        """About the memory it takes; a member of a population is counted in each step it is in."""
        one = CANDIDATE_BYTES + 8 * len(self.current.state)
        kept = {id(held) for held in (self.current, self.best, self.base, *self.frontier)}
        return STEP_BYTES + one * len(kept) + self.tried.nbytes


@dataclass(frozen=True)
class Goal:
    """What an attack maximises and when it has reached it: a batch of states in, candidates out.

    The call has three parts so that the ledger can time the victim alone.
    """

    prepare: Callable[[Moves], Any]
    ask: Callable[[Any], NDArray[Any]]  # the victim's part
    judge: Callable[[NDArray[Any]], tuple[Floats, Bools]]  # scores and successes
    verify: Callable[[State], bool]  # asks the victim anew, about the text itself
    measure: Measure = SCORE  # how the score is called, and the largest there is
    # whether its victim may answer more than is counted: it costs nobody anything, and an answer is
    # the same to the bit whatever it is asked together with
    ahead: bool = False

    def __call__(self, states: Sequence[State]) -> Candidates:
        moves = (
            states if isinstance(states, Moves) else Moves.of(states, len(next(iter(states), ())))
        )
        scores, successes = self.judge(self.ask(self.prepare(moves)))
        return Candidates(moves, scores, successes, np.ones(len(moves), dtype=bool))


class Interrupted(Exception):  # noqa: N818  (not an error: the run ends with what it has)
    """The search may not go on."""

    status: Literal["budget", "cancelled"]


class OutOfBudget(Interrupted):
    """The next text would be one query too many."""

    status = "budget"


class Cancelled(Interrupted):
    """The user has asked to stop."""

    status = "cancelled"


@dataclass
class Objective:
    """Answers a search's requests for scores; asks the victim only about texts it has not seen."""

    space: SearchSpace
    goal: Goal
    budget: int | None = None  # most distinct queries
    cancelled: Callable[[], bool] = lambda: False
    most: int | None = None  # most changed words; a state with more scores -inf and is not asked
    allowed: int = sys.maxsize  # changed words within the limit that is checked on the answer
    counted: Callable[[int], object] = lambda queries: None  # told of all queries so far
    batch: int = 256
    queries: int = 0
    requests: int = 0
    seconds: float = 0.0  # inside the victim
    best: Candidate | None = None
    _seen: KeyIndex = field(default_factory=KeyIndex)  # numbers the states by their scores' rows
    _scores: Floats = field(default_factory=lambda: np.zeros(256))
    _successes: Bools = field(default_factory=lambda: np.zeros(256, dtype=bool))
    _expected: Moves | None = None  # what will probably be asked now and next
    _reach: int = 0  # how much of it is asked about at once
    _foreseen: dict[int, tuple[float, bool]] = field(default_factory=dict)  # answers, by their keys
    _tried: list[Candidates] = field(default_factory=list)
    _current: Candidate | None = None  # where the last step has ended

    def __call__(self, states: Iterable[State]) -> Candidates:
        """Score states in order; when interrupted, what was scored so far is kept for the step."""
        moves = states if isinstance(states, Moves) else Moves.of(states, len(self.space.choices))
        self._heed_cancel()
        keys = self.space.keys(moves)
        legal = np.ones(len(moves), dtype=bool) if self.most is None else moves.changed <= self.most
        unseen = self._unseen(keys, legal)
        affordable = len(unseen)
        if self.budget is not None:
            affordable = min(affordable, self.budget - self.queries)
        done = 0
        try:
            while done < affordable:
                part = unseen[done : min(done + self.batch, affordable)]
                self._ask(moves[part], keys[part])
                done += len(part)
                if done < affordable:
                    self._heed_cancel()
            if affordable < len(unseen):
                raise OutOfBudget
        finally:
            self._seen.add(keys[unseen[:done]])
            served = int(unseen[done]) if done < len(unseen) else len(keys)
            result = self._serve(moves[:served], keys[:served], legal[:served], unseen[:done])
        return result

    def one(self, state: State) -> Candidate:
        """Score a single state."""
        return self([state])[0]

    def expect(self, states: Iterable[State], *, sure: bool = False) -> None:
        """Say what will probably be asked now and next, until something else is asked.

        A victim that may answers some of it together, ever more as long as it is asked, or all if
        that is sure. A text is counted and recorded only when it is asked, so that a trace is the
        same with and without.
        """
        if self.goal.ahead:
            width = len(self.space.choices)
            self._expected = states if isinstance(states, Moves) else Moves.of(states, width)
            self._reach = self.batch if sure else FIRST_AHEAD

    def until_success(self, moves: Moves) -> Candidates:
        """Score moves one at a time and stop after the first that reaches the goal."""
        parts = []
        self.expect(moves)
        for index in range(len(moves)):
            parts.append(self(moves[index : index + 1]))
            if parts[-1].successes[0]:
                break
        return Candidates.join(parts, len(self.space.choices))

    def confirms(self, candidate: Candidate) -> bool:
        """Ask the victim anew about a success, by its text; this is not counted as a query."""
        began = perf_counter()
        confirmed = candidate.success and self.goal.verify(candidate.state)
        self.seconds += perf_counter() - began
        return confirmed

    def last_success(self) -> Candidate | None:
        """The latest success of the step under way that hides no word."""
        tried = Candidates.join(self._tried, len(self.space.choices))
        found = np.flatnonzero(tried.successes & ~tried.moves.hidden)
        return tried[int(found[-1])] if len(found) else None

    def step(
        self,
        kind: Kind,
        current: Candidate,
        frontier: Sequence[Candidate] = (),
        *,
        phase: str = "",
        base: Candidate | None = None,
    ) -> Step:
        """Close a step: everything tried since the last one belongs to it.

        ``phase`` names what the search was doing where its kind does not tell; ``base`` is the
        sentence it started from where that is not the one the last step has ended with.
        """
        tried = Candidates.join(self._tried, len(self.space.choices))
        last = current if kind in ("start", "rank") else self._current
        self._tried, self._current = [], current
        return Step(
            kind,
            current,
            tried,
            tuple(frontier) or (current,),
            self.best or current,
            self.queries,
            self.requests,
            phase or kind,
            base or last or current,
        )

    def _unseen(self, keys: Keys, legal: Bools) -> NDArray[np.intp]:
        """Indices of the keys that are asked for the first time, each once, in order."""
        unknown = np.flatnonzero((self._seen.find(keys) < 0) & legal)
        first = np.unique(keys[unknown], return_index=True)[1]
        return unknown[np.sort(first)]

    def _heed_cancel(self) -> None:
        """Raise when cancelled; the first text is always scored, so that a run has an answer."""
        if self.queries and self.cancelled():
            raise Cancelled

    def _ask(self, moves: Moves, keys: Keys) -> None:
        """Find out about new texts and remember what the victim says of them."""
        scores, successes = self._foresee(moves, keys) if self.goal.ahead else self._hear(moves)
        end = self.queries + len(moves)
        while end > len(self._scores):
            self._scores = np.concatenate([self._scores, np.zeros_like(self._scores)])
            self._successes = np.concatenate([self._successes, np.zeros_like(self._successes)])
        self._scores[self.queries : end] = scores
        self._successes[self.queries : end] = successes
        self.queries = end
        self.counted(end)

    def _hear(self, moves: Moves) -> tuple[Floats, Bools]:
        """Send texts to the victim."""
        inputs = self.goal.prepare(moves)
        began = perf_counter()
        outputs = self.goal.ask(inputs)
        self.seconds += perf_counter() - began
        return self.goal.judge(outputs)

    def _foresee(self, moves: Moves, keys: Keys) -> tuple[Floats, Bools]:
        """The same, where the victim may have been asked before, and now of what is expected."""
        asked = keys.tolist()
        new = np.array([at for at, key in enumerate(asked) if key not in self._foreseen], np.intp)
        if len(new):
            together = Moves.join([moves[new], *self._worth_asking(asked)])
            scores, successes = self._hear(together)
            answers = zip(scores.tolist(), successes.tolist(), strict=True)
            self._foreseen.update(zip(self.space.keys(together).tolist(), answers, strict=True))
        found = [self._foreseen.pop(key) for key in asked]
        return np.array([score for score, _ in found]), np.array([good for _, good in found])

    def _worth_asking(self, asked: Sequence[int]) -> list[Moves]:
        """Of what is expected what comes next, as far as nothing is known of it."""
        keys = np.zeros(0, dtype=np.uint64)
        if self._expected is not None:
            keys = self.space.keys(self._expected)
        if not np.isin(keys, np.array(asked, dtype=np.uint64)).any():
            self._expected = None
            return []
        assert self._expected is not None
        if len(self._foreseen) > MOST_FORESEEN:
            self._foreseen.clear()
        left = sys.maxsize if self.budget is None else self.budget - self.queries - len(asked)
        room = max(0, min(self._reach, self.batch - len(asked), left))
        self._reach = min(2 * self._reach, self.batch)
        most = sys.maxsize if self.most is None else self.most
        known = self._foreseen.keys() | set(asked)
        rows = self._unseen(keys, self._expected.changed <= most).tolist()
        next_ones = [row for row in rows if int(keys[row]) not in known][:room]
        return [self._expected[np.array(next_ones, dtype=np.intp)]] if next_ones else []

    def _serve(
        self, moves: Moves, keys: Keys, legal: Bools, requested: NDArray[np.intp]
    ) -> Candidates:
        """Answer from the cache, count the requests, and keep the answer for the step."""
        row = self._seen.find(keys)
        fresh = np.zeros(len(keys), dtype=bool)
        fresh[requested] = True
        scores = np.where(legal, self._scores[row], -np.inf)
        result = Candidates(moves, scores, self._successes[row] & legal, fresh)
        self.requests += len(keys)
        self._tried.append(result)
        best = -np.inf if self.best is None else self.best.score
        scores = np.where(moves.hidden, -np.inf, scores)  # a hidden word is no answer
        if scores.max(initial=-np.inf) > best:
            self.best = result[int(np.argmax(scores))]
        return result
