"""LS-label in words, never with a score."""

from dataclasses import replace

from core import Attack, SearchSpace, function_goal
from core.narrate import Moment
from core.narrate.words import count
from core.objective import Candidate
from core.search.label import LabelSearch
from core.story import certificate, narrate
from tests.toys.narrating import told_of
from tests.toys.spaces import logistic_case


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
