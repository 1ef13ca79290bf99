"""Sentence BLEU by sacrebleu, without smoothing, as the paper and Morpheus counted it.

They used sacrebleu 1.4 or older, whose BLEU of a sentence is 0 as soon as one length of n-grams,
from 1 to 4 or to the length of the translation, has no match. Today's default smooths that away.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

LONGEST: Final = 4  # words of an n-gram
_KEPT: Final = 4_096  # translations whose BLEU is remembered: many attacks leave one as it was


@dataclass(frozen=True)
class Bleu:
    """How well a translation agrees with the references."""

    share: float  # from 0 to 1
    matches: tuple[int, ...]  # n-grams that stand in a reference, for n from 1 to 4
    totals: tuple[int, ...]  # n-grams of the translation

    @property
    def precisions(self) -> tuple[float, ...]:
        """The share of n-grams that match; none of nothing is nothing."""
        pairs = zip(self.matches, self.totals, strict=True)
        return tuple(found / total if total else 0.0 for found, total in pairs)


@lru_cache(maxsize=_KEPT)
def bleu(said: str, references: tuple[str, ...]) -> Bleu:
    score = _metric().sentence_score(said, list(references))
    share = min(score.score / 100, 1.0)  # it is a little above where all matches
    return Bleu(share, tuple(score.counts), tuple(score.totals))


@cache
def _metric() -> Any:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(smooth_method="none", effective_order=True, max_ngram_order=LONGEST)
