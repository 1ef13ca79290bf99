"""The ledger: counting, budget and cancel."""

import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core import SEARCHES, Attack, SearchSpace, function_goal
from core.attack import Trace
from core.objective import Cancelled, Objective, OutOfBudget
from core.space import Moves
from core.substitutions import toy as toy_words

TEXT = "A charming and often very funny film, with a smart script and a warm, honest ending."
SPACE = SearchSpace.from_choices([["a", "a1", "a2"], ["b", "b1"]])


def ledger(**options: Any) -> Objective:
    return Objective(SPACE, function_goal(lambda state: float(sum(state))), **options)


def test_queries_are_distinct_and_requests_are_all() -> None:
    objective = ledger()
    tried = objective([(0, 0), (1, 0), (0, 0), (1, 0)])
    assert (objective.queries, objective.requests) == (2, 4)
    assert tried.fresh.tolist() == [True, True, False, False]
    objective([(1, 0), (2, 1)])
    assert (objective.queries, objective.requests) == (3, 6)


def test_the_budget_cuts_a_batch_and_keeps_what_was_scored() -> None:
    objective = ledger(budget=2)
    with pytest.raises(OutOfBudget):
        objective([(0, 0), (1, 0), (0, 0), (2, 0), (1, 0)])
    assert (objective.queries, objective.requests) == (2, 3)
    assert len(objective.step("stop", objective.one((0, 0))).tried) == 4
    with pytest.raises(OutOfBudget):
        objective([(2, 0)])


def test_known_texts_are_free_when_the_budget_is_spent() -> None:
    objective = ledger(budget=1)
    objective([(0, 0)])
    assert objective.one((0, 0)).score == 0


def test_cancel_is_heard_between_batches() -> None:
    answers = iter([False, True])
    objective = ledger(cancelled=lambda: next(answers), batch=1)
    with pytest.raises(Cancelled):
        objective([(0, 0), (1, 0), (2, 0)])
    assert (objective.queries, objective.requests) == (2, 2)


def test_a_hidden_word_is_never_the_best() -> None:
    objective = Objective(SPACE, function_goal(lambda state: 9.0 if -1 in state else 1.0))
    objective(SPACE.hiding(SPACE.origin))
    assert objective.best is None
    objective([SPACE.origin])
    assert objective.best is not None
    assert objective.best.state == (0, 0)


def test_what_is_expected_is_answered_together_but_counted_when_it_is_asked() -> None:
    asked: list[list[tuple[int, ...]]] = []
    goal = function_goal(lambda state: float(sum(state)))

    def ask(moves: Moves) -> Any:
        asked.append(list(moves))
        return goal.ask(moves)

    states = [(1, 0), (2, 0), (1, 1)]
    for ahead, calls in ((False, [[(1, 0)], [(2, 0)]]), (True, [[(1, 0), (2, 0)]])):
        asked.clear()
        counted: list[int] = []
        watched = replace(goal, ask=ask, ahead=ahead)
        objective = Objective(SPACE, watched, budget=2, counted=counted.append)
        objective.expect(states)  # the budget leaves no room for the third
        assert [objective.one(state).score for state in states[:2]] == [1.0, 2.0]
        assert asked == calls
        assert (objective.queries, counted) == (2, [1, 2])
        tried = objective.step("stop", objective.one((1, 0))).tried
        assert list(tried.moves) == [*states[:2], (1, 0)]


def test_what_is_expected_is_forgotten_when_something_else_is_asked() -> None:
    asked: list[tuple[int, ...]] = []

    def nothing(state: tuple[int, ...]) -> float:
        asked.append(state)
        return 0.0

    goal = function_goal(nothing)
    objective = Objective(SPACE, replace(goal, ahead=True))
    objective.expect([(1, 0), (2, 0)])
    objective.one((1, 1))
    objective.one((1, 0))
    assert asked == [(1, 1), (1, 0)]


def test_a_failing_victim_leaves_the_ledger_consistent() -> None:
    def f(state: tuple[int, ...]) -> float:
        if state == (2, 0):
            raise RuntimeError("the victim is down")
        return 0.0

    objective = Objective(SPACE, function_goal(f), batch=1)
    with pytest.raises(RuntimeError, match="down"):
        objective([(0, 0), (2, 0), (1, 0)])
    assert (objective.queries, objective.requests) == (1, 1)


def test_candidates_are_lazy_but_behave_like_a_sequence() -> None:
    tried = ledger()([(0, 0), (2, 1), (1, 0)])
    assert len(tried) == 3
    assert tried[1].state == tried[1:][0].state == (2, 1)
    assert [candidate.score for candidate in tried] == [0, 3, 1]
    assert tried.best() == tried[1]
    assert tried.first_success() is None
    assert tried == ledger()([(0, 0), (2, 1), (1, 0)])
    assert tried != ledger()([(0, 0), (2, 1), (2, 0)])


def memory_of(part: Any, seen: set[int]) -> int:
    """The memory of an object and of all that it refers to, each once."""
    if id(part) in seen or isinstance(part, int | float | bool | str):
        return 0
    seen.add(id(part))
    if isinstance(part, np.ndarray):
        return sys.getsizeof(part) if part.base is None else 100 + memory_of(part.base, seen)
    inner = part if isinstance(part, tuple) else vars(part).values()
    own = sys.getsizeof(part) + (0 if isinstance(part, tuple) else sys.getsizeof(vars(part)))
    return own + sum(memory_of(one, seen) for one in inner)


@pytest.mark.parametrize(("search", "words"), [("ls", 96), ("pso", 16), ("ga", 96), ("swift", 16)])
def test_a_step_knows_its_size(search: str, words: int) -> None:
    space = SearchSpace.from_text(" ".join([TEXT] * (words // 16)), toy_words.load())
    goal = function_goal(lambda state: float(sum(map(bool, state))))
    result = Attack(space, goal, SEARCHES[search](), 1_000).run()
    assert 0.7 < Trace(space, result).nbytes / memory_of(result.steps, set()) < 1.3
