"""Small spaces with a goal: random set functions, a toy victim, and log-odds that add up."""

import numpy as np

from core import SearchSpace, State, function_goal, untargeted
from core.objective import Goal
from core.substitutions import toy as toy_words
from core.victims import toy

TEXT = "A charming and often very funny film, with a smart script and a warm ending."
SMALL = "I love this movie"


def random_case(seed: int) -> tuple[SearchSpace, Goal]:
    """A logistic function with pairwise terms on three to five words."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 4, size=int(rng.integers(3, 6)))
    counts[0] = max(counts[0], 1)
    space = SearchSpace.from_choices(
        [f"{i}-{j}" for j in range(count + 1)] for i, count in enumerate(counts)
    )
    single = rng.normal(0.0, 1.0, size=(len(counts), 5))
    pair = rng.normal(0.0, 0.7, size=(len(counts), len(counts)))

    def f(state: State) -> float:
        used = [i for i, j in enumerate(state) if j]
        total = -2.0 + sum(single[i, state[i]] for i in used)
        total += sum(pair[i, k] for i in used for k in used if i < k)
        return float(1.0 / (1.0 + np.exp(-total)))

    return space, function_goal(f, lambda value: value > 0.6)


def toy_case(text: str = TEXT) -> tuple[SearchSpace, Goal]:
    space = SearchSpace.from_text(text, toy_words.load())
    victim = toy.load()
    label = int(victim.predict([text])[0].argmax())
    return space, untargeted(victim, space, label)


def logistic_case(
    seed: int, words: int = 16, substitutes: int = 10, needed: float = 2.5
) -> tuple[SearchSpace, Goal]:
    """Log-odds that add up, with few substitutes that matter, as in measured victims."""
    rng = np.random.default_rng(seed)
    effects = rng.normal(0.1, 0.3, size=(words, substitutes + 1))
    effects += rng.exponential(0.5, size=(words, 1)) * (rng.random((words, 1)) < 0.3)
    effects[:, 0] = 0.0
    space = SearchSpace.from_choices(
        [f"{i}-{j}" for j in range(substitutes + 1)] for i in range(words)
    )

    def f(state: State) -> float:
        return float(1 / (1 + np.exp(needed - effects[np.arange(words), list(state)].sum())))

    return space, function_goal(f, lambda value: value > 0.5)


def astray_case() -> tuple[SearchSpace, Goal]:
    """Log-odds that add up: two words flip it, but they come last; others only add a little."""
    space = SearchSpace.from_choices([[f"{i}", f"{i}a", f"{i}b"] for i in range(8)])
    effects = np.array([[0.0, 0.7, 0.6]] * 6 + [[0.0, 0.0, 1.6]] * 2)

    def f(state: State) -> float:
        return float(1 / (1 + np.exp(3.0 - effects[np.arange(8), list(state)].sum())))

    return space, function_goal(f, lambda value: value > 0.5)
