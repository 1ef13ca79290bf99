"""Tiny victims of the tasks whose answers are texts, so that every number of theirs is known."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import pytest
from numpy.typing import NDArray

from core import SUBSTITUTIONS, VICTIMS
from core.registry import Entry
from core.substitutions.table import SubstituteTable
from core.tasks.protocol import stacked
from core.victims.adapters.passages import reading
from core.victims.outputs import Span
from core.victims.protocol import Victim

PASSAGE: Final = "The old mill was sold to Anna. The new bridge was built by Bruno."
QUESTION: Final = "Who built the new bridge?"
SOURCE: Final = "The small dog runs in the green garden"
TARGET: Final = "le petit chien court dans le vert jardin"
_WORDS: Final = dict(zip(SOURCE.lower().split(), TARGET.split(), strict=True))
_FORMS: Final = {
    **{"built": ("builds", "sold"), "new": ("old", "newer"), "bridge": ("bridges", "mill")},
    **{"dog": ("dogs",), "runs": ("run", "ran"), "garden": ("gardens",)},
}
FORMS: Final = SubstituteTable(_FORMS, "a table of the tests")


@dataclass(frozen=True)
class SpanFinder:
    """Answers with the last name in the sentence that shares most words with the question.

    Its confidence is the share of the question's words that are there. With too low a share there
    is no answer.
    """

    passage: str = ""
    least: float = 0.0
    labels: ClassVar[tuple[str, ...]] = ()
    task_key: ClassVar[str] = "answering"

    def given(self, context: Mapping[str, str]) -> "SpanFinder":
        return SpanFinder(context["passage"], self.least)

    def predict(self, texts: Sequence[str]) -> NDArray[Any]:
        return stacked([self._span(_words(text)) for text in texts])

    def _span(self, question: list[str]) -> Span:
        sentences = list(re.finditer(r"[^.]+", self.passage))
        shared = [len(set(question) & set(_words(each.group()))) for each in sentences]
        best = sentences[shared.index(max(shared))]
        confidence = max(shared) / len(question)
        if confidence < self.least:
            return Span("", 0, 0, confidence, 1 - confidence)
        *_, name = re.finditer(r"[A-Z]\w+", best.group())
        start, end = (best.start() + place for place in name.span())
        return Span(name.group(), start, end, confidence, 0.0)


@dataclass(frozen=True)
class Dictionary:
    """Translates word by word; a word that it does not know is left out."""

    labels: ClassVar[tuple[str, ...]] = ()
    task_key: ClassVar[str] = "translation"

    def predict(self, texts: Sequence[str]) -> NDArray[Any]:
        known = ([_WORDS[word] for word in _words(text) if word in _WORDS] for text in texts)
        return stacked([" ".join(words) for words in known])


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def register(patch: pytest.MonkeyPatch) -> None:
    """Both victims and their substitutes, as their lines would add them."""
    made: dict[str, Entry[Victim]] = {
        name: Entry(make, "A victim of the tests.", {"task_key": make.task_key})
        for name, make in (("finder", SpanFinder), ("dictionary", Dictionary))
    }
    for name, entry in {**made, **reading(made)}.items():
        patch.setitem(VICTIMS, name, entry)
    patch.setitem(SUBSTITUTIONS, "forms", Entry(lambda: FORMS, "A table of the tests."))
