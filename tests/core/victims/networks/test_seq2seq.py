"""Networks that write: the same step by step as at once, alone as in company."""

from typing import Any

import pytest
import torch
from torch import Tensor

from core.victims.networks.convs2s import ConvS2S
from core.victims.networks.seq2seq import END, LONGER, START, State, written
from core.victims.networks.transformer import Transformer

PIECES = 30


@pytest.fixture(scope="module", params=["transformer", "convs2s"])
def network(request: pytest.FixtureRequest) -> Any:
    torch.manual_seed(3)
    if request.param == "transformer":
        return Transformer(PIECES, size=16, heads=2, inner=32, layers=2, dropout=0.1).eval()
    return ConvS2S(PIECES, size=16, layers=2, dropout=0.1).eval()


@torch.inference_mode()
def test_step_by_step_gives_what_the_whole_gives(network: Any) -> None:
    ids, lengths = torch.randint(4, PIECES, (3, 7)), torch.tensor([7, 5, 2])
    target = torch.randint(4, PIECES, (3, 9))
    whole = network(ids, lengths, target)
    state, steps = network.start(ids, lengths), []
    for place in range(9):
        scores, state = network.step(state, target[:, place])
        steps.append(scores)
    assert state.length == 9
    assert (torch.stack(steps, dim=1) - whole).abs().max() < 1e-5


@torch.inference_mode()
def test_padding_changes_nothing(network: Any) -> None:
    ids, target = torch.randint(4, PIECES, (2, 7)), torch.randint(4, PIECES, (2, 5))
    padded = torch.nn.functional.pad(ids, (0, 4))
    lengths = torch.tensor([7, 7])
    assert (network(padded, lengths, target) - network(ids, lengths, target)).abs().max() < 1e-5


@torch.inference_mode()
def test_what_comes_later_changes_nothing_before(network: Any) -> None:
    ids, lengths = torch.randint(4, PIECES, (1, 6)), torch.tensor([6])
    target = torch.randint(4, PIECES, (1, 8))
    other = target.clone()
    other[:, 5:] = (other[:, 5:] + 1) % PIECES
    one, two = network(ids, lengths, target), network(ids, lengths, other)
    assert (one[:, :5] - two[:, :5]).abs().max() < 1e-5
    assert (one[:, 5:] - two[:, 5:]).abs().max() > 1e-3


@pytest.mark.parametrize("beams", [1, 3])
def test_a_text_is_translated_alone_as_in_company(network: Any, beams: int) -> None:
    generator = torch.Generator().manual_seed(1)
    rows = [
        [*torch.randint(4, PIECES, (size,), generator=generator).tolist(), END]
        for size in (3, 6, 3, 1, 6, 6, 4, 3, 2, 6, 6, 3)
    ]
    together = written(network, rows, beams)
    assert [written(network, [row], beams)[0] for row in rows] == together
    assert written(network, [], beams) == []


class Chain:
    """Writes by a table of what may follow what; the source says nothing."""

    def __init__(self, following: dict[int, dict[int, float]]) -> None:
        self.following = following

    def start(self, ids: Tensor, lengths: Tensor) -> State:
        return State((ids,), ())

    def step(self, state: State, pieces: Tensor) -> tuple[Tensor, State]:
        scores = torch.full((len(pieces), 8), -30.0)
        for row, piece in enumerate(pieces.tolist()):
            for other, share in self.following.get(piece, {END: 1.0}).items():
                scores[row, other] = torch.tensor(share).log()
        return scores, State(state.source, (), state.length + 1)


def test_beams_find_what_the_likeliest_next_piece_misses() -> None:
    # The likelier beginning, 4, has no likely end: 0.6 * 0.4 is less than 0.4 * 1.
    chain = Chain({START: {4: 0.6, 5: 0.4}, 4: {6: 0.4, 7: 0.3, END: 0.3}, 5: {6: 1.0}})
    assert written(chain, [[4]], 1) == [[4, 6]]
    assert written(chain, [[4]], 2) == [[5, 6]]


def test_a_text_that_never_ends_is_cut() -> None:
    chain = Chain({START: {4: 1.0}, 4: {4: 1.0}})
    assert written(chain, [[5, 5, 5, END]], 2) == [[4] * (6 + LONGER)]
