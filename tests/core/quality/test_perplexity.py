"""Perplexity, worked out by hand."""

import math
from pathlib import Path

import numpy as np

from core.quality import Perplexity, ScoreCache
from core.quality.language_model import LanguageModel


def test_perplexity_is_what_the_table_says(two_words: LanguageModel, tmp_path: Path) -> None:
    metric = Perplexity(two_words, ScoreCache(tmp_path / "scores.sqlite"))
    texts = ["yes no", "no no no", "yes", ""]
    # "yes no": P = 0.5 * 0.5, two tokens; "no no no": P = 0.25 * 0.375 ** 2, three tokens.
    expected = [2, (0.25 * 0.375**2) ** (-1 / 3), 2, math.nan]
    np.testing.assert_allclose(metric.scores(texts), expected, rtol=1e-5)


def test_perplexity_of_a_text_does_not_depend_on_its_batch(
    llama: LanguageModel, tmp_path: Path
) -> None:
    texts = ["the film is good", "a story", "the tale was bad a film is well made", "film"]
    together = Perplexity(llama, ScoreCache(tmp_path / "1")).scores(texts)
    alone = [Perplexity(llama, ScoreCache(tmp_path / "2")).scores([text])[0] for text in texts]
    np.testing.assert_allclose(together, alone, rtol=1e-5)
