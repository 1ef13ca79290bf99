"""LS-label: it never sees a score, and never tells one."""

from dataclasses import replace

import numpy as np
import pytest

from core import Attack, SearchSpace, State, function_goal
from core.errors import InputError
from core.narrate import Moment
from core.narrate.words import count
from core.objective import Bools, Candidate, Floats, Goal
from core.search.label import LabelSearch
from core.search.labels import down_the_columns, unlike
from core.space import HIDDEN
from core.story import certificate, narrate
from core.theory.searches import endless
from tests.toys.narrating import BY_COLUMN, told_of
from tests.toys.spaces import logistic_case, toy_case


def test_a_search_that_sees_only_labels_is_told_without_scores() -> None:
    result, story = told_of(LabelSearch(distance="column"), "ls-label", seed=1)
    assert result.success
    assert not any("score" in one.sentence for one in story[1:])
    assert {one.step.kind for one in story} >= {"init", "generation", "delete", "exchange"}
    for one in story:
        if one.step.kind in ("delete", "exchange"):
            before, after = one.tried.before.state, one.step.current.state
            assert sum(map(bool, before)) >= sum(map(bool, after))
            assert 1 <= sum(old != new for old, new in zip(before, after, strict=True)) <= 2
            words = f"with {count(sum(map(bool, after)), 'changed word')}."
            fewer = one.sentence.endswith(words)
            assert fewer != one.sentence.endswith("the sentence is nearer to the original.")
            assert fewer == (sum(map(bool, before)) > sum(map(bool, after)))
    space, goal = logistic_case(3)
    cut = Attack(space, goal, LabelSearch(), budget=20).run()
    assert "score" not in narrate(space, cut.steps, "ls-label", cut.status)[-2].sentence


def test_a_search_for_fewer_changes_proves_that_each_is_needed() -> None:
    space, goal = logistic_case(3)
    whole = Attack(space, goal, LabelSearch(distance="column"), seed=3).run()
    needed = "Every change is needed"
    assert certificate(space, whole.steps, "ls-label", whole.status).startswith(needed)
    drawn = next(i for i, step in enumerate(whole.steps) if step.kind == "generation")
    for steps in (whole.steps[: drawn + 1], whole.steps[-1:], whole.steps[:1]):
        assert not certificate(space, steps, "ls-label", "budget").startswith(needed)


def test_a_restored_word_keeps_its_capitals() -> None:
    space = SearchSpace.from_choices([["Paris", "Rome"], ["I", "we"]])
    goal = function_goal(lambda state: float(bool(state[1])), lambda value: value > 0)
    result = Attack(space, goal, LabelSearch(), max_changed=1.0).run()
    drawn = Candidate((1, 1), 1.0, success=True)
    story = narrate(space, result.steps, "ls-label", result.status)
    tried = replace(story[1].tried, before=drawn)
    shrunk = replace(story[1].step, phase="restore")
    told = LabelSearch.describe(Moment(space, shrunk, tried, story[0].step))
    assert told == "Restoring Paris keeps the label changed, with 1 changed word."


def blind(goal: Goal) -> Goal:
    """The same successes, every score the same."""

    def judge(rows: Floats) -> tuple[Floats, Bools]:
        scores, successes = goal.judge(rows)
        return np.zeros_like(scores), successes

    return replace(goal, judge=judge)


def test_label_search_never_looks_at_a_score() -> None:
    for space, goal in (toy_case(), *map(logistic_case, range(3))):
        seeing, unseeing = (Attack(space, g, BY_COLUMN).run() for g in (goal, blind(goal)))
        assert seeing.state == unseeing.state
        assert [s.tried.moves for s in seeing.steps] == [s.tried.moves for s in unseeing.steps]


def test_label_search_that_is_cut_short_does_not_look_at_a_score_either() -> None:
    space, goal = logistic_case(3)
    whole = Attack(space, goal, BY_COLUMN).run()
    for budget in range(1, whole.queries, 11):
        seeing, unseeing = (Attack(space, g, BY_COLUMN, budget).run() for g in (goal, blind(goal)))
        assert seeing.state == unseeing.state
        met = any((step.tried.successes & ~step.tried.moves.hidden).any() for step in seeing.steps)
        assert seeing.steps[-1].current.success == met
        assert met or seeing.state == space.origin


def test_label_search_ends_where_no_word_can_be_restored_and_none_moved_nearer() -> None:
    for seed in range(6):
        space, goal = logistic_case(seed)
        result = Attack(space, goal, BY_COLUMN, max_changed=1.0).run()
        assert result.success
        moves = space.neighbours(result.state)
        kept = moves[np.flatnonzero(goal(moves).successes)]
        words = len(space.changed(result.state))
        assert (kept.changed >= words).all()
        assert (down_the_columns(space)(kept) >= sum(result.state))[kept.changed == words].all()


def test_label_search_takes_the_substitutes_that_keep_the_sentence_similar() -> None:
    film = ["film", "trousers", "movie", "cinema", "potato"]  # not in the order of nearness
    space = SearchSpace.from_choices([["A"], ["funny"], film, ["with"], ["an"], ["ending"]])
    goal = function_goal(lambda state: float(state[2] > 0), lambda value: value > 0)
    results = {
        way: Attack(space, goal, LabelSearch(distance=way)).run()
        for way in ("similarity", "column")
    }
    assert results["column"].text == "A funny trousers with an ending"
    assert results["similarity"].text == "A funny movie with an ending"
    far = unlike(space)(space.column(space.origin, 2))
    assert far.argmin() == 1
    assert 0 < far.min() < 0.2 < far.max() < 1
    with pytest.raises(InputError, match="similarity"):
        LabelSearch(distance="letters")  # type: ignore[arg-type]


def test_label_search_gives_up_politely() -> None:
    space, goal = logistic_case(0, words=4)
    result = Attack(space, endless(goal), replace(BY_COLUMN, whole=3, draws=5)).run()
    assert (result.status, result.state) == ("failed", space.origin)
    assert result.queries <= 1 + len(space.choices) + 3 + space.elements + 5


def test_label_search_walks_through_hidden_words_to_a_sentence_without_any() -> None:
    space = SearchSpace.from_choices([[f"{i}", *(f"{i}{c}" for c in "abcdefgh")] for i in range(6)])
    good = (3, 5, 2, 8)  # all must be right, or hidden: one draw of 4,096 has them

    def f(state: State) -> float:
        return sum(choice in (right, HIDDEN) for choice, right in zip(state, good, strict=False))

    goal = function_goal(f, lambda value: value == len(good))
    walking = replace(BY_COLUMN, grown=0, draws=1_000)
    drawing = replace(walking, hidden=0)
    for seed in range(5):
        result = Attack(space, goal, walking, seed=seed, max_changed=1.0).run()
        assert (result.status, result.state) == ("success", (*good, 0, 0))
    plain = [Attack(space, goal, drawing, seed=seed).run() for seed in range(5)]
    assert sum(result.status == "failed" for result in plain) > len(plain) / 2
    tried = [state for step in result.steps for state in step.tried.moves]
    assert any(HIDDEN in state for state in tried)


def test_label_search_hides_words_that_cannot_be_changed_too() -> None:
    words = [[f"{i}", *(f"{i}{c}" for c in "abcdefgh")] for i in range(4)]
    space = SearchSpace.from_choices([*words, ["never"]])
    good = (3, 5, 2, 8)

    def f(state: State) -> float:  # hidden words are right as long as "never" is hidden too
        right = (HIDDEN,) if state[4] == HIDDEN else ()
        return sum(c in (g, *right) for c, g in zip(state, good, strict=False))

    goal = function_goal(f, lambda value: value == len(good))
    for seed in range(5):
        result = Attack(space, goal, BY_COLUMN, seed=seed, max_changed=1.0).run()
        assert (result.status, result.state) == ("success", (*good, 0))


def test_label_search_begins_with_more_and_more_words_and_again_while_it_has_too_many() -> None:
    space, goal = logistic_case(3)
    for seed in range(6):
        steps = Attack(space, goal, BY_COLUMN, seed=seed).run().steps
        first = next(step for step in steps if step.kind == "init")
        assert first.tried.moves.changed.tolist() == [*range(1, len(first.tried) + 1)]
        thin = [step for step in steps if step.phase == "thin"]
        words = [len(space.changed(step.current.state)) for step in thin]
        assert words == sorted(words, reverse=True)
        assert all(count > len(space.choices) // 4 for count in words[:-1])


def test_label_search_starts_again_while_it_is_beyond_the_limit() -> None:
    space = SearchSpace.from_choices([[f"{i}", f"{i}a", f"{i}b"] for i in range(8)])

    def f(state: State) -> float:  # six words of one kind, or two of another kind
        return max(state.count(1) / 6, (state[0] == 2) / 2 + (state[7] == 2) / 2)

    goal = function_goal(f, lambda value: value >= 1)
    kinds = []
    for seed in range(20):
        result = Attack(space, goal, replace(BY_COLUMN, grown=0, starts=1), seed=seed).run()
        kinds.append([step.phase for step in result.steps].count("walk"))
        assert kinds[-1] <= BY_COLUMN.rounds
        assert result.status in ("success", "over_limit")
        assert result.status == "success" or kinds[-1] == BY_COLUMN.rounds
    assert len(set(kinds)) > 1
