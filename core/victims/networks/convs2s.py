"""Convolutional sequence to sequence (Gehring et al., 2017), small.

Departs from the paper: norms instead of normalised weights, and sines for the places of pieces.
"""

from typing import Final

import torch
from torch import Tensor, nn
from torch.nn.functional import glu, linear, softmax

from core.victims.networks.seq2seq import State, positions
from core.victims.networks.single import mask_of
from core.victims.words import PAD

WIDTH: Final = 3  # pieces that a convolution sees
HALF: Final = 0.5**0.5  # keeps a sum of two vectors about as long as each of them


class Convolution(nn.Module):
    """A gated convolution with a norm before it, and a way past it."""

    def __init__(self, size: int, dropout: float) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(size)
        self.mix = nn.Linear(WIDTH * size, 2 * size)
        self.drop = nn.Dropout(dropout)

    def forward(self, near: Tensor) -> Tensor:
        """What it finds in each window of normed vectors; there are two less than vectors."""
        count = near.shape[1] - WIDTH + 1
        windows = torch.cat([near[:, at : at + count] for at in range(WIDTH)], dim=2)
        found: Tensor = self.drop(glu(self.mix(windows), dim=2))
        return found


class Look(nn.Module):
    """Attention from every place of a decoder layer to the source."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.ask, self.gather = nn.Linear(size, size), nn.Linear(size, size)

    def forward(self, found: Tensor, embedded: Tensor, source: tuple[Tensor, ...]) -> Tensor:
        keys, values, outside = source
        asked = (self.ask(found) + embedded) * HALF
        alike = (asked @ keys.mT / keys.shape[2] ** 0.5).masked_fill(outside, -torch.inf)
        seen: Tensor = self.gather(softmax(alike, dim=2) @ values)
        return (found + seen) * HALF


def _layers(modules: nn.ModuleList) -> list[Convolution]:
    return [layer for layer in modules if isinstance(layer, Convolution)]


class ConvS2S(nn.Module):
    """Convolutions that read, convolutions that write and look back at the source."""

    def __init__(self, pieces: int, *, size: int, layers: int, dropout: float) -> None:
        super().__init__()
        self.size = size
        self.embedding = nn.Embedding(pieces, size, padding_idx=PAD)
        nn.init.normal_(self.embedding.weight, std=size**-0.5)
        self.readers = nn.ModuleList(Convolution(size, dropout) for _ in range(layers))
        self.writers = nn.ModuleList(Convolution(size, dropout) for _ in range(layers))
        self.looks = nn.ModuleList(Look(size) for _ in range(layers))
        self.norm_read, self.norm_written = nn.LayerNorm(size), nn.LayerNorm(size)
        self.drop = nn.Dropout(dropout)

    def forward(self, ids: Tensor, lengths: Tensor, target: Tensor) -> Tensor:
        """Scores of the piece behind each piece of a target."""
        return self._written(self.start(ids, lengths), target)[0]

    def start(self, ids: Tensor, lengths: Tensor) -> State:
        """Read source texts; nothing is written yet."""
        inside = mask_of(lengths, ids.shape[1])
        embedded = self._embedded(ids)
        hidden, edge = embedded, embedded.new_zeros((len(ids), WIDTH // 2, self.size))
        for layer in _layers(self.readers):
            near = torch.cat([edge, layer.norm(hidden) * inside, edge], dim=1)
            hidden = (hidden + layer(near)) * HALF
        keys = self.norm_read(hidden)
        nothing = embedded.new_zeros((len(ids), WIDTH - 1, self.size))
        source = keys, (keys + embedded) * HALF, inside.transpose(1, 2) == 0
        return State(source, (nothing,) * len(self.writers))

    def step(self, state: State, pieces: Tensor) -> tuple[Tensor, State]:
        """Scores of every next piece when these pieces come next, and the state behind them."""
        scores, state = self._written(state, pieces.unsqueeze(1))
        return scores[:, 0], state

    def _written(self, state: State, pieces: Tensor) -> tuple[Tensor, State]:
        """Scores behind each of some pieces that come next, and the state behind them."""
        embedded = self._embedded(pieces, state.length)
        hidden, kept = embedded, []
        for layer, look, before in zip(
            _layers(self.writers), self.looks, state.written, strict=True
        ):
            near = torch.cat([before, layer.norm(hidden)], dim=1)
            kept.append(near[:, 1 - WIDTH :])
            hidden = (hidden + look(layer(near), embedded, state.source)) * HALF
        scores = linear(self.norm_written(hidden), self.embedding.weight)
        return scores, State(state.source, tuple(kept), state.length + pieces.shape[1])

    def _embedded(self, ids: Tensor, first: int = 0) -> Tensor:
        vectors = self.embedding(ids) * self.size**0.5
        result: Tensor = self.drop(vectors + positions(ids.shape[1], self.size, first))
        return result
