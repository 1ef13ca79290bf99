"""Swift in words."""

import re

from core import SEARCHES, Attack
from core.search.swift import Swift
from core.story import certificate, narrate
from core.theory.searches import endless
from tests.toys.narrating import told_of
from tests.toys.spaces import astray_case, random_case


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
            assert re.search(rf"goal is .*reached.* {words} changed word", one.sentence)
        elif one.tried.before.success:
            assert "misses the goal" in one.sentence
        else:
            better = one.step.current.state == proposed.state
            assert one.sentence.endswith("the best so far.") == better
            assert ("not above" in one.sentence) != better
    assert result.success
    assert story[-2].sentence.startswith("The model sees no likely success with fewer")
