"""Networks that write a text piece by piece, and how a text is found with them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import torch
from torch import Tensor

from core.victims.networks.batching import batches, filled, padded
from core.victims.words import PAD

START: Final = 2  # the piece before the first one of a text
END: Final = 3  # the piece behind the last one
MARKS: Final = ("<pad>", "<unk>", "<s>", "</s>")  # pieces 0 to 3
LIMIT: Final = 128  # pieces of a text that are read
LONGER: Final = (
    12  # a translation may have this many pieces more than one and a half times its text
)
POWER: Final = 0.8  # of the length, by which the scores of beams are divided


@dataclass(frozen=True, eq=False)
class State:
    """What a network keeps of the texts it is writing, one row of each tensor for each text."""

    source: tuple[Tensor, ...]
    written: tuple[Tensor, ...]
    length: int = 0  # of what is written

    def chosen(self, rows: Tensor) -> "State":
        """Some of the texts, a text more than once if it goes on in several ways."""
        return replace(
            self,
            source=tuple(part.index_select(0, rows) for part in self.source),
            written=tuple(part.index_select(0, rows) for part in self.written),
        )


class Writer(Protocol):
    """A network that writes."""

    def start(self, ids: Tensor, lengths: Tensor) -> State:
        """Read source texts; nothing is written yet."""
        ...

    def step(self, state: State, pieces: Tensor) -> tuple[Tensor, State]:
        """Scores of every next piece when these pieces come next, and the state behind them."""
        ...


def positions(length: int, size: int, first: int = 0) -> Tensor:
    """Sines and cosines that tell the places of pieces apart (Vaswani et al., 2017)."""
    places = torch.arange(first, first + length).unsqueeze(1)
    waves = places * torch.exp(torch.arange(0, size, 2) * (-9.21 / size))  # 9.21 is ln(10,000)
    return torch.cat([waves.sin(), waves.cos()], dim=1)


@torch.inference_mode()
def written(network: Writer, rows: Sequence[Sequence[int]], beams: int = 1) -> list[list[int]]:
    """The pieces that a network writes for each row of source pieces.

    Only rows of one length share a batch, so that a text is translated in the same way alone.
    """
    result: list[list[int]] = [[] for _ in rows]
    for part in batches([len(row) * beams for row in rows], alike=True):
        ids, lengths = padded([rows[number] for number in part])
        found = _searched(network, filled(ids), filled(lengths), beams)
        for number, pieces in zip(part, found, strict=False):
            result[number] = pieces
    return result


def _searched(network: Writer, ids: Tensor, lengths: Tensor, beams: int) -> list[list[int]]:
    """Beam search over a batch; with one beam, the likeliest piece at every place."""
    count = len(ids)
    first = torch.arange(count).repeat_interleave(beams)
    state = network.start(ids, lengths).chosen(first)
    pieces = torch.full((count * beams,), START)
    texts = torch.empty((count * beams, 0), dtype=torch.long)
    totals = torch.full((count, beams), -torch.inf)
    totals[:, 0] = 0.0  # the beams begin alike, so that only one may go on
    sizes = torch.zeros(count * beams)
    ended = torch.zeros(count * beams, dtype=torch.bool)
    for _ in range(int(1.5 * ids.shape[1]) + LONGER):
        scores, state = network.step(state, pieces)
        gains = scores.log_softmax(dim=1)
        gains[ended] = -torch.inf
        gains[ended, END] = 0.0  # a text that has ended stays as it is
        together = (totals.view(-1, 1) + gains).view(count, -1)
        totals, places = together.topk(beams, dim=1)
        parents = (places // gains.shape[1] + torch.arange(count).unsqueeze(1) * beams).view(-1)
        pieces = (places % gains.shape[1]).view(-1)
        texts = torch.cat([texts[parents], pieces.unsqueeze(1)], dim=1)
        sizes = sizes[parents] + ~ended[parents]
        ended = ended[parents] | (pieces == END)
        if ended.all():
            break
        state = state.chosen(parents) if beams > 1 else state
    best = (totals / sizes.view(count, beams) ** POWER).argmax(dim=1)
    chosen = texts[best + torch.arange(count) * beams]
    return [[piece for piece in row if piece not in (END, PAD)] for row in chosen.tolist()]
