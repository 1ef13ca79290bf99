"""Two words with a function or a victim of three labels."""

from collections.abc import Sequence

import numpy as np

from core import (
    Attack,
    AttackResult,
    Search,
    SearchSpace,
    State,
    function_goal,
)

TWO = SearchSpace.from_choices([["a", "a1", "a2"], ["b", "b1"]])
Values = dict[State, float]  # of a function, where it is not 0


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


def run_two(f: Values, search: Search, reach: float | None = None) -> AttackResult:
    success = None if reach is None else lambda value: value >= reach
    goal = function_goal(lambda state: f.get(state, 0.0), success)
    return Attack(TWO, goal, search, max_changed=1.0).run()
