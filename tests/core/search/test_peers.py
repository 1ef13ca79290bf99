"""BlockBayes, HQA-Attack and TextHacker: their main ideas, on spaces where breaking them shows."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from core import SEARCHES, Attack, SearchSpace, function_goal
from core.objective import Bools, Candidate, Floats, Goal
from core.search import Search
from core.search.block_bayes import BlockBayes, WordProcess
from core.search.hqa import HqaAttack
from core.search.texthacker import TextHacker
from core.space import HIDDEN
from core.story import narrate
from tests.toys.spaces import logistic_case

BY_LABEL: tuple[Search, ...] = (HqaAttack(distance="column"), TextHacker())


def blind(goal: Goal) -> Goal:
    """The same successes, every score the same."""

    def judge(rows: Floats) -> tuple[Floats, Bools]:
        scores, successes = goal.judge(rows)
        return np.zeros_like(scores), successes

    return replace(goal, judge=judge)


def test_a_process_learns_which_words_matter() -> None:
    process, rng = WordProcess(6), np.random.default_rng(0)
    states = rng.integers(0, 3, size=(60, 6))
    odds = 2.0 * (states[:, 1] == 2) - (states[:, 4] == 1)
    answers = [
        Candidate(tuple(state), float(1 / (1 + np.exp(-gain))), success=False)
        for state, gain in zip(states.tolist(), odds, strict=True)
    ]
    process.hear(answers)
    for _ in range(20):
        process.fit()
    others = np.delete(process.weights, [1, 4])
    assert process.weights[1] > process.weights[4] > others.max()
    good, bad = np.array([[0, 2, 1, 1, 0, 0]]), np.array([[0, 0, 1, 1, 1, 0]])
    assert process.improvement(good)[0] > process.improvement(bad)[0]


def test_a_process_chooses_sentences_that_differ() -> None:
    process = WordProcess(4)
    process.hear([Candidate((0, 0, 0, 0), 0.3, success=False)])
    process.fit()
    twins = [(1, 0, 0, 0), (2, 0, 0, 0), (0, 2, 2, 2)]
    assert set(process.diverse(twins, [1.0, 0.99, 0.98], 2)) == {twins[0], twins[2]}


def test_block_bayes_hides_blocks_and_begins_with_the_one_that_matters() -> None:
    space = SearchSpace.from_choices([[f"{i}", f"{i}a"] for i in range(6)])
    goal = function_goal(
        lambda state: 0.4 * abs(state[5]) + 0.2 * abs(state[4]), lambda value: value > 0.5
    )
    steps = Attack(space, goal, BlockBayes(block=2), max_changed=1.0).run().steps
    (rank,) = (step for step in steps if step.kind == "rank")
    assert all(state.count(HIDDEN) == 2 for state in rank.tried.moves)
    first = next(step for step in steps if step.phase == "sample")
    assert not any(any(state[:4]) for state in first.tried.moves)
    assert steps[-1].current.state == (0, 0, 0, 0, 1, 1)


def test_block_bayes_asks_for_fewer_words_after_a_success() -> None:
    for seed in range(4):
        space, goal = logistic_case(seed)
        steps = Attack(space, goal, BlockBayes(), seed=seed).run().steps
        won = [len(space.changed(s.current.state)) for s in steps if s.current.success]
        assert won == sorted(won, reverse=True)
        assert won[-1] <= won[0]
        for before, step in pairwise(steps):
            if step.phase == "fewer":
                most = len(space.changed(before.current.state))
                assert (step.tried.moves.changed < most).all()


@pytest.mark.parametrize("search", BY_LABEL)
def test_who_sees_labels_never_looks_at_a_score(search: Search) -> None:
    for space, goal in map(logistic_case, range(3)):
        seeing, unseeing = (Attack(space, g, search).run() for g in (goal, blind(goal)))
        assert [s.tried.moves for s in seeing.steps] == [s.tried.moves for s in unseeing.steps]
        assert seeing.state == unseeing.state


@pytest.mark.parametrize("key", ["hqa", "texthacker"])
def test_who_sees_labels_tells_no_score(key: str) -> None:
    space, goal = logistic_case(1)
    search = next(each for each in BY_LABEL if type(each) is SEARCHES[key])
    result = Attack(space, goal, search).run()
    story = narrate(space, result.steps, key, result.status)
    assert not any("score" in one.sentence for one in story[1:])
    assert result.success


def test_hqa_builds_nearer_sentences_than_it_began_with() -> None:
    nearer = 0
    for seed in range(4):
        space, goal = logistic_case(seed)
        steps = Attack(space, goal, HqaAttack(distance="column"), max_changed=1.0).run().steps
        first = next(step for step in steps if step.phase == "put back")
        begun, ended = sum(first.current.state), sum(steps[-1].current.state)
        assert ended <= begun
        nearer += ended < begun
    assert nearer


def test_hqa_takes_the_nearest_substitute_of_a_last_word() -> None:
    space = SearchSpace.from_choices([["a", *(f"a{i}" for i in range(9))], ["b", "b1"]])
    goal = function_goal(lambda state: float(state[0]), lambda value: value >= 4)
    result = Attack(space, goal, HqaAttack(distance="column"), max_changed=1.0, seed=1).run()
    assert result.state == (4, 0)


def test_texthacker_keeps_to_the_nearest_synonyms_and_puts_words_back() -> None:
    for seed in range(4):
        space, goal = logistic_case(seed)
        result = Attack(space, goal, TextHacker(synonyms=2), max_changed=1.0).run()
        tried = {choice for s in result.steps for state in s.tried.moves for choice in state}
        assert tried <= {0, 1, 2}
        if result.success:
            first = next(step for step in result.steps if step.phase == "put back")
            assert sum(map(bool, result.state)) <= sum(map(bool, first.current.state))
            assert sum(map(bool, first.current.state)) < len(result.state)
