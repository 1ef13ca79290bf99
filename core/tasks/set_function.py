"""A set function: every sentence has a value f, and no label."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from core.errors import InputError, require
from core.measure import SET_FUNCTION
from core.objective import Bools, Floats
from core.tasks.protocol import (
    Bar,
    Field,
    GoalKind,
    Judge,
    Outputs,
    RaterQuestion,
    Reference,
    Shown,
)
from core.text import Pieces

LARGEST: Final = "largest"  # the goal that is never reached


@dataclass(frozen=True)
class SetFunction:
    """The victim says the value of a set of substitutes; there is nothing that would be right."""

    choices: tuple[str, ...] = ()

    key: ClassVar[str] = "set function"
    title: ClassVar[str] = "Set functions"
    context: ClassVar[tuple[Field, ...]] = ()
    attacked: ClassVar[Field] = Field("text", "The words", "w1 w2 w3")
    reference: ClassVar[Field] = Field("reference", "Nothing is right or wrong")
    substitution: ClassVar[str] = ""

    @property
    def goals(self) -> Mapping[str, GoalKind]:
        """As large as possible, or above a value."""
        return {
            LARGEST: GoalKind(
                "as large as possible",
                "f",
                "no value is enough",
                "",
                _largest,
                measure=SET_FUNCTION,
            ),
            "above": GoalKind(
                "above a value",
                "f",
                "f is above it",
                "reaches the goal",
                _above,
                needs_target=True,
                measure=SET_FUNCTION,
            ),
        }

    def checked(self, outputs: object, count: int, source: str = "The victim") -> Outputs:
        """A number for each text."""
        values = np.asarray(outputs, dtype=np.float64)
        fine = values.shape == (count,) and bool(np.isfinite(values).all())
        require(fine, f"{source} must give a number for each text.")
        return values

    def answer(self, output: float) -> float:
        """The value."""
        return float(output)

    def right(self, answer: object, reference: Reference) -> bool:
        """Every value is."""
        return True

    def read(self, texts: Sequence[str]) -> Reference:
        """Nothing."""
        return ()

    def check(self, context: Mapping[str, str], reference: Reference) -> None:
        """Every set has a value."""

    def fixed(self, text: Pieces, reference: Reference) -> tuple[int, ...]:
        """Every word may change."""
        return ()

    def target(self, reference: Reference, seed: int, row: int) -> str:
        """No value is better than another."""
        return ""

    def plain(self, output: float) -> float:
        """The value."""
        return float(output)

    def output(self, plain: float) -> float:
        """The value again."""
        return float(plain)

    def shown(
        self, before: float, after: float, reference: Reference, context: Mapping[str, str]
    ) -> Shown:
        """A bar for f."""
        return Shown((Bar("f", before, after, largest=SET_FUNCTION.largest, unit=""),))

    @property
    def question(self) -> RaterQuestion:
        """Nobody rates a set function."""
        return RaterQuestion.yes_or_no("Is this the value of f?")


def _largest(reference: Reference, target: str) -> Judge:
    def judge(values: Outputs) -> tuple[Floats, Bools]:
        return values, np.zeros(len(values), dtype=bool)

    return judge


def _above(reference: Reference, target: str) -> Judge:
    try:
        least = float(target)
    except ValueError:
        raise InputError(f'"{target}" is no value that f may exceed.') from None

    def judge(values: Outputs) -> tuple[Floats, Bools]:
        return values, values > least

    return judge
