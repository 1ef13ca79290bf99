"""Many texts that share parts get the numbers that each of them gets alone."""

import numpy as np
import pytest
import torch

from core.victims.networks.shared_steps import BLOCK, fewest_rows, lstm_scores
from core.victims.networks.single import LstmClassifier, TunedEmbedding


@pytest.mark.parametrize("directions", [1, 2])
@pytest.mark.parametrize("hidden", [32, 20])  # whole registers, or not
def test_an_lstm_answers_a_text_alone_as_among_others(directions: int, hidden: int) -> None:
    torch.manual_seed(0)
    embedding = TunedEmbedding(torch.randn(50, 16), torch.arange(2, 50))
    network = LstmClassifier(embedding, 2, hidden=hidden, directions=directions, dropout=0.0).eval()
    rows = np.random.default_rng(0).integers(2, 50, size=(40, 9))
    rows[1:, :5] = rows[0, :5]
    with torch.inference_mode():
        scores = lstm_scores(network)
        together = scores(rows, np.full(40, 9), None)
        assert torch.allclose(
            together, network(torch.from_numpy(rows), torch.full((40,), 9)), atol=1e-5
        )
        for few in (1, 2, 5):
            parts = [rows[at : at + few] for at in range(0, 40, few)]
            alone = torch.cat([scores(part, np.full(len(part), 9), None) for part in parts])
            assert torch.equal(alone, together)


def test_the_fewest_rows_are_rounded_as_among_many() -> None:
    torch.manual_seed(1)
    weight, rows = torch.randn(64, 256), torch.randn(100, 64)
    few = fewest_rows(weight)
    assert few in (BLOCK // 4, BLOCK // 2, BLOCK)
    assert torch.equal(rows[:few] @ weight, (rows @ weight)[:few])
