"""What a search maximises: how it is called, and how its values are written."""

from dataclasses import dataclass
from typing import Final

DIGITS: Final = 3  # behind the point, where a difference needs no more
MOST_DIGITS: Final = 5


@dataclass(frozen=True)
class Measure:
    """A value that a goal gives to every sentence; the words fit into the narration."""

    title: str = "Score"  # above a figure
    name: str = "the score"  # "raises the score from"
    verb: str = "scores"  # "The original sentence scores 0.123."
    noun: str = "score"  # "mean score 0.123"
    largest: float = 1.0
    as_it_is: bool = False  # a value is written with the digits that it has

    def digits(self, *values: float) -> int | None:
        """How many it takes to tell different values apart; None to write them as they are."""
        if self.as_it_is:
            return None
        for digits in range(DIGITS, MOST_DIGITS):
            if len({f"{value:.{digits}f}" for value in values}) == len(set(values)):
                return digits
        return MOST_DIGITS

    def told(self, value: float) -> str:
        """A value with its name: score 0.123, f = 49."""
        return f"{self.noun} {written(value, self.digits())}"


SCORE: Final = Measure()
SET_FUNCTION: Final = Measure("f", "f", "has f =", "f =", largest=100.0, as_it_is=True)


def written(value: float, digits: int | None) -> str:
    """A value with so many digits, or as it is."""
    return f"{value:g}" if digits is None else f"{value:.{digits}f}"
