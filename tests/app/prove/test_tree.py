"""The tree of a proof: every look once, below the one that led to it."""

from app.prove import tree
from core.prove import Look, proving
from core.space import State
from tests.toys import small_cnn


def looks_of(seed: int, words: int) -> list[Look]:
    claim = small_cnn.claim_of(seed, words=5)
    return [step.look for step in proving(claim) if step.words == words]


def test_every_look_is_drawn_below_the_one_that_led_to_it() -> None:
    space = small_cnn.claim_of(4, words=5).space
    for seed in range(12):
        space = small_cnn.claim_of(seed, words=5).space
        looks = looks_of(seed, 2)
        found = tree.dots(space, looks)
        states: set[State] = {look.state for look in looks if look.state is not None}
        flips = {look.flips for look in looks if look.flips is not None}
        assert {dot.state for dot in found} == states | flips
        at = {dot.state: dot for dot in found}
        for dot in found:
            if dot.before is not None:
                assert at[dot.before].words == dot.words - 1
            assert (dot.kind == "flips") == (dot.state in flips)
        leaves = [d.x for d in found if not any(other.before == d.state for other in found)]
        assert sorted(leaves) == list(range(len(leaves)))


def test_the_figure_has_a_dot_for_each_and_writes_words_as_text() -> None:
    space = small_cnn.space_of(1)
    start = space.origin
    changed = (1, *start[1:]) if space.counts[0] else (*start[:-1], 1)
    found = tree.dots(
        space,
        [Look(1, start, None, 1.0, -0.5, 2), Look(1, changed, start, 0.5, 0.25, 1)],
    )
    assert [dot.kind for dot in found] == ["parted", "safe"]
    drawn = tree.figure(found)
    assert sum(len(part.x) for part in drawn.data if part.mode != "lines") == 2


def test_words_are_escaped() -> None:
    space = small_cnn.space_of(1)
    columns = (("<b>a</b>", "<i>c</i>"), *space.choices[1:])
    space = type(space)(columns, space.gaps)
    look = Look(1, (1, *space.origin[1:]), None, 0.5, 0.25, 1)
    (dot,) = tree.dots(space, [look])
    assert "<b>" not in dot.about
    assert "&lt;b&gt;" in dot.about
