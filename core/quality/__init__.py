"""How good a changed text still is: perplexity, grammar errors, similarity.

Importing this loads no model; each is loaded when its entry is called.
"""

from typing import Any

from core.package_files import MINILM
from core.quality import grammar, perplexity, similarity
from core.quality.cache import ScoreCache, cache_folder
from core.quality.grammar import CHECKERS, GrammarErrors, increase_per_word
from core.quality.metric import Issue, Metric
from core.quality.models import LANGUAGE_MODELS, load_language_model
from core.quality.perplexity import Perplexity
from core.quality.similarity import Similarity
from core.registry import Entry

METRICS: dict[str, Entry[Any]] = {
    "perplexity": Entry(
        Perplexity.load,
        "how surprised a language model is by the text",
        perplexity.METRIC.card(model="SmolLM2-135M-Instruct"),
        LANGUAGE_MODELS["smollm2"].missing,
    ),
    "grammar": Entry(
        GrammarErrors.load,
        "grammar errors in the text",
        grammar.METRIC.card(checker="Harper"),
        CHECKERS["harper"].missing,
    ),
    "similarity": Entry(
        Similarity.load,
        "how close the changed text is in meaning to the original",
        similarity.METRIC.card(model="all-MiniLM-L6-v2"),
        MINILM.missing,
    ),
}

__all__ = [
    "CHECKERS",
    "LANGUAGE_MODELS",
    "METRICS",
    "GrammarErrors",
    "Issue",
    "Metric",
    "Perplexity",
    "ScoreCache",
    "Similarity",
    "cache_folder",
    "increase_per_word",
    "load_language_model",
]
