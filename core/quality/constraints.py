"""Constraints that need a model: keep only substitutes that fit the sentence.

Both look at one substitute in the original text, so they are computed once, before the search.
Departs from the originals: TextFooler compares with the text of the previous step instead of the
original, and GA's language model saw one word to the left, not all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.package_files import MINILM
from core.quality.cache import ScoreCache
from core.quality.language_model import LanguageModel
from core.quality.models import LANGUAGE_MODELS, load_language_model
from core.quality.similarity import FORMS, Encoder, Similarity, load_encoder
from core.registry import Entry, find
from core.substitutions.protocol import Column, Constraint

Scores: TypeAlias = NDArray[np.float64]


def window(length: int, position: int, size: int) -> slice:
    """``size`` words around a position, moved at the borders to stay that long."""
    start = min(max(position - size // 2, 0), max(length - size, 0))
    return slice(start, start + size)


@dataclass(frozen=True)
class SentenceSimilarity:
    """Keep substitutes that leave the 15 words around them close in meaning (TextFooler).

    The threshold is in the units of ``form``; 0.5 in TextFooler's form is an angular similarity of
    0.841 and a cosine of 0.878. Texts shorter than the window use ``short_threshold``.
    """

    threshold: float = 0.5
    size: int = 15
    short_threshold: float = 0.1
    form: str = "textfooler"
    encoder: Encoder | None = None
    cache: ScoreCache = field(default_factory=ScoreCache)

    def __post_init__(self) -> None:
        find(FORMS, self.form, "form of similarity")
        if self.size < 1:
            raise InputError("The similarity window must hold at least one word.")

    def __call__(self, words: Sequence[str], columns: Sequence[Column]) -> tuple[Column, ...]:
        """Drop the substitutes below the threshold; the others say their similarity."""
        originals, texts = [], []
        for position, column in enumerate(columns):
            part = window(len(words), position, self.size)
            original = " ".join(words[part])
            for substitute in column.substitutes:
                changed = [*words[part.start : position], substitute.word]
                originals.append(original)
                texts.append(" ".join([*changed, *words[position + substitute.width : part.stop]]))
        if not texts:
            return tuple(columns)
        measure = Similarity(self.encoder or load_encoder(), self.form, self.cache)
        scores = measure.scores(originals, texts)
        least = self.threshold if len(words) >= self.size else self.short_threshold
        note = f"no substitute keeps the sentence similar enough ({self.form} >= {least:g})"
        return tuple(
            _keep(column, own, np.flatnonzero(own >= least), "similarity {:.2f}", note)
            for column, own in zip(columns, _shares(scores, columns), strict=True)
        )


@dataclass(frozen=True)
class LanguageModelFilter:
    """Keep the K substitutes of a position that are likeliest after the words to its left (GA)."""

    top: int = 4
    model: LanguageModel | None = None
    cache: ScoreCache = field(default_factory=ScoreCache)

    def __post_init__(self) -> None:
        if self.top < 1:
            raise InputError("The language-model filter must keep at least one substitute.")

    def __call__(self, words: Sequence[str], columns: Sequence[Column]) -> tuple[Column, ...]:
        """Drop all but the likeliest; those kept stay in their order and say their probability."""
        # A column with no more than K has nothing to rank.
        crowded = [c if len(c.substitutes) > self.top else Column() for c in columns]
        places = [i for i, column in enumerate(crowded) for _ in column.substitutes]
        choices = [substitute.word for column in crowded for substitute in column.substitutes]
        if not places:
            return tuple(columns)
        model = self.model or load_language_model()

        def compute(indices: list[int]) -> list[float]:
            wanted: list[list[str]] = [[] for _ in words]
            for index in indices:
                wanted[places[index]].append(choices[index])
            found = [iter(row.tolist()) for row in model.word_log_probabilities(words, wanted)]
            return [next(found[places[index]]) for index in indices]

        keys = ["\0".join([*words[:i], choices[k]]) for k, i in enumerate(places)]
        maker = f"left context {model.identity} {model.start}"
        scores = self.cache.scores(maker, keys, compute)
        return tuple(
            _keep(column, own, np.sort(np.argsort(-own, kind="stable")[: self.top]), "log P {:.1f}")
            if own.size
            else column
            for column, own in zip(columns, _shares(scores, crowded), strict=True)
        )


def _shares(scores: Scores, columns: Sequence[Column]) -> list[Scores]:
    """Cut the scores of all substitutes into those of each column."""
    return np.split(scores, np.cumsum([len(column.substitutes) for column in columns])[:-1])


def _keep(
    column: Column, scores: Scores, rows: NDArray[np.intp], label: str, note: str = ""
) -> Column:
    """The substitutes in these rows, each with its score added to its reason."""
    kept = tuple(
        replace(
            column.substitutes[row],
            reason=f"{column.substitutes[row].reason}; {label.format(scores[row])}",
        )
        for row in rows.tolist()
    )
    emptied = column.substitutes and not kept
    return Column(kept, note if emptied else column.note)


CONSTRAINTS: dict[str, Entry[Constraint]] = {
    "similarity": Entry(
        SentenceSimilarity,
        "keep substitutes that leave the words around them close in meaning (MiniLM)",
        {"source": "TextFooler", "threshold": 0.5, "form": "1 - arccos(cosine)", "window": 15},
        MINILM.missing,
    ),
    "language-model": Entry(
        LanguageModelFilter,
        "keep the substitutes that are likeliest after the words to their left (SmolLM2)",
        {"source": "GA", "top": 4},
        LANGUAGE_MODELS["smollm2"].missing,
    ),
}
