"""The paper's Figure 2: its bounds for submodular f against the earlier one for greedy search."""

from dataclasses import dataclass
from itertools import product

import numpy as np

from core.errors import require


def greedy_bound(alpha: float, d: float) -> float:
    """(1/α)(1 - e^(-α/d)), what greedy reaches with every d_i = 1; 1/d as α goes to 0."""
    require(alpha >= 0 and d > 0, "α must not be negative, and d must be above 0.")
    return 1 / d if alpha == 0 else float(-np.expm1(-alpha / d) / alpha)


def difference(alpha: float, d: float, papers: float) -> float:
    """The earlier bound less the paper's; negative where the paper's is better."""
    return greedy_bound(alpha, d) - papers


@dataclass(frozen=True)
class Statement:
    """That the paper's bound is better for every d from ``least`` on, as far as a grid can tell."""

    papers: float
    least: int
    largest: float
    alpha: float  # where it was found
    d: int
    below: float  # the same for d = least - 1
    checked: int  # how many pairs of α and d

    @property
    def holds(self) -> bool:
        """Whether no difference was positive, and a smaller d would not do."""
        return self.largest <= 0 < self.below

    @property
    def strict(self) -> bool:
        """Whether every difference was negative; at α = 0 and d = ``least`` it is 0."""
        return self.largest < 0


def check(papers: float, least: int, most_alpha: float = 50.0, most_d: int = 200) -> Statement:
    """Look at a grid of α, with 0, and whole d; the difference falls in both."""
    alphas = [0.0, *np.geomspace(1e-6, most_alpha, 200).tolist()]
    grid = list(product(range(least, most_d + 1), alphas))
    values = [_rounded(alpha, d, papers) for d, alpha in grid]
    place = int(np.argmax(values))
    d, alpha = grid[place]
    below = max(_rounded(alpha, least - 1, papers) for alpha in alphas) if least > 1 else np.inf
    return Statement(papers, least, values[place], alpha, d, below, len(grid))


def _rounded(alpha: float, d: float, papers: float) -> float:
    return round(difference(alpha, d, papers), 12)  # 1/3 is not exact
