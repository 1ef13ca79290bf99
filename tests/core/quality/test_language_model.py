"""Language models: probabilities worked out by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.quality.language_model import LanguageModel, windows


def test_many_texts_need_several_passes(two_words: LanguageModel) -> None:
    rows = [[0, *[1, 2] * 20] for _ in range(60)]
    found = two_words.log_probabilities(rows)
    assert len(found) == 60
    assert all(np.allclose(row, found[0], atol=1e-5) for row in found)


@pytest.mark.parametrize(("length", "longest"), [(0, 8), (1, 8), (8, 8), (9, 8), (57, 8), (40, 7)])
def test_windows_score_every_token_once_with_context(length: int, longest: int) -> None:
    cover = windows(length, longest)
    scored = [token for _, end, first in cover for token in range(first, end)]
    assert scored == list(range(1, length))
    assert all(end - begin <= longest for begin, end, _ in cover)
    assert all(first - begin >= longest // 2 for begin, _, first in cover[1:])


def test_texts_longer_than_the_model_are_read_in_windows(two_words: LanguageModel) -> None:
    # A bigram model needs one token of context, so windows change nothing.
    row = [0, *[1, 2, 2] * 50]
    assert len(row) > two_words.longest
    expected = [math.log(0.5), *[math.log(p) for p in (0.5, 0.375, 0.125)] * 50][: len(row) - 1]
    np.testing.assert_allclose(two_words.log_probabilities([row])[0], expected, rtol=1e-4)


def test_choices_are_scored_by_their_left_context(two_words: LanguageModel) -> None:
    found = two_words.word_log_probabilities(["yes", "no"], [["no", "yes"], ["yes"]])
    np.testing.assert_allclose(np.exp(found[0]), [0.25, 0.5], rtol=1e-5)
    np.testing.assert_allclose(np.exp(found[1]), [0.25], rtol=1e-5)


@pytest.mark.parametrize("longest", [64, 12])
def test_reading_once_gives_the_same_as_reading_every_choice(
    llama: LanguageModel, longest: int
) -> None:
    model = replace(llama, longest=longest)
    words = ["the", "film", "is", "well-made"] * 3
    choices = [[], ["story", "well-made-film", "a-tale"], ["was"], ["good", "bad-a"]] * 3
    found = model.word_log_probabilities(words, choices)
    everything = [*model.start, *model.ids(" ".join(words))]
    for index, options in enumerate(choices):
        length = len(model.start) + len(model.ids(" ".join(words[:index])))
        (begin,) = (
            b for b, end, first in windows(len(everything), longest) if first <= length < end
        )
        rows = [[*everything[begin:length], *model.ids(option)] for option in options]
        expected = [row[length - begin - 1 :].sum() for row in llama.log_probabilities(rows)]
        np.testing.assert_allclose(found[index], expected, atol=1e-4)


def test_without_a_start_token_nothing_is_known_of_the_first_word(llama: LanguageModel) -> None:
    bare = LanguageModel("bare", "bare", llama.model, llama.tokenizer, start=())
    first, second = bare.word_log_probabilities(["the", "film"], [["a", "tale"], ["tale"]])
    assert first.tolist() == [0, 0]
    assert second[0] < 0
