"""Searches on the teaching instances: the exact path, score and counts of every step."""

import pytest

from core import SEARCHES, Attack, AttackResult, Search, function_goal
from core.search.local import Greedy, LocalSearch
from tests.toys.cases import E1, E2, E3, E8, Case, E

Path = list[tuple[str, str, float, int, int]]  # kind, set, value, requests, queries


def run(case: Case, search: Search, threshold: float | None = None) -> AttackResult:
    success = None if threshold is None else lambda value: value > threshold
    return Attack(case.space, function_goal(case.f, success), search, max_changed=1.0).run()


def path(case: Case, result: AttackResult) -> Path:
    return [
        (step.kind, case.words(step.current.state), step.current.score, step.requests, step.queries)
        for step in result.steps
        if step.kind not in ("start", "end")
    ]


LOCAL: dict[str, Path] = {
    "E1": [
        ("insert", "a1", 22, 7, 7),
        ("insert", "a1 b1", 29, 13, 11),
        ("exchange", "a2 b1", 43, 19, 13),
        ("insert", "a2 b1 c1", 49, 25, 16),
        ("stop", "a2 b1 c1", 49, 31, 20),
    ],
    "E2": [
        ("insert", "a", 20, 4, 4),
        ("insert", "a b", 25, 7, 6),
        ("insert", "a b c", 30, 10, 7),
        ("delete", "b c", 40, 13, 8),
        ("stop", "b c", 40, 16, 8),
        ("complement", "b c", 40, 17, 8),
    ],
    "E3": [
        ("insert", "a1", 20, 5, 5),
        ("insert", "a1 b1", 30, 9, 7),
        ("stop", "a1 b1", 30, 13, 8),
        ("complement", "a2 b2", 50, 14, 9),
    ],
    "E4": [
        ("insert", "a1", 20, 5, 5),
        ("insert", "a1 b1", 21, 9, 7),
        ("exchange", "a2 b1", 30, 13, 8),
        ("stop", "a2 b1", 30, 17, 9),
        ("complement", "a2 b1", 30, 18, 9),
    ],
    "E5": [
        ("insert", "b1", 14, 9, 9),
        ("insert", "b1 d2", 22, 17, 15),
        ("insert", "b1 c2 d2", 29, 25, 19),
        ("exchange", "b2 c2 d2", 41, 33, 24),
        ("insert", "a1 b2 c2 d2", 43, 41, 29),
        ("stop", "a1 b2 c2 d2", 43, 49, 35),
    ],
    "E6": [
        ("insert", "a1", 20, 7, 7),
        ("insert", "a1 b1", 28, 13, 11),
        ("insert", "a1 b1 c1", 34, 19, 14),
        ("stop", "a1 b1 c1", 34, 25, 17),
        ("complement", "a1 b1 c1", 34, 26, 18),
    ],
    "E7": [("insert", "a1", 35, 10, 10), ("stop", "a1", 35, 19, 16)],
}


@pytest.mark.parametrize("name", LOCAL)
def test_local_search_takes_the_known_path(name: str) -> None:
    assert path(E[name], run(E[name], LocalSearch())) == LOCAL[name]


@pytest.mark.parametrize(
    ("name", "words", "value", "requests", "queries"),
    [
        ("E1", "a2 b1 c1", 49, 39, 20),
        ("E2", "b c", 40, 20, 8),
        ("E3", "a2 b2", 50, 16, 9),
        ("E4", "a2 b1", 30, 20, 9),
        ("E5", "a1 b2 c2 d2", 43, 67, 38),
        ("E6", "a1 b1 c1", 34, 34, 19),
        ("E7", "a1", 35, 25, 16),
    ],
)
def test_full_exchange(name: str, words: str, value: float, requests: int, queries: int) -> None:
    result = run(E[name], LocalSearch(exchange="any"))
    assert (E[name].words(result.state), result.score) == (words, value)
    assert (result.requests, result.queries) == (requests, queries)


def test_full_exchange_swaps_two_words_at_once() -> None:
    result = run(E2, LocalSearch(exchange="any"))
    assert path(E2, result)[2] == ("exchange", "b c", 40, 14, 8)


@pytest.mark.parametrize(
    ("name", "words", "value", "requests"),
    [
        ("E1", "a1 b1 c1", 32, 12),
        ("E2", "a b c", 30, 7),
        ("E3", "a1 b1", 30, 7),
        ("E4", "a1 b1", 21, 7),
        ("E5", "a1 b1 c2 d2", 31, 19),
        ("E6", "a1 b1 c1", 34, 13),
        ("E7", "a1", 35, 16),
    ],
)
def test_greedy(name: str, words: str, value: float, requests: int) -> None:
    result = run(E[name], Greedy())
    assert (E[name].words(result.state), result.score) == (words, value)
    assert result.requests == result.queries == requests


def test_the_sweep_is_finished_before_its_best_is_tested() -> None:
    result = run(E1, LocalSearch(), threshold=42)
    assert (E1.words(result.state), result.requests, result.queries) == ("a2 b1", 19, 13)
    assert result.status == "success"


def test_epsilon_asks_for_more_than_a_small_gain() -> None:
    result = run(E1, LocalSearch(epsilon=6))
    assert (E1.words(result.state), result.score, result.requests) == ("a2 b1", 43, 25)


def test_complement_can_be_left_out() -> None:
    result = run(E3, LocalSearch(complement=False))
    assert (E3.words(result.state), result.score, result.requests) == ("a1 b1", 30, 13)


def test_stop_on_first_ends_within_the_sweep() -> None:
    # In the third sweep a1 -> a2 is the first move and already above the goal.
    result = run(E1, LocalSearch(stop_on_first=True), threshold=42)
    assert (E1.words(result.state), result.requests, result.queries) == ("a2 b1", 14, 12)
    assert len(result.steps[-2].tried) == 1


@pytest.mark.parametrize(
    ("key", "words", "value", "requests", "success"),
    [
        ("ls", "a2 b1", 58, 19, True),
        ("greedy", "a1 b1 c1", 47, 12, False),
        ("sbgs", "a1 b1 c1", 47, 13, False),
        ("ibgs", "a2 b1", 58, 9, True),
        ("sgs", "a2 b1 c1", 64, 13, True),
    ],
)
def test_e8_under_every_greedy_search(
    key: str, words: str, value: float, requests: int, success: bool
) -> None:
    hundredth = Case("E8", E8.blocks, {s: v / 100 for s, v in E8.values.items()}, (0.3, 0.45, 0.28))
    result = run(hundredth, SEARCHES[key](), threshold=0.5)
    assert E8.words(result.state) == words
    assert result.score == pytest.approx(value / 100)
    assert (result.requests, result.success) == (requests, success)


def test_sbgs_applies_in_the_order_of_saliency_times_gain() -> None:
    hundredth = Case("E8", E8.blocks, {s: v / 100 for s, v in E8.values.items()}, (0.3, 0.45, 0.28))
    steps = run(hundredth, SEARCHES["sbgs"](), threshold=0.5).steps
    inserted = [E8.words(step.current.state) for step in steps if step.kind == "insert"]
    assert inserted == ["a1", "a1 b1", "a1 b1 c1"]


def test_ibgs_visits_the_most_important_word_first() -> None:
    steps = run(E8, SEARCHES["ibgs"](), threshold=50).steps
    inserted = [E8.words(step.current.state) for step in steps if step.kind == "insert"]
    assert inserted == ["b1", "a2 b1"]


def test_sgs_goes_forward_then_backward_from_the_original() -> None:
    steps = run(E8, SEARCHES["sgs"](), threshold=50).steps
    inserted = [E8.words(step.current.state) for step in steps if step.kind == "insert"]
    assert inserted == ["a1", "a1 b1", "a1 b1 c1", "c1", "b1 c1", "a2 b1 c1"]


def test_sgs_finishes_the_pass_it_has_succeeded_in() -> None:
    result = run(E8, SEARCHES["sgs"](), threshold=40)
    assert (E8.words(result.state), result.requests) == ("a1 b1 c1", 7)
