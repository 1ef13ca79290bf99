"""What every search in the registry must do, on toy and random spaces."""

import random
from dataclasses import replace

import pytest

from core import (
    SEARCHES,
    Attack,
    InputError,
    SearchSpace,
    State,
    function_goal,
    targeted,
)
from core.objective import Goal
from core.search.genetic import Genetic, GeneticThenLocal
from core.search.swarm import ParticleSwarm, SwarmThenLocal
from core.space import HIDDEN, Moves
from core.theory import certify
from core.theory.searches import endless
from core.victims import toy
from tests.toys.spaces import SMALL, TEXT, random_case, toy_case
from tests.toys.topics import TWO


def cases(key: str) -> list[tuple[SearchSpace, Goal]]:
    return [toy_case(SMALL if key == "exhaustive" else TEXT), *map(random_case, range(6))]


def recorded(goal: Goal, asked: list[State]) -> Goal:
    """The same goal, writing down every state the victim is really asked about."""

    def prepare(moves: Moves) -> object:
        asked.extend(moves)
        return goal.prepare(moves)

    return replace(goal, prepare=prepare)


@pytest.mark.parametrize("key", SEARCHES)
class TestEverySearch:
    def test_same_seed_gives_the_same_trace(self, key: str) -> None:
        for space, goal in cases(key):
            attack = Attack(space, goal, SEARCHES[key](), seed=3)
            assert attack.run() == attack.run()

    def test_asking_ahead_changes_nothing(self, key: str) -> None:
        for space, goal in cases(key):
            for budget in (None, 7):
                asked: list[State] = []
                ahead = replace(recorded(goal, asked), ahead=True)
                plain = Attack(space, goal, SEARCHES[key](), budget, seed=3).run()
                assert Attack(space, ahead, SEARCHES[key](), budget, seed=3).run() == plain
                assert len(asked) == len(set(asked)) >= plain.queries

    def test_never_leaves_the_space(self, key: str) -> None:
        for space, goal in cases(key):
            for step in Attack(space, goal, SEARCHES[key]()).steps():
                for candidate in (step.current, step.best, *step.frontier):
                    assert all(
                        0 <= choice < len(column)
                        for choice, column in zip(candidate.state, space.choices, strict=True)
                    )
                lowest = HIDDEN if step.kind == "rank" or key == "ls-label" else 0
                for candidate in step.tried:
                    assert all(
                        lowest <= choice < len(column)
                        for choice, column in zip(candidate.state, space.choices, strict=True)
                    )

    def test_never_exceeds_the_budget(self, key: str) -> None:
        for space, goal in cases(key):
            for budget in (1, 2, 5, 9):
                asked: list[State] = []
                result = Attack(space, recorded(goal, asked), SEARCHES[key](), budget).run()
                assert result.queries == len(asked) == len(set(asked)) <= budget

    def test_counts_and_tried_agree(self, key: str) -> None:
        for space, goal in cases(key):
            result = Attack(space, goal, SEARCHES[key]()).run()
            assert result.requests >= result.queries
            assert result.requests == sum(len(step.tried) for step in result.steps)
            assert result.queries == sum(int(step.tried.fresh.sum()) for step in result.steps)
            assert result.queries == len({c.state for step in result.steps for c in step.tried})

    def test_the_last_step_is_the_answer(self, key: str) -> None:
        for space, goal in cases(key):
            result = Attack(space, goal, SEARCHES[key](), max_changed=1.0).run()
            last = result.steps[-1]
            assert last.kind == "end"
            assert (last.current.state, last.current.score) == (result.state, result.score)
            assert (last.queries, last.requests) == (result.queries, result.requests)
            assert result.text == space.text(result.state)
            assert -1 not in result.state
            assert result.success == last.current.success

    def test_the_victim_confirms_the_answer(self, key: str) -> None:
        space, goal = toy_case(SMALL if key == "exhaustive" else TEXT)
        result = Attack(space, goal, SEARCHES[key](), max_changed=1.0).run()
        victim = toy.load()
        before, after = victim.predict([space.text(space.origin), result.text])
        assert (before.argmax() != after.argmax()) == result.success
        assert result.score == pytest.approx(1.0 - after[before.argmax()])

    def test_works_towards_a_target(self, key: str) -> None:
        space, _ = toy_case(SMALL)
        goal = targeted(toy.load(), space, "negative")
        result = Attack(space, goal, SEARCHES[key](), max_changed=1.0).run()
        assert result.success
        assert toy.load().predict([result.text])[0].argmax() == 0

    def test_a_hard_limit_is_kept_during_the_search(self, key: str) -> None:
        space, goal = toy_case(SMALL if key == "exhaustive" else TEXT)
        asked: list[State] = []
        search, spied = SEARCHES[key](), recorded(goal, asked)
        result = Attack(space, spied, search, max_changed=0.25, hard_limit=True).run()
        assert max(len(space.changed(state)) for state in asked) == len(space.choices) // 4
        assert len(space.changed(result.state)) <= len(space.choices) // 4
        assert result.status != "over_limit"
        assert result.score > 0

    def test_cancel_stops_between_batches(self, key: str) -> None:
        space, goal = toy_case(SMALL if key == "exhaustive" else TEXT)
        attack = Attack(space, goal, SEARCHES[key](), cancelled=lambda: True)
        result = attack.run()
        assert (result.status, result.queries) == ("cancelled", 1)
        assert [step.kind for step in result.steps] == ["start", "stop", "end"]

    def test_a_space_without_substitutes_fails_politely(self, key: str) -> None:
        space = SearchSpace.from_choices([["nothing"], ["here"]])
        result = Attack(space, function_goal(lambda state: 0.2), SEARCHES[key]()).run()
        assert (result.status, result.state) == ("failed", (0, 0))

    def test_an_original_that_already_reaches_the_goal_is_skipped(self, key: str) -> None:
        space, _ = toy_case(SMALL)
        result = Attack(space, targeted(toy.load(), space, "positive"), SEARCHES[key]()).run()
        assert (result.status, result.success, result.queries) == ("skipped", False, 1)

    def test_another_seed_may_differ_only_where_the_search_draws(self, key: str) -> None:
        space, goal = random_case(2)
        attacks = [Attack(space, endless(goal), SEARCHES[key](), seed=seed) for seed in range(3)]
        runs = [attack.run() for attack in attacks]
        traces = {tuple(c.state for step in run.steps for c in step.tried) for run in runs}
        assert (len(traces) > 1) == SEARCHES[key].card.randomised


def test_the_rng_is_the_only_source_of_chance() -> None:
    space, goal = toy_case()
    random.seed(1)
    first = Attack(space, goal, SEARCHES["pso"](), seed=7).run()
    random.seed(2)
    assert first == Attack(space, goal, SEARCHES["pso"](), seed=7).run()


@pytest.mark.parametrize(
    ("plain", "polished"), [(ParticleSwarm, SwarmThenLocal), (Genetic, GeneticThenLocal)]
)
def test_a_polished_search_does_the_same_first(plain: type, polished: type) -> None:
    space, goal = random_case(2)
    for case in (goal, endless(goal)):
        before = Attack(space, case, plain()).run()
        after = Attack(space, case, polished()).run()
        shared = len(before.steps) - 1
        assert before.steps[:-1] == after.steps[:shared]
        assert after.score >= before.score


@pytest.mark.parametrize("key", ["swift", "pso+ls", "ga+ls"])
def test_a_run_without_success_ends_in_a_certified_local_optimum(key: str) -> None:
    for space, goal in (toy_case(), *map(random_case, range(8))):
        hopeless = endless(goal)
        result = Attack(space, hopeless, SEARCHES[key]()).run()
        assert result.status == "failed"
        assert certify(space, hopeless, result.state).holds


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
