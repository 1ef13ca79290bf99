"""The ledger and the attack: counting, budget, cancel, verification, limits."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from core import (
    SEARCHES,
    Attack,
    InputError,
    SearchSpace,
    function_goal,
    goals,
    targeted,
    untargeted,
)
from core.goals import label_index, probabilities, remembered
from core.objective import Cancelled, Objective, OutOfBudget
from core.search.local import Greedy, LocalSearch
from core.victims import Victim, toy
from tests.toys.topics import TWO

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


def test_labels_by_name_or_index() -> None:
    victim = toy.load()
    assert isinstance(victim, Victim)
    assert label_index(victim, "positive") == label_index(victim, 1) == 1
    for wrong in ("neutral", 2, -1):
        with pytest.raises(InputError, match="Its labels are: negative, positive"):
            label_index(victim, wrong)


def test_goals_score_as_the_paper_says() -> None:
    space = SearchSpace.from_choices([["love", "favor"], ["movie", "picture"]])
    victim = toy.load()
    negative, positive = victim.predict([space.text((1, 1))])[0]
    assert untargeted(victim, space, "positive")([(1, 1)])[0].score == pytest.approx(1 - positive)
    assert targeted(victim, space, "negative")([(1, 1)])[0].score == pytest.approx(negative)


@pytest.mark.parametrize(
    ("rows", "message"),
    [([[0.5]], "shape"), ([[np.nan, 0.5]], "sum to 1"), ([[5.0, -4.0]], "sum to 1")],
)
def test_a_victim_that_answers_nonsense_is_named(rows: list[list[float]], message: str) -> None:
    class Odd:
        labels = ("a", "b")

        def predict(self, texts: Sequence[str]) -> np.ndarray:
            return np.array(rows)

    with pytest.raises(InputError, match=message):
        probabilities(Odd(), ["text"])


def test_a_goal_that_remembers_asks_once_and_every_attack_counts_its_own() -> None:
    asked: list[tuple[int, ...]] = []

    def f(state: tuple[int, ...]) -> float:
        asked.append(state)
        return float(sum(state))

    plain = function_goal(f)
    alone = Attack(SPACE, plain, LocalSearch()).run()
    asked.clear()
    goal = remembered(plain, SPACE)
    first, second = (Attack(SPACE, goal, LocalSearch()).run() for _ in range(2))
    assert first == second == alone
    assert len(asked) == len(set(asked)) == alone.queries
    assert goal([(1, 0), (1, 0), (0, 1)]).scores.tolist() == [1.0, 1.0, 1.0]


def test_a_full_memory_asks_again_and_answers_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(goals, "MOST_KEPT", 1)
    plain = function_goal(lambda state: float(sum(state)))
    goal = remembered(plain, SPACE)
    for _ in range(2):
        assert Attack(SPACE, goal, Greedy()).run() == Attack(SPACE, plain, Greedy()).run()


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
