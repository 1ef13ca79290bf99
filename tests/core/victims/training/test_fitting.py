"""Fitting: batches, targets, the mean that is kept, and when it stops."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from core.victims.networks.registry import kind_of
from core.victims.networks.weights import build_network, learned, reader_of, tuned_words
from core.victims.training import progress
from core.victims.training.data import Example
from core.victims.training.fitting import (
    EncodedExample,
    encode,
    epoch_batches,
    fit,
    hide_words,
    scorer_of,
    targets,
)
from core.victims.training.progress import follow
from core.victims.words import PAD, UNKNOWN
from tests.toys import victim_parts
from tests.toys.victim_parts import sentiment_rows, tiny_words, train_tiny


def test_targets_are_the_class_unless_a_row_says_more() -> None:
    rows = [EncodedExample((2,), (), 1), EncodedExample((2,), (), 0, (0.25, 0.75))]
    assert targets(rows, 2).tolist() == [[0.0, 1.0], [0.25, 0.75]]


def test_the_loss_is_the_cross_entropy_with_the_soft_target() -> None:
    network = torch.nn.Linear(1, 2, bias=False)
    network.weight.data = torch.tensor([[0.0], [1.0]])
    recipe = replace(
        victim_parts.RECIPES["cnn"], epochs=1, checks=1, rate=0.0, word_dropout=0.0, decay=0.0
    )
    rows = [EncodedExample((2,), (), 1), EncodedExample((2,), (), 0, (0.25, 0.75))]
    lines: list[str] = []
    fit(network, rows, rows, recipe, lambda r, *_: network(torch.ones(len(r), 1)), lines.append)
    one = 1 / (1 + math.e)  # the probability of class 0 at scores of 0 and 1
    first = -math.log(1 - one)
    second = -0.25 * math.log(one) - 0.75 * math.log(1 - one)
    assert f"loss {(first + second) / 2:.4f}" in lines[0]


def test_encoding_keeps_the_soft_target() -> None:
    recipe = victim_parts.RECIPES["cnn"]
    reader = reader_of(kind_of("cnn"), tiny_words())
    rows = encode([Example("good", 1, soft=(0.1, 0.9))], reader, recipe)
    assert rows[0].soft == (0.1, 0.9)


def test_training_in_fewer_bits_learns_too(tmp_path: Path) -> None:
    card = train_tiny("cnn", tmp_path, count=300, epochs=6, rate=0.02, bfloat16=True)
    assert card["held_out"]["accuracy"] >= 0.9


def tiny_cnn() -> tuple[torch.nn.Module, list[EncodedExample]]:
    words = tiny_words()
    rows = [
        EncodedExample(tuple(words.text_ids(row.text)), (), row.label)
        for row in sentiment_rows(64, 1)
    ]
    torch.manual_seed(0)
    tuned = tuned_words([row.ids for row in rows], 2)
    options = victim_parts.RECIPES["cnn"].options
    return build_network(kind_of("cnn"), 2, options, words=words, tuned=tuned), rows


def test_the_mean_moves_a_little_towards_the_numbers_of_each_step() -> None:
    network = torch.nn.Linear(1, 1, bias=False)
    network.weight.data.fill_(0.0)
    mean = learned(network)
    network.weight.data.fill_(1.0)
    follow(mean, network, 0.995)
    follow(mean, network, 0.995)
    assert mean["weight"].item() == pytest.approx(1 - 0.995**2)


@pytest.mark.parametrize(("keeps", "kept"), [(1.0, "start"), (0.0, "last")])
def test_what_training_keeps_is_the_mean(
    monkeypatch: pytest.MonkeyPatch, keeps: float, kept: str
) -> None:
    network, rows = tiny_cnn()
    start, last = learned(network), {}

    def followed(mean: dict[str, torch.Tensor], trained: torch.nn.Module, keeps: float) -> None:
        last.update(learned(trained))
        follow(mean, trained, keeps)

    monkeypatch.setattr(progress, "follow", followed)
    recipe = replace(
        victim_parts.RECIPES["cnn"], epochs=1, checks=1, rate=0.01, batch=16, mean_keeps=keeps
    )
    fit(network, rows, rows[:10], recipe, scorer_of(network, kind_of("cnn")), list[str]().append)
    numbers = {"start": start, "last": last}[kept]
    assert all(torch.equal(part, numbers[name]) for name, part in learned(network).items())
    assert any(not torch.equal(start[name], part) for name, part in last.items())


def test_training_stops_when_nothing_is_gained() -> None:
    network, rows = tiny_cnn()
    recipe = replace(
        victim_parts.RECIPES["cnn"], epochs=50, checks=1, patience=2, rate=0.0, batch=32
    )
    lines: list[str] = []
    epochs = fit(network, rows, rows[:10], recipe, scorer_of(network, kind_of("cnn")), lines.append)
    assert epochs == 3  # one gain at the start, then two checks without
    assert len(lines) == 3


def test_batches_hold_every_row_once() -> None:
    import random

    rows = [EncodedExample((2,) * (n % 7 + 1), (), n) for n in range(101)]
    found = epoch_batches(rows, 8, random.Random(0))
    assert sorted(row.label for batch in found for row in batch) == list(range(101))
    assert max(len(batch) for batch in found) == 8


def test_hidden_words_are_never_padding() -> None:
    ids = torch.tensor([[5, 6, PAD]])
    generator = torch.Generator().manual_seed(0)
    assert hide_words(ids, 1.0, generator).tolist() == [[UNKNOWN, UNKNOWN, PAD]]
    assert hide_words(ids, 0.0, generator) is ids
