"""A task of numbers: nothing in it is a label, and several numbers may be right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from core import VICTIMS
from core.errors import require
from core.objective import Bools, Floats
from core.registry import Entry
from core.tasks import TASKS
from core.tasks.protocol import (
    Bar,
    Field,
    GoalKind,
    Judge,
    MarkedText,
    Outputs,
    RaterQuestion,
    Reference,
    Shown,
)
from core.text import Pieces

TEXT = "A charming and often very funny film, with a smart script and a warm, honest ending."
POSITIVE = ("charming", "funny", "smart", "warm", "honest")
FAR = 3


@dataclass(frozen=True)
class Counting:
    """The victim says a number; the references are numbers; far from all of them is good."""

    choices: tuple[str, ...] = ()

    key: ClassVar[str] = "count"
    title: ClassVar[str] = "Counting"
    context: ClassVar[tuple[Field, ...]] = (Field("unit", "What is counted"),)
    attacked: ClassVar[Field] = Field("text", "The text to count in")
    reference: ClassVar[Field] = Field("reference", "The right number", "3")
    substitution: ClassVar[str] = ""

    @property
    def goals(self) -> Mapping[str, GoalKind]:
        """Any number that is far off."""
        return {
            "miscount": GoalKind(
                "another number", "how far off", f"{FAR} off", "counts wrongly", self._off
            )
        }

    @staticmethod
    def _off(reference: Reference, target: str) -> Judge:
        def judge(outputs: Outputs) -> tuple[Floats, Bools]:
            right = np.array(reference, dtype=np.float64)
            off = np.abs(outputs.astype(np.float64)[:, None] - right).min(axis=1)
            return off, off >= FAR

        return judge

    def checked(self, outputs: object, count: int, source: str = "The victim") -> Outputs:
        """Whatever the victim says."""
        return np.asarray(outputs)

    def answer(self, output: Any) -> int:
        """The number."""
        return int(output)

    def right(self, answer: Any, reference: Reference) -> bool:
        """Whether it is one of the right ones."""
        return str(answer) in reference

    def read(self, texts: Sequence[str]) -> Reference:
        """Numbers."""
        for text in texts:
            require(text.isdecimal(), "The number must be a number.")
        return tuple(texts)

    def check(self, context: Mapping[str, str], reference: Reference) -> None:
        """Anything can be counted."""

    def fixed(self, text: Pieces, reference: Reference) -> tuple[int, ...]:
        """Every word may change."""
        return ()

    def target(self, reference: Reference, seed: int, row: int) -> str:
        """No goal has one."""
        return ""

    def plain(self, output: Any) -> int:
        """The number."""
        return int(output)

    def output(self, plain: Any) -> Any:
        """The number again."""
        return np.int64(plain)

    def shown(
        self, before: Any, after: Any, reference: Reference, context: Mapping[str, str]
    ) -> Shown:
        """A bar for the numbers, and the last one in words."""
        largest = max(float(before), float(after), 1.0)
        bar = Bar("words", float(before), float(after), largest=largest, unit="words")
        return Shown((bar,), (MarkedText("in words", f"It has {int(after)} words.", ((7, 8),)),))

    @property
    def question(self) -> RaterQuestion:
        """Whether the right number is right."""
        return RaterQuestion("Does it have so many kind words?", ("yes", "no"), "yes")


@dataclass(frozen=True)
class Counter:
    """Counts kind words; it must be told what it counts."""

    unit: str = ""
    labels: ClassVar[tuple[str, ...]] = ()
    task_key: ClassVar[str] = "count"

    def given(self, context: Mapping[str, str]) -> "Counter":
        """The same, knowing what to count."""
        return Counter(context["unit"])

    def predict(self, texts: Sequence[str]) -> NDArray[Any]:
        """How many there are."""
        assert self.unit == "kind words"
        return np.array([sum(word in text for word in POSITIVE) for text in texts])


def register(patch: pytest.MonkeyPatch) -> None:
    """The task and its victim, as their two lines would add them."""
    patch.setitem(TASKS, "count", Counting)
    patch.setitem(VICTIMS, "counter", Entry(Counter, "Counts kind words.", {"task_key": "count"}))
