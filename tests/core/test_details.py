"""Small rules of the searches and goals that a wrong sign or a wrong tie would break."""

import tracemalloc
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from core import (
    SEARCHES,
    Attack,
    AttackResult,
    InputError,
    SearchSpace,
    State,
    function_goal,
    targeted,
    theory,
    untargeted,
)
from core.objective import Candidates, Objective
from core.search.genetic import Genetic, crossover
from core.search.local import Greedy, LocalSearch
from core.search.population import perturb
from core.search.ranked import ImportanceGreedy, SaliencyGreedy, importance
from core.space import Moves

TWO = SearchSpace.from_choices([["a", "a1", "a2"], ["b", "b1"]])


class Topics:
    """Three labels, decided by one word; no label ever needs a majority."""

    labels = ("news", "sport", "art")
    hidden_token = "<gone>"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answers = {"a": (0.45, 0.3, 0.25), "a1": (0.38, 0.22, 0.4), "a2": (0.33, 0.34, 0.33)}

    def predict(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += texts
        return np.array([self.answers.get(text.split()[0], (0.6, 0.2, 0.2)) for text in texts])


def run(f: dict[State, float], search: object, reach: float | None = None) -> AttackResult:
    success = None if reach is None else lambda value: value >= reach
    goal = function_goal(lambda state: f.get(state, 0.0), success)
    return Attack(TWO, goal, search, max_changed=1.0).run()  # type: ignore[arg-type]


def test_success_is_the_top_label_not_a_majority() -> None:
    states = [(0, 0), (1, 0), (2, 0)]
    away = untargeted(Topics(), TWO, "news")(states)
    assert away.successes.tolist() == [False, True, True]
    assert away.scores == pytest.approx([0.55, 0.62, 0.67])
    towards = targeted(Topics(), TWO, "sport")(states)
    assert towards.successes.tolist() == [False, False, True]
    assert towards.scores == pytest.approx([0.3, 0.22, 0.34])


def test_the_best_of_a_sweep_is_tested_even_if_a_lower_one_succeeds() -> None:
    victim = Topics()
    victim.answers = {"a": (0.5, 0.3, 0.2), "a1": (0.3, 0.3, 0.4), "a2": (0.1, 0.45, 0.45)}
    result = Attack(TWO, targeted(victim, TWO, "art"), LocalSearch(), max_changed=1.0).run()
    assert result.steps[1].current.state == (2, 0)
    assert not result.steps[1].current.success


def test_a_hidden_word_is_the_victims_own_token() -> None:
    victim = Topics()
    Attack(TWO, untargeted(victim, TWO, "news"), SaliencyGreedy()).run()
    assert {"<gone> b", "a <gone>"} <= set(victim.asked)


def test_local_search_takes_a_success_without_a_gain() -> None:
    goal = function_goal(lambda state: 1.0)
    judged = goal.judge
    never_at_the_start = type(goal)(
        lambda moves: list(moves),
        lambda states: np.array([float(state == (0, 1)) for state in states]),
        lambda flags: (judged(np.ones(len(flags)))[0], flags > 0),
        lambda state: state == (0, 1),
    )
    result = Attack(TWO, never_at_the_start, LocalSearch(), max_changed=1.0).run()
    # All scores are equal and a1 comes first: the success further down is not the best.
    assert result.status == "failed"
    result = Attack(TWO, never_at_the_start, LocalSearch(stop_on_first=True), max_changed=1.0).run()
    assert (result.status, result.state) == ("success", (0, 1))


def test_a_complement_that_is_only_as_good_is_not_taken() -> None:
    f = {(0, 0): 1.0, (1, 0): 3.0, (1, 1): 2.0, (2, 1): 3.0, (0, 1): 2.0, (2, 0): 2.0}
    result = run(f, LocalSearch())
    assert result.steps[-2].kind == "complement"
    assert result.state == (1, 0)


def test_no_substitutes_cost_one_request() -> None:
    space = SearchSpace.from_choices([["a"], ["b"]])
    assert Attack(space, function_goal(lambda state: 0.0), LocalSearch()).run().requests == 1


def test_greedy_asks_for_more_than_epsilon() -> None:
    f = {(0, 0): 1.0, (1, 0): 1.5, (0, 1): 1.2, (1, 1): 1.6}
    assert run(f, Greedy(epsilon=0.3)).state == (1, 0)
    assert run(f, Greedy()).state == (1, 1)


def test_ibgs_compares_with_the_original_and_may_lose_score() -> None:
    f = {(0, 0): 1.0, (-1, 0): 5.0, (0, -1): 2.0, (1, 0): 4.0, (2, 0): 3.0, (1, 1): 2.0}
    result = run(f, ImportanceGreedy())
    assert (result.state, result.score) == ((1, 1), 2.0)


def test_ibgs_takes_the_first_success_not_the_best() -> None:
    f = {(0, 0): 1.0, (-1, 0): 5.0, (0, -1): 2.0, (1, 0): 6.0, (2, 0): 9.0}
    assert run(f, ImportanceGreedy(), reach=6.0).state == (1, 0)


def test_ibgs_counts_a_flip_twice() -> None:
    moves = TWO.hiding(TWO.origin)
    hidden = Candidates(moves, np.array([0.5, 0.4]), np.array([False, True]), np.ones(2, bool))
    assert importance(hidden, 0.2) == pytest.approx([0.3, 0.4])


def test_sbgs_weighs_saliency_over_all_words_and_the_first_wins_a_tie() -> None:
    f = {(0, 0): 0.0, (-1, 0): 0.2, (0, -1): 0.1, (1, 0): 0.3, (2, 0): 0.3, (0, 1): 0.35}
    steps = run(f, SaliencyGreedy()).steps
    # H(a) = .525 * .3 = .157, H(b) = .475 * .35 = .166; and a1 before a2.
    assert [step.current.state for step in steps[2:4]] == [(0, 1), (1, 1)]


def test_sbgs_applies_a_substitute_that_loses_too() -> None:
    f = {(0, 0): 0.5, (1, 0): 0.6, (0, 1): 0.4, (1, 1): 0.45}
    assert run(f, SaliencyGreedy()).state == (1, 1)


def test_sgs_prefers_the_backward_pass_on_a_tie() -> None:
    f = {(0, 0): 0.0, (1, 0): 2.0, (1, 1): 1.0, (0, 1): 2.0, (2, 1): 1.0}
    assert run(f, SEARCHES["sgs"]()).state == (0, 1)


def test_random_takes_the_first_success_of_a_batch() -> None:
    f = {(0, 1): 1.0, (1, 1): 5.0, (2, 1): 9.0, (1, 0): 1.0, (2, 0): 1.0}
    result = run(f, SEARCHES["random"](batch=50), reach=5.0)
    first = next(c for c in result.steps[1].tried if c.success)
    assert result.state == first.state


def test_exhaustive_goes_on_after_a_success() -> None:
    f = {(0, 1): 5.0, (2, 1): 9.0}
    result = run(f, SEARCHES["exhaustive"](batch=1), reach=5.0)
    assert (result.state, result.requests) == ((2, 1), TWO.size)


def test_perturb_prefers_unchanged_words_and_needs_a_gain() -> None:
    f = {(0, 0): 1.0, (1, 0): 1.0, (2, 0): 1.0, (1, 1): 1.0, (0, 1): 1.0}
    objective = Objective(TWO, function_goal(lambda state: f.get(state, 0.0)))
    rng = Random(0)
    for _ in range(20):
        assert perturb(TWO, objective, (1, 0), [1.0, 1.0], rng).state == (1, 0)
        assert [c.state for c in objective.step("init", objective.best or 0).tried] == [
            *((1, 1), (1, 0))
        ]


def test_crossover_takes_half_of_each_parent() -> None:
    child = crossover((1,) * 4_000, (0,) * 4_000, Random(0))
    assert 0.45 < np.mean(child) < 0.55


def test_ga_perturbs_words_by_their_number_of_substitutes() -> None:
    space = SearchSpace.from_choices([["a", *(f"a{j}" for j in range(30))], ["b", "b1"], ["c"]])
    goal = function_goal(lambda state: float(state[1] > 0) + 0.1 * (state[0] > 0))
    steps = Attack(space, goal, Genetic(population=200, generations=1), seed=4).run().steps
    changed_b = np.mean([person.state[1] > 0 for person in steps[1].frontier])
    assert changed_b < 0.1  # 1 of 31 draws


def test_ga_children_are_perturbed() -> None:
    space = SearchSpace.from_choices([f"{i}", f"{i}'"] for i in range(12))
    goal = function_goal(lambda state: float(sum(state)))
    steps = Attack(space, goal, Genetic(population=10, generations=4)).run().steps
    most = [max(sum(person.state) for person in step.frontier) for step in steps[1:-1]]
    assert most == sorted(most)
    assert most[-1] >= 4


def test_a_certificate_allows_gains_up_to_epsilon() -> None:
    f = {(0, 0): 1.0, (1, 0): 1.05}
    goal = function_goal(lambda state: f.get(state, 0.0))
    assert not theory.certify(TWO, goal, (0, 0)).holds
    assert theory.certify(TWO, goal, (0, 0), epsilon=0.1).holds
    lonely = SearchSpace.from_choices([["a"]])
    assert theory.certify(lonely, function_goal(lambda state: 0.0), (0,)).holds


def test_corollary_two_needs_three_substitutes_for_one_word() -> None:
    pair = SearchSpace.from_choices([["a", "a1", "a2"]])
    assert not theory.corollary_two(theory.theorem_one(pair, np.zeros(3), (0,)), pair)


def test_submodularity_is_judged_with_a_tolerance() -> None:
    space = SearchSpace.from_choices([["a", "a1"], ["b", "b1"], ["c", "c1"]])
    weights = (0.1, 0.2, 0.3)
    goal = function_goal(lambda state: sum(w for w, j in zip(weights, state, strict=True) if j))
    bound = theory.theorem_one(space, theory.tabulate(space, goal), (1, 1, 1))
    assert bound.submodular
    assert theory.submodularity(space, goal).holds


def test_a_table_has_at_most_64_words() -> None:
    space = SearchSpace.from_choices([[f"{i}"] for i in range(65)])
    with pytest.raises(InputError, match="64 words"):
        theory.tabulate(space, function_goal(lambda state: 0.0))


@pytest.mark.parametrize(
    ("key", "settings"),
    [
        ("ls", {"exchange": "all"}),
        ("ls", {"epsilon": -1.0}),
        ("greedy", {"epsilon": float("nan")}),
        ("pso", {"population": 0}),
        ("pso", {"iterations": 0}),
        ("pso", {"v_max": float("inf")}),
        ("ga", {"population": 1}),
        ("ga", {"generations": 0}),
        ("ga", {"temperature": 0.0}),
        ("ga", {"temperature": float("nan")}),
        ("random", {"batch": 0}),
        ("random", {"draws": 0}),
        ("exhaustive", {"batch": 0}),
        ("exhaustive", {"limit": 0}),
        ("swift", {"doubt_after_success": -1.0}),
        ("swift", {"doubt": -1.0}),
        ("swift", {"batch": 0}),
        ("ls-label", {"starts": 0}),
    ],
)
def test_settings_that_cannot_work_are_refused(key: str, settings: dict[str, object]) -> None:
    with pytest.raises(InputError):
        SEARCHES[key](**settings)


@pytest.mark.parametrize("key", SEARCHES)
def test_a_cancel_during_the_first_text_still_starts(key: str) -> None:
    goal = function_goal(lambda state: 1.0, lambda value: True)
    result = Attack(TWO, goal, SEARCHES[key](), cancelled=lambda: True).run()
    assert (result.status, [step.kind for step in result.steps]) == ("skipped", ["start", "end"])


def test_a_cancel_is_heard_within_a_sweep() -> None:
    space = SearchSpace.from_choices([[f"{i}-{j}" for j in range(101)] for i in range(10)])
    calls = iter([False, False, True])
    goal = function_goal(lambda state: float(sum(state)))
    result = Attack(space, goal, LocalSearch(), cancelled=lambda: next(calls)).run()
    assert (result.status, result.queries) == ("cancelled", 1 + 2 * 256)


def test_a_function_that_is_not_a_number_is_refused() -> None:
    with pytest.raises(InputError, match="not a number"):
        Attack(TWO, function_goal(lambda state: float("nan")), LocalSearch()).run()


def test_negative_seeds_are_seeds_of_their_own() -> None:
    goal = function_goal(lambda state: float(sum(state)))
    runs = {
        tuple(c.state for step in result.steps for c in step.tried)
        for result in (Attack(TWO, goal, SEARCHES["random"](), seed=s).run() for s in (-1, 1))
    }
    assert len(runs) == 2


def test_whole_states_of_a_long_text_are_written_without_cutting_it() -> None:
    space = SearchSpace.from_choices([f"{i}", f"{i}'"] for i in range(1_000))
    states = [space.random(Random(seed)) for seed in range(50)]
    moves = Moves.of(states, 1_000)
    tracemalloc.start()
    texts = space.texts(moves)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert texts == [space.text(state) for state in states]
    assert peak < 20e6
