"""Translation: a sentence in, a sentence of another language out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import ClassVar

import numpy as np

from core.errors import InputError, require
from core.objective import Bools, Floats
from core.tasks.bleu import LONGEST, bleu
from core.tasks.protocol import (
    Answer,
    Bar,
    Field,
    GoalKind,
    Judge,
    MarkedText,
    Outputs,
    RaterQuestion,
    Reference,
    Shown,
    stacked,
)
from core.text import Pieces, places, split


@dataclass(frozen=True)
class Translation:
    """The victim writes a translation; how much it agrees with the reference is its BLEU."""

    choices: tuple[str, ...] = ()  # any text may be a translation

    key: ClassVar[str] = "translation"
    title: ClassVar[str] = "Translation"
    context: ClassVar[tuple[Field, ...]] = ()
    attacked: ClassVar[Field] = Field(
        "text", "The sentence to translate and to attack", "Two dogs run across the wet grass."
    )
    reference: ClassVar[Field] = Field(
        "reference", "Right translation", "Deux chiens courent dans l'herbe mouillée."
    )
    substitution: ClassVar[str] = "inflection"

    @property
    def goals(self) -> Mapping[str, GoalKind]:
        """No agreement by the paper's rule, or half of that of the first translation."""
        return {
            "bleu": GoalKind(
                "a BLEU of 0",
                "1 - BLEU",
                f"BLEU is 0: of one length from 1 to {LONGEST}, no words in a row match",
                "brings BLEU to 0",
                lambda reference, target: _worse_than(reference, 0.0),
                flips_at=1.0,
            ),
            "half-bleu": GoalKind(
                "half the BLEU",
                "1 - BLEU",
                "BLEU is at most half of what it was for the original",
                "halves BLEU",
                lambda reference, start: _worse_than(reference, bleu(start, reference).share / 2),
                from_start=True,
            ),
        }

    def checked(self, outputs: object, count: int, source: str = "The victim") -> Outputs:
        """Texts."""
        found = list(outputs) if isinstance(outputs, list | tuple | np.ndarray) else []
        if len(found) != count or not all(isinstance(each, str) for each in found):
            raise InputError(f"{source} must answer {count} texts; it answered something else.")
        return stacked([str(each) for each in found])

    def answer(self, output: str) -> Answer:
        """The translation."""
        return output

    def right(self, answer: Answer, reference: Reference) -> bool:
        """Whether its BLEU is above 0, as an attack must bring it there."""
        return bleu(str(answer), reference).share > 0

    def read(self, texts: Sequence[str]) -> Reference:
        """One or more translations."""
        right = tuple(dict.fromkeys(text.strip() for text in texts))
        require(bool(right) and all(right), "The right translation is missing; give one.")
        return right

    def check(self, context: Mapping[str, str], reference: Reference) -> None:
        """Any text can be translated."""

    def fixed(self, text: Pieces, reference: Reference) -> tuple[int, ...]:
        """Every word may change."""
        return ()

    def target(self, reference: Reference, seed: int, row: int) -> str:
        """No goal has one."""
        return ""

    def plain(self, output: str) -> str:
        """The text."""
        return output

    def output(self, plain: str) -> str:
        """The text again."""
        return plain

    def shown(
        self, before: str, after: str, reference: Reference, context: Mapping[str, str]
    ) -> Shown:
        """BLEU with its matches, and both translations with the words that differ."""
        old, new = bleu(before, reference), bleu(after, reference)
        titles = ("words that match", *(f"{n} in a row" for n in range(2, LONGEST + 1)))
        rows = zip(titles, old.precisions, new.precisions, strict=True)
        bars = (Bar("BLEU", old.share, new.share, marked=True), *(Bar(*row) for row in rows))
        gone, come = _different(before, after)
        texts = (
            *(MarkedText("Right translation", each) for each in reference),
            MarkedText("Translation, original", before, gone),
            MarkedText("Translation, now", after, come),
        )
        said = f"BLEU {100 * old.share:.0f}", f"BLEU {100 * new.share:.0f}"
        return Shown(bars, texts, said)

    @property
    def question(self) -> RaterQuestion:
        """Whether the reference still translates the text."""
        return RaterQuestion.yes_or_no("Does that still translate this sentence?")


def _worse_than(reference: Reference, bar: float) -> Judge:
    """Lower BLEU is better, down to the bar."""

    def judge(outputs: Outputs) -> tuple[Floats, Bools]:
        agrees = np.array([bleu(each, reference).share for each in outputs], dtype=np.float64)
        return 1.0 - agrees, agrees <= bar

    return judge


Marks = tuple[tuple[int, int], ...]


def _different(before: str, after: str) -> tuple[Marks, Marks]:
    """Where the words stand that only one of two texts has."""
    old, new = split(before), split(after)
    changes = SequenceMatcher(None, old.words, new.words, autojunk=False).get_opcodes()
    gone, come = places(old), places(new)
    other = [change for change in changes if change[0] != "equal"]
    return (
        tuple(place for _, first, last, _, _ in other for place in gone[first:last]),
        tuple(place for _, _, _, first, last in other for place in come[first:last]),
    )
