"""Swift: its main ideas, on spaces where breaking them shows, and its words."""

import re

from core import SEARCHES, Attack, AttackResult
from core.search.local import LocalSearch
from core.search.swift import Swift
from core.story import certificate, narrate
from core.theory.searches import endless
from tests.toys.narrating import told_of
from tests.toys.spaces import astray_case, logistic_case, random_case


def test_a_certificate_counts_every_neighbour_once() -> None:
    space, goal = random_case(3)
    result = Attack(space, endless(goal), SEARCHES["swift"]()).run()
    told = certificate(space, result.steps, "swift", result.status)
    assert f"All {len(space.neighbours(result.state))} neighbours were tried" in told


def test_swift_tells_when_it_starts_anew_within_the_limit() -> None:
    space, goal = astray_case()
    result = Attack(space, goal, Swift(probes=0), max_changed=0.125).run()
    story = narrate(space, result.steps, "swift", result.status)
    anew = [one.step.kind for one in story].index("rank")
    assert f"each of {space.elements} substitutes was tried alone" in story[anew].sentence
    assert [one.lines for one in story[anew:]] == [(10,), (11,), (11,), (12,), (12,)]
    assert story[anew].tried.before == story[anew + 1].tried.before == story[0].step.current
    assert story[-3].sentence.endswith("This is not yet the answer.")
    assert story[-2].sentence.startswith("No sentence within the limit succeeded")


def test_swift_says_what_its_model_proposes_and_what_becomes_of_it() -> None:
    result, story = told_of(Swift(doubt_after_success=4.0), "swift")
    asked = [one for one in story if one.step.kind == "generation"]
    for one in asked:
        proposed = one.step.tried[-1]
        assert one.sentence.startswith("The model proposes ")
        for at, choice in enumerate(proposed.state):
            assert (f"{at}-0 → {at}-{choice}" in one.sentence) == bool(choice)
        if proposed.success:
            words = sum(map(bool, proposed.state))
            assert re.search(rf"with {words} changed word", one.sentence)
            assert "goal is still reached" in one.sentence or "goal is reached." in one.sentence
        elif one.tried.before.success:
            assert "misses the goal" in one.sentence
        else:
            better = one.step.current.state == proposed.state
            assert one.sentence.endswith("the best so far.") == better
            assert ("not above" in one.sentence) != better
    assert result.success
    assert story[-2].sentence.startswith("The model sees no likely success with fewer")


def test_swift_succeeds_as_often_as_local_search_in_a_third_of_the_queries() -> None:
    ours, theirs = [], []
    for seed in range(12):
        space, goal = logistic_case(seed)
        ours.append(Attack(space, goal, Swift()).run())
        theirs.append(Attack(space, goal, LocalSearch()).run())
    assert sum(r.success for r in ours) >= sum(r.success for r in theirs) > 6
    assert sum(r.queries for r in ours) < sum(r.queries for r in theirs) / 3
    words = [sum(sum(map(bool, r.state)) for r in some if r.success) for some in (ours, theirs)]
    assert words[0] <= 1.15 * words[1]


def test_after_a_success_swift_goes_on_to_fewer_words() -> None:
    first = last = 0
    for space, goal in map(logistic_case, range(6)):
        steps = Attack(space, goal, Swift(doubt_after_success=4.0)).run().steps
        counts = [len(space.changed(s.current.state)) for s in steps if s.current.success]
        assert counts == sorted(counts, reverse=True)
        first, last = first + sum(counts[:1]), last + sum(counts[-1:])
    assert first > last > 0


def over_the_limit(result: AttackResult) -> bool:
    """Whether a run ever held a success with more than two changed words."""
    return any(
        step.current.success and sum(map(bool, step.current.state)) > 2 for step in result.steps
    )


def test_a_success_beyond_the_limit_teaches_the_way_to_one_within_it() -> None:
    space, goal = astray_case()
    result = Attack(space, goal, Swift(probes=5, doubt=0.0)).run()
    assert over_the_limit(result)
    assert result.status == "success"
    assert "rank" not in (step.kind for step in result.steps)
    assert result.queries < Attack(space, goal, LocalSearch()).run().queries + space.elements


def test_where_asking_again_does_not_help_local_search_within_the_limit_does() -> None:
    space, goal = astray_case()
    result = Attack(space, goal, Swift(probes=0)).run()  # the climb takes what gains as it comes
    assert over_the_limit(result)
    assert result.status == "success"
    kinds = [step.kind for step in result.steps]
    anew = kinds.index("rank")
    assert kinds[anew:] == ["rank", "insert", "insert", "stop", "end"]
    assert [len(step.tried) for step in result.steps[anew + 1 : -2]] == [Swift().batch] * 2


def test_a_success_that_stays_beyond_the_limit_is_the_answer() -> None:
    space, goal = astray_case()
    effort = Swift(probes=0)  # one word never does it
    result = Attack(space, goal, effort, max_changed=0.125).run()
    assert result.status == "over_limit"
    assert [step.kind for step in result.steps[-3:]] == ["stop", "stop", "end"]
    assert not result.steps[-3].current.success


def test_an_interrupted_search_keeps_the_success_it_had() -> None:
    space, goal = logistic_case(3)
    whole = Attack(space, goal, Swift(doubt_after_success=4.0)).run()
    done = next(s for s in whole.steps if s.current.success)
    for budget in range(done.queries, whole.queries):
        result = Attack(space, goal, Swift(doubt_after_success=4.0), budget).run()
        shown = [s for s in whole.steps if s.queries <= budget][-1]
        assert result.success
        assert result.state == shown.current.state
