"""Answering: a question about a passage, which stays as it is."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Final

import numpy as np

from core.errors import InputError, require
from core.objective import Bools, Floats
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
from core.tasks.squad import f1
from core.text import MAX_WORDS, Pieces, check_length, split
from core.victims.outputs import Span

NO_ANSWER: Final = "no answer"  # how records and references say that the passage does not tell
PASSAGE: Final = "passage"


@dataclass(frozen=True)
class Answering:
    """The victim points at the part of a passage that answers a question, or says there is none.

    Departs from the paper in its score: there it is the victim's loss on the right answer, which
    not every victim tells. Here it is 1 - F1 times the confidence in the answer, so that an answer
    that stays right but less surely scores higher; it is 1 when nothing is right any more.
    """

    choices: tuple[str, ...] = ()  # any text may be an answer

    key: ClassVar[str] = "answering"
    title: ClassVar[str] = "Question answering"
    context: ClassVar[tuple[Field, ...]] = (
        Field(
            PASSAGE,
            "Passage (stays as it is)",
            "The lighthouse on the northern cape was built in 1874 by the engineer Ada Lund.",
        ),
    )
    attacked: ClassVar[Field] = Field(
        "text", "The question to attack", "Who built the lighthouse that stands on the cape?"
    )
    reference: ClassVar[Field] = Field("reference", f'Right answers, or "{NO_ANSWER}"', "Ada Lund")
    substitution: ClassVar[str] = "inflection"

    @property
    def goals(self) -> Mapping[str, GoalKind]:
        """An answer that has no word in common with any right one."""
        return {
            "f1": GoalKind(
                "a wrong answer",
                "1 - F1 × confidence",
                "F1 is 0: the answer shares no word with a right one",
                "makes the answer wrong",
                lambda reference, target: _worse_than(reference),
                flips_at=1.0,
            )
        }

    def checked(self, outputs: object, count: int, source: str = "The victim") -> Outputs:
        """Spans, each with confidences that are shares of one."""
        found = list(outputs) if isinstance(outputs, list | tuple | np.ndarray) else []
        if len(found) != count or not all(isinstance(each, Span) for each in found):
            raise InputError(f"{source} must answer {count} spans; it answered something else.")
        for each in found:
            fine = 0 <= each.confidence <= 1 and 0 <= each.none_confidence <= 1
            require(fine, f"{source} must answer confidences from 0 to 1; it answered {each}.")
        return stacked(found)

    def answer(self, output: Span) -> Answer:
        """The part of the passage, or that there is no answer."""
        return output.text or NO_ANSWER

    def right(self, answer: Answer, reference: Reference) -> bool:
        """Whether it shares a word with a right answer."""
        return _f1("" if answer == NO_ANSWER else str(answer), reference) > 0

    def read(self, texts: Sequence[str]) -> Reference:
        """All right answers, each once, or that there is none."""
        answers = tuple(dict.fromkeys(text.strip() for text in texts))
        fault = f'A right answer is missing; give one, or "{NO_ANSWER}".'
        require(bool(answers) and all(answers), fault)
        require(
            NO_ANSWER not in answers or len(answers) == 1,
            f'"{NO_ANSWER}" stands beside other answers; leave one of both out.',
        )
        return answers

    def check(self, context: Mapping[str, str], reference: Reference) -> None:
        """A passage of a length that can be read, with the right answers in it."""
        passage = context.get(PASSAGE, "")
        require(bool(passage.strip()), "The passage is empty; give the text to answer from.")
        check_length(passage)
        count = len(split(passage).words)
        require(
            count <= MAX_WORDS,
            f"The passage has {count:,} words; the limit is {MAX_WORDS:,}. Give the part of it "
            "that answers the question.",
        )
        for answer in reference:
            require(
                answer == NO_ANSWER or _plain(answer) in _plain(passage),
                f'The answer "{answer}" is not in the passage; copy it from there, or write '
                f'"{NO_ANSWER}".',
            )

    def fixed(self, text: Pieces, reference: Reference) -> tuple[int, ...]:
        """Every word of the question may change."""
        return ()

    def target(self, reference: Reference, seed: int, row: int) -> str:
        """No goal has one."""
        return ""

    def plain(self, output: Span) -> dict[str, Any]:
        """The span and its confidences by name."""
        return asdict(output)

    def output(self, plain: Mapping[str, Any]) -> Span:
        """The span again."""
        return Span(**plain)

    def shown(
        self, before: Span, after: Span, reference: Reference, context: Mapping[str, str]
    ) -> Shown:
        """Both answers, where they stand, and how sure the victim is."""
        bars = (
            Bar("F1", _f1(before.text, reference), _f1(after.text, reference), marked=True),
            Bar("confidence", _confidence(before), _confidence(after)),
            Bar(NO_ANSWER, before.none_confidence, after.none_confidence),
        )
        passage = context.get(PASSAGE, "")
        places = sorted({(each.start, each.end) for each in (before, after) if each.text})
        said = str(self.answer(before)), str(self.answer(after))
        texts = (
            MarkedText("Answer, original", said[0]),
            MarkedText("Answer, now", said[1]),
            MarkedText("Passage", passage, _apart(places, len(passage))),
        )
        return Shown(bars, texts, said)

    @property
    def question(self) -> RaterQuestion:
        """Whether the right answer is still right."""
        return RaterQuestion.yes_or_no("Is that still the right answer to this question?")


def _f1(said: str, reference: Reference) -> float:
    """F1 of a span's text, which is empty for "no answer", as SQuAD has it."""
    return f1(said, ["" if each == NO_ANSWER else each for each in reference])


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _confidence(output: Span) -> float:
    """How sure the victim is of what it says."""
    return output.confidence if output.text else output.none_confidence


def _worse_than(reference: Reference) -> Judge:
    def judge(outputs: Outputs) -> tuple[Floats, Bools]:
        agrees = np.array([_f1(each.text, reference) for each in outputs])
        sure = np.array([_confidence(each) for each in outputs])
        return 1.0 - agrees * sure, agrees == 0

    return judge


def _apart(places: Sequence[tuple[int, int]], length: int) -> tuple[tuple[int, int], ...]:
    """Marks within a text, in order; those that overlap become one."""
    found: list[tuple[int, int]] = []
    for start, end in places:
        if not 0 <= start < end <= length:
            continue
        if found and start <= found[-1][1]:
            start, end = found[-1][0], max(found.pop()[1], end)
        found.append((start, end))
    return tuple(found)
