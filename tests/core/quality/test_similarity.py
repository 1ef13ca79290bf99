"""Similarity of sentences."""

import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from core.errors import InputError
from core.package_files import MINILM
from core.quality import METRICS, ScoreCache, Similarity
from core.quality.constraints import (
    SentenceSimilarity,
)
from core.quality.similarity import FORMS, Encoder, load_encoder
from core.transformers_loader import load_pretrained
from tests.toys import tiny


def test_forms_of_similarity() -> None:
    cosines = np.array([1.0, 0.0, -1.0, math.cos(0.5), 1.0 + 1e-9])
    np.testing.assert_allclose(FORMS["cosine"](cosines)[:3], [1, 0, -1])
    np.testing.assert_allclose(FORMS["angular"](cosines), [1, 0.5, 0, 1 - 0.5 / math.pi, 1])
    np.testing.assert_allclose(
        FORMS["textfooler"](cosines), [1, 1 - math.pi / 2, 1 - math.pi, 0.5, 1]
    )
    # The threshold TextFooler uses, in the other form, as stated in our notes.
    assert FORMS["angular"](np.cos([0.5]))[0] == pytest.approx(0.8408, abs=1e-4)


def test_a_vector_is_the_mean_of_the_token_vectors(encoder: Encoder) -> None:
    import torch

    text = "this is a good film"
    with torch.inference_mode():
        states = encoder.model(**encoder.tokenizer(text, return_tensors="pt")).last_hidden_state
    mean = states[0].mean(0).numpy()
    found = encoder.encode(["bad", text, "a very very bad film"])
    np.testing.assert_allclose(found[1], mean / np.linalg.norm(mean), atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-6)
    assert encoder.encode([]).shape == (0, 16)


def test_the_end_of_a_long_text_counts() -> None:
    if reason := MINILM.missing():
        pytest.skip(reason)
    start = "The river runs through the valley and past the mill. " * 40
    one, other = load_encoder().encode([start + "I love it.", start + "I hate it."])
    assert 0.9 < float(one @ other) < 0.99999


def test_several_threads_may_encode_at_once(tmp_path: Path) -> None:
    folder = tiny.bert(tmp_path)
    texts = ["good film", "a very bad film", "this is"]
    for _ in range(5):  # a new tokenizer is changed by its first call
        model, words, _, _ = load_pretrained("AutoModel", folder)
        shared = Encoder("tiny", model, words)
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(shared.encode, [texts] * 8))
        assert all(np.allclose(vectors, found[0], atol=1e-6) for vectors in found)


def test_pairs_are_compared_in_order(encoder: Encoder, cache: ScoreCache) -> None:
    measure = Similarity(encoder, cache=cache)
    vectors = encoder.encode(["good", "bad", "film"])
    found = measure.scores(["good", "good", "film"], ["bad", "good", "bad"])
    expected = [vectors[0] @ vectors[1], 1, vectors[2] @ vectors[1]]
    np.testing.assert_allclose(found, expected, atol=1e-6)
    with pytest.raises(InputError, match="1 originals and 2 texts"):
        measure.scores(["a"], ["a", "b"])


def test_an_unknown_form_is_named() -> None:
    with pytest.raises(InputError, match='Did you mean "cosine"'):
        Similarity.load("cosin")
    with pytest.raises(InputError, match="form of similarity"):
        SentenceSimilarity(form="euclid")


def test_minilm_tells_paraphrase_from_change_of_subject(cache: ScoreCache) -> None:
    if reason := METRICS["similarity"].missing():
        pytest.skip(reason)
    text = "The film was wonderful."
    same, close, far = Similarity(METRICS["similarity"]().encoder, cache=cache).scores(
        [text] * 3, [text, "The movie was great.", "Shares fell on Monday."]
    )
    assert same == pytest.approx(1)
    assert close > 0.7 > 0.3 > far
