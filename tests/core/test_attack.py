"""The attack: verification, limits, seeds and time."""

from collections.abc import Sequence

import numpy as np
import pytest

from core import SEARCHES, Attack, InputError, SearchSpace, function_goal, untargeted
from core.search.local import Greedy, LocalSearch
from tests.toys.topics import TWO

SPACE = SearchSpace.from_choices([["a", "a1", "a2"], ["b", "b1"]])


@pytest.mark.parametrize("budget", [0, -1])
def test_a_budget_below_one_is_refused(budget: int) -> None:
    with pytest.raises(InputError, match="at least 1"):
        Attack(SPACE, function_goal(len), Greedy(), budget=budget)


def test_a_share_outside_zero_and_one_is_refused() -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        Attack(SPACE, function_goal(len), Greedy(), max_changed=1.5)


@pytest.mark.parametrize(("words", "status"), [(12, "success"), (11, "over_limit")])
def test_a_quarter_of_the_words_may_change_and_no_more(words: int, status: str) -> None:
    space = SearchSpace.from_choices([f"{i}", f"{i}'"] for i in range(words))
    goal = function_goal(lambda state: sum(state), success=lambda value: value >= 3)
    result = Attack(space, goal, LocalSearch()).run()
    assert (result.status, result.success) == (status, status == "success")


def test_success_needs_the_victim_to_confirm_the_text() -> None:
    class Moody:
        """Says one thing while searched and another when asked alone."""

        labels = ("no", "yes")

        def bind(self, space: SearchSpace) -> object:
            return lambda states: np.stack(
                [1.0 - states.any(axis=1), states.any(axis=1).astype(float)], axis=1
            )

        def predict(self, texts: Sequence[str]) -> np.ndarray:
            return np.tile([1.0, 0.0], (len(texts), 1))

    goal = untargeted(Moody(), SPACE, "no")
    result = Attack(SPACE, goal, LocalSearch(), max_changed=1.0).run()
    assert result.steps[-1].current.success
    assert (result.status, result.success) == ("failed", False)


def test_an_interrupted_attack_answers_with_the_best_so_far() -> None:
    goal = function_goal(lambda state: float(sum(state)))
    result = Attack(SPACE, goal, LocalSearch(), budget=3).run()
    assert (result.status, result.state, result.queries) == ("budget", (2, 0), 3)
    assert [step.kind for step in result.steps] == ["start", "stop", "end"]


def test_seconds_inside_the_victim_are_part_of_the_whole() -> None:
    result = Attack(SPACE, function_goal(lambda state: float(sum(state))), LocalSearch()).run()
    assert 0.0 < result.forward_seconds < result.seconds


def test_negative_seeds_are_seeds_of_their_own() -> None:
    goal = function_goal(lambda state: float(sum(state)))
    runs = {
        tuple(c.state for step in result.steps for c in step.tried)
        for result in (Attack(TWO, goal, SEARCHES["random"](), seed=s).run() for s in (-1, 1))
    }
    assert len(runs) == 2


def test_a_function_that_is_not_a_number_is_refused() -> None:
    with pytest.raises(InputError, match="not a number"):
        Attack(TWO, function_goal(lambda state: float("nan")), LocalSearch()).run()


def test_a_cancel_is_heard_within_a_sweep() -> None:
    space = SearchSpace.from_choices([[f"{i}-{j}" for j in range(101)] for i in range(10)])
    calls = iter([False, False, True])
    goal = function_goal(lambda state: float(sum(state)))
    result = Attack(space, goal, LocalSearch(), cancelled=lambda: next(calls)).run()
    assert (result.status, result.queries) == ("cancelled", 1 + 2 * 256)
