"""The numbers that a network learns, and its words."""

import pytest

from core.errors import InputError
from core.victims.networks.registry import kind_of
from core.victims.networks.weights import build_network, tuned_words
from core.victims.words import PAD, UNKNOWN


def test_only_words_seen_often_enough_are_tuned() -> None:
    assert tuned_words([(5, 5, 3), (3, 9, PAD)], 2).tolist() == [UNKNOWN, 3, 5]


def test_word_networks_need_words() -> None:
    with pytest.raises(InputError, match="needs the shared words"):
        build_network(kind_of("cnn"), 2, {"filters": 2, "dropout": 0.0})
