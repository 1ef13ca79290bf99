"""An attack is a question; running it gives the answer and every step on the way."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any

from core.endings import status_of
from core.errors import require
from core.objective import INTERRUPTED, Goal, Interrupted, Objective, Status, Step
from core.search.protocol import Search, card_of
from core.space import SearchSpace, State


@dataclass(frozen=True)
class AttackResult:
    """The answer of an attack; ``success`` means that the status is ``success``."""

    state: State
    text: str
    score: float
    success: bool
    queries: int
    requests: int
    status: Status
    steps: tuple[Step, ...]
    seconds: float = field(default=0.0, compare=False)
    forward_seconds: float = field(default=0.0, compare=False)  # of these, inside the victim


@dataclass(frozen=True)
class Trace:
    """A space, what happened in it, and what it was (victim, search, seed and so on)."""

    space: SearchSpace
    result: AttackResult
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def nbytes(self) -> int:
        """About the memory that its steps take; traces of one question share their space."""
        return sum(step.nbytes for step in self.result.steps)


@dataclass(frozen=True)
class Attack:
    """A search on a space towards a goal; the one place that knows budget, success and cancel.

    ``budget`` limits distinct queries. ``max_changed`` is the paper's rule on the share of changed
    words, checked once on the answer; with ``hard_limit`` the search may not go beyond it either
    (then the space is no longer a partition matroid alone).
    """

    space: SearchSpace
    goal: Goal
    search: Search
    budget: int | None = None
    seed: int = 0
    max_changed: float = 0.25
    hard_limit: bool = False
    cancelled: Callable[[], bool] = field(default=lambda: False, compare=False)
    counted: Callable[[int], object] = field(default=lambda queries: None, compare=False)

    def __post_init__(self) -> None:
        require(
            self.budget is None or (isinstance(self.budget, int) and self.budget >= 1),
            f"The budget is {self.budget}; it must be a whole number of at least 1 query.",
        )
        require(
            0.0 <= self.max_changed <= 1.0,
            f"max_changed is {self.max_changed}; it must lie between 0 and 1.",
        )

    @property
    def label_only(self) -> bool:
        """Whether the search must not see scores."""
        return card_of(self.search).sees == "labels"

    def steps(self) -> Generator[Step, None, AttackResult]:
        """Yield the search's steps and at last the answer; return the result.

        A success is believed only when the victim, asked anew about the text, confirms it.
        """
        began = perf_counter()
        allowed = self.space.allowed(self.max_changed)
        most = allowed if self.hard_limit else None
        objective = Objective(
            self.space, self.goal, self.budget, self.cancelled, most, allowed, self.counted
        )
        steps: list[Step] = []
        fallback: Status = "failed"
        try:
            for step in self.search(self.space, objective, Random(str(self.seed))):
                steps.append(step)
                yield step
                if step.kind == "start" and step.current.success:
                    fallback = "skipped"
                    break
            answer = steps[-1].current
        except Interrupted as interruption:
            fallback = interruption.status
            last = steps[-1].current  # a search that goes on after a success knows its best
            seen = objective.last_success() if self.label_only else objective.best
            answer = last if last.success else seen or last
            steps.append(objective.step("stop", answer, phase=INTERRUPTED))
            yield steps[-1]
        steps.append(objective.step("end", answer, phase=f"end after {steps[-1].phase}"))
        yield steps[-1]
        status = fallback
        if fallback != "skipped" and objective.confirms(answer):
            status = status_of(self.space, answer, allowed)
        return AttackResult(
            answer.state,
            self.space.text(answer.state),
            answer.score,
            status == "success",
            objective.queries,
            objective.requests,
            status,
            tuple(steps),
            perf_counter() - began,
            objective.seconds,
        )

    def run(self) -> AttackResult:
        """Run to the end."""
        steps = self.steps()
        while True:
            try:
                next(steps)
            except StopIteration as end:
                result: AttackResult = end.value
                return result
