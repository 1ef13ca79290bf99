"""Classification: one text, one label."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Final

import numpy as np

from core.errors import require
from core.objective import Bools, Floats
from core.tasks.protocol import (
    Answer,
    Bar,
    Field,
    GoalKind,
    Judge,
    Output,
    Outputs,
    RaterQuestion,
    Reference,
    Shown,
)
from core.text import Pieces
from core.victims.probabilities import checked

TIE: Final = 1e-9  # of two probabilities: another way to ask may round them the other way


def ahead_of(rows: Outputs, label: int) -> Floats:
    """By how much a label lies above the likeliest other one, or below it."""
    others: Floats = np.delete(rows, label, axis=1).max(axis=1, initial=0.0)
    return np.asarray(rows[:, label] - others)


@dataclass(frozen=True)
class Classification:
    """The victim gives each of its labels a probability; its answer is the likeliest one."""

    choices: tuple[str, ...] = ()  # the labels of the victim

    key: ClassVar[str] = "classification"
    title: ClassVar[str] = "Classification"
    context: ClassVar[tuple[Field, ...]] = ()
    attacked: ClassVar[Field] = Field(
        "text", "The sentence to attack", "A charming and often very funny film."
    )
    reference: ClassVar[Field] = Field("reference", "True label", "positive")
    substitution: ClassVar[str] = ""
    opposites: ClassVar[Mapping[str, str]] = {}  # of labels, where one has an opposite

    @property
    def goals(self) -> Mapping[str, GoalKind]:
        """Away from the true label, or towards another one."""
        flips_at = 0.5 if len(self.choices) == 2 else None
        return {
            "untargeted": GoalKind(
                "any other label",
                "1 - P(true label)",
                "another label is on top",
                "flips the label",
                lambda reference, target: self._away_from(self._place(reference[0])),
                flips_at,
                output_at=self._rest if len(self.choices) == 2 else None,
            ),
            "targeted": GoalKind(
                "one label",
                "P(target label)",
                "it is on top",
                "flips the label",
                lambda reference, target: self._towards(self._place(target)),
                flips_at,
                needs_target=True,
            ),
        }

    def checked(self, outputs: object, count: int, source: str = "The victim") -> Outputs:
        """Rows of probabilities."""
        return checked(outputs, count, self.choices, source)

    def answer(self, output: Output) -> Answer:
        """The likeliest label."""
        return self.choices[int(np.argmax(output))]

    def right(self, answer: Answer, reference: Reference) -> bool:
        """Whether it is the true label."""
        return answer in reference

    def read(self, texts: Sequence[str]) -> Reference:
        """One label of the victim, by its name."""
        require(len(texts) == 1, f"A text has one true label, not {len(texts)}; give one.")
        require(texts[0] != "", "The true label is empty; give one.")
        if self.choices:  # a victim may not tell its labels before it is loaded
            self._place(texts[0])
        return (texts[0],)

    def check(self, context: Mapping[str, str], reference: Reference) -> None:
        """Any text can be asked about."""

    def fixed(self, text: Pieces, reference: Reference) -> tuple[int, ...]:
        """Every word may change."""
        return ()

    def target(self, reference: Reference, seed: int, row: int) -> str:
        """Another label: the only one, the opposite one, or one that is drawn."""
        others = [label for label in self.choices if label not in reference]
        opposite = self.opposites.get(reference[0])
        return opposite if opposite in others else Random(f"{seed} {row}").choice(others)

    def plain(self, output: Output) -> list[float]:
        """The probabilities as a list."""
        row: list[float] = np.asarray(output).tolist()
        return row

    def output(self, plain: Sequence[float]) -> Floats:
        """Probabilities from a list."""
        row: Floats = checked([plain], 1, self.choices, "The record")[0]
        return row

    def shown(
        self, before: Output, after: Output, reference: Reference, context: Mapping[str, str]
    ) -> Shown:
        """A bar of probability for each label."""
        rows = zip(self.choices, before.tolist(), after.tolist(), strict=True)
        return Shown(tuple(Bar(label, old, new, label in reference) for label, old, new in rows))

    @property
    def question(self) -> RaterQuestion:
        """Which label a reader gives the text."""
        return RaterQuestion("What does the text express?", self.choices)

    def _place(self, label: str) -> int:
        """Where the label stands among the probabilities."""
        names = ", ".join(self.choices)
        known = label in self.choices
        require(known, f'The victim has no label "{label}". Its labels are: {names}.')
        return self.choices.index(label)

    def _rest(self, reference: Reference, score: float) -> Floats:
        """Both probabilities, when all but one of them is known."""
        other = self._place(reference[0]) ^ 1
        return np.array([score if at == other else 1.0 - score for at in range(2)])

    @staticmethod
    def _away_from(label: int) -> Judge:
        def judge(rows: Outputs) -> tuple[Floats, Bools]:
            return 1.0 - rows[:, label], ahead_of(rows, label) < -TIE

        return judge

    @staticmethod
    def _towards(label: int) -> Judge:
        def judge(rows: Outputs) -> tuple[Floats, Bools]:
            return rows[:, label], ahead_of(rows, label) > TIE

        return judge
