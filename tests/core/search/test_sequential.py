"""Both passes of SGS."""

from core import (
    SEARCHES,
)
from core.story import narrate
from tests.toys.cases import E8
from tests.toys.narrating import run, told
from tests.toys.topics import Values, run_two


def test_the_second_pass_starts_again_from_the_original() -> None:
    result = run(E8, SEARCHES["sgs"](), 60)
    story = narrate(E8.space, result.steps, "sgs", result.status)
    assert [one.sentence.partition(":")[0] for one in story[1:7]] == [
        *["From the left"] * 3,
        *["From the right"] * 3,
    ]
    assert story[4].tried.before == result.steps[0].current
    assert [one.lines for one in story[3:8]] == [(3, 4), (8, 9), (8, 9), (8, 9), (10,)]
    assert (
        story[7].sentence
        == "Both passes are finished; the better sentence of the two scores 64.000."
    )
    early = told(E8, "sgs", 40)
    assert early[4] == "The pass from the left is finished and reaches the goal: 47.000."


def test_sgs_prefers_the_backward_pass_on_a_tie() -> None:
    f: Values = {(0, 0): 0.0, (1, 0): 2.0, (1, 1): 1.0, (0, 1): 2.0, (2, 1): 1.0}
    assert run_two(f, SEARCHES["sgs"]()).state == (0, 1)
