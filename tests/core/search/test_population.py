"""What population searches have in common."""

from random import Random

from core import (
    function_goal,
)
from core.objective import Objective
from core.search.population import drawn_column, perturbed
from tests.toys.topics import TWO, Values


def test_a_perturbed_sentence_prefers_unchanged_words_and_needs_a_gain() -> None:
    f: Values = {(0, 0): 1.0, (1, 0): 1.0, (2, 0): 1.0, (1, 1): 1.0, (0, 1): 1.0}
    objective = Objective(TWO, function_goal(lambda state: f.get(state, 0.0)))
    rng = Random(0)
    for _ in range(20):
        column = drawn_column(TWO, (1, 0), [1.0, 1.0], rng)
        assert [best.state for best in perturbed(objective, [column])] == [(1, 0)]
        assert objective.best is not None
        assert [c.state for c in objective.step("init", objective.best).tried] == [(1, 1), (1, 0)]
