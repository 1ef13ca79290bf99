"""Answering with the passage attacked: the question and the words of its answers stay."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import regex

from core.errors import require
from core.tasks.answering import NO_ANSWER, Answering
from core.tasks.protocol import Field, Reference, Shown
from core.text import Pieces, join, places
from core.victims.outputs import Span


@dataclass(frozen=True)
class Reading(Answering):
    """The victim must still find the answer in a passage of which other words are changed."""

    key: ClassVar[str] = "reading"
    title: ClassVar[str] = "Question answering, passage attacked"
    context: ClassVar[tuple[Field, ...]] = (
        Field("question", "Question (stays as it is)", "Who built the lighthouse on the cape?"),
    )
    attacked: ClassVar[Field] = Field(
        "text",
        "The passage to attack, outside the answer",
        "The lighthouse on the northern cape was built in 1874 by the engineer Ada Lund.",
    )

    def check(self, context: Mapping[str, str], reference: Reference) -> None:
        """There is a question."""
        require(bool(context.get("question", "").strip()), "The question is empty; type one.")

    def fixed(self, text: Pieces, reference: Reference) -> tuple[int, ...]:
        """The words of every right answer, wherever it stands in the passage."""
        found, written = set[int](), join(*text)
        for answer in reference:
            if answer == NO_ANSWER:
                continue
            words = r"\s+".join(map(regex.escape, answer.split()))
            spans = [match.span() for match in regex.finditer(words, written, regex.IGNORECASE)]
            require(
                bool(spans), f'The answer "{answer}" is not in the passage; copy it from there.'
            )
            for at, (start, end) in enumerate(places(text)):
                if any(start < last and first < end for first, last in spans):
                    found.add(at)
        return tuple(sorted(found))

    def shown(
        self, before: Span, after: Span, reference: Reference, context: Mapping[str, str]
    ) -> Shown:
        """Both answers and how sure the victim is; the passages are no longer the same."""
        found = super().shown(before, after, reference, context)
        return replace(found, texts=found.texts[:2])
