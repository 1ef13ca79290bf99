"""Certified training: rows with what may become of them, and more of them safe at its end."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
import torch

from core import InputError
from core.experiment import certifying
from core.experiment.certifying import Certifying
from core.experiment.hardening import HardeningTask
from core.generators import follow
from core.substitutions.protocol import Column, Substitute
from core.victims.recipes import RECIPES
from core.victims.training.data import Example
from tests.toys import small_cnn


class Next:
    """Every word may become the next number, and the one of several ids."""

    def __call__(self, words: Sequence[str]) -> list[Column]:
        return [
            Column((Substitute(str((int(word) + 1) % small_cnn.WORDS), ""), Substitute("1+2", "")))
            for word in words
        ]


ROWS = [Example(f"{at} {(at * 3) % 8} {(at * 5) % 8} 7", at % 2) for at in range(8)]
CERTIFYING = Certifying(Next(), 0.5)


def test_a_row_knows_what_its_ids_may_become() -> None:
    row = CERTIFYING.row(Example("3, 7", 1), small_cnn.Spelled())
    assert row.ids == (5, 2, 9)
    assert row.others == ((6,), (), (2,))
    assert (row.most, row.label) == (1, 1)


def test_training_makes_more_rows_safe() -> None:
    network = small_cnn.network(3)
    for name, part in network.named_parameters():
        part.requires_grad_(not name.endswith("base"))
    reader = small_cnn.Spelled()
    rows = [CERTIFYING.row(each, reader) for each in ROWS]
    right, safe = certifying._shares(network, rows)
    recipe = replace(
        RECIPES["cnn-sst2"], epochs=40, batch=4, rate=0.03, checks=1, patience=40, mean_keeps=0.0
    )
    torch.manual_seed(0)
    took = follow(CERTIFYING.fit(network, reader, ROWS, ROWS, recipe), lambda check: None)
    assert took.epochs == 40
    after = certifying._shares(network, rows)
    assert after[0] >= right
    assert after[1] > safe


def test_only_word_cnns_are_trained_for_proofs() -> None:
    with pytest.raises(InputError, match="choose a word-CNN"):
        HardeningTask("bilstm-sst2", certify=True)
