"""Perplexity: how surprised a language model is by a text."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.quality.cache import ScoreCache
from core.quality.language_model import LanguageModel
from core.quality.metric import Metric
from core.quality.models import load_language_model

METRIC = Metric(
    name="perplexity",
    definition=(
        "exp of the mean negative log-probability of the text's tokens, each given those before "
        "it and the first given the model's document start"
    ),
    better="lower",
    unit="",
)


@dataclass(frozen=True, eq=False)
class Perplexity:
    """Perplexities of texts by one language model; not a number for a text without tokens."""

    model: LanguageModel
    cache: ScoreCache = field(default_factory=ScoreCache)
    metric: Metric = METRIC

    @classmethod
    def load(cls, model: str = "smollm2") -> "Perplexity":
        """Perplexity by a model of LANGUAGE_MODELS, a folder or a downloaded hub id."""
        return cls(load_language_model(model))

    def scores(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """One perplexity for each text."""

        def compute(indices: list[int]) -> list[float]:
            rows = [[*self.model.start, *self.model.ids(texts[index])] for index in indices]
            return [
                float(np.exp(-row.mean())) if row.size else np.nan
                for row in self.model.log_probabilities(rows)
            ]

        maker = f"perplexity {self.model.identity} {self.model.start}"
        return self.cache.scores(maker, texts, compute)
