"""The Transformer (Vaswani et al., 2017), small, with norms before its layers."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import linear, scaled_dot_product_attention

from core.victims.networks.seq2seq import State, positions
from core.victims.networks.single import mask_of
from core.victims.words import PAD


class Attention(nn.Module):
    """Attention with several heads."""

    def __init__(self, size: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(size, size)
        self.remember = nn.Linear(size, 2 * size)
        self.gather = nn.Linear(size, size)

    def memory(self, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values of shape (batch, heads, width, size of a head)."""
        keys, values = self.remember(hidden).chunk(2, dim=2)
        return self._apart(keys), self._apart(values)

    def forward(
        self,
        hidden: Tensor,
        memory: tuple[Tensor, Tensor],
        inside: Tensor | None = None,
        *,
        causal: bool = False,
    ) -> Tensor:
        """What each place finds in the memory; ``inside`` is true where there is a text."""
        query = self._apart(self.query(hidden))
        mixed = scaled_dot_product_attention(query, *memory, attn_mask=inside, is_causal=causal)
        result: Tensor = self.gather(mixed.transpose(1, 2).flatten(2))
        return result

    def _apart(self, vectors: Tensor) -> Tensor:
        batch, width, size = vectors.shape
        return vectors.view(batch, width, self.heads, size // self.heads).transpose(1, 2)


class Layer(nn.Module):
    """Attention to the own text, to the source if there is one, and a layer for each place."""

    def __init__(self, size: int, heads: int, inner: int, dropout: float, *, reads: bool) -> None:
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(size) for _ in range(3 if reads else 2))
        self.own = Attention(size, heads)
        if reads:
            self.source = Attention(size, heads)
        self.wide = nn.Sequential(nn.Linear(size, inner), nn.ReLU(), nn.Linear(inner, size))
        self.drop = nn.Dropout(dropout)

    def read(self, hidden: Tensor, inside: Tensor) -> Tensor:
        """A layer of the encoder."""
        near = self.norms[0](hidden)
        hidden = hidden + self.drop(self.own(near, self.own.memory(near), inside))
        return self._widened(hidden)

    def write(
        self,
        hidden: Tensor,
        source: tuple[Tensor, Tensor],
        inside: Tensor,
        before: tuple[Tensor, Tensor] | None = None,
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """A layer of the decoder over a whole text, or over one more piece behind others.

        Returns what it found and what it remembers of its own text.
        """
        near = self.norms[0](hidden)
        memory = self.own.memory(near)
        if before is not None:
            keys, values = zip(before, memory, strict=True)
            memory = torch.cat(keys, dim=2), torch.cat(values, dim=2)
        hidden = hidden + self.drop(self.own(near, memory, causal=before is None))
        hidden = hidden + self.drop(self.source(self.norms[1](hidden), source, inside))
        return self._widened(hidden), memory

    def _widened(self, hidden: Tensor) -> Tensor:
        result: Tensor = hidden + self.drop(self.wide(self.norms[-1](hidden)))
        return result


def _layers(modules: nn.ModuleList) -> list[Layer]:
    return [layer for layer in modules if isinstance(layer, Layer)]


def _pairs(parts: Sequence[Tensor]) -> list[tuple[Tensor, Tensor]]:
    """The keys and values of each layer."""
    return list(zip(parts[::2], parts[1::2], strict=True))


class Transformer(nn.Module):
    """An encoder, a decoder, and one table of pieces for what they read and write."""

    def __init__(
        self, pieces: int, *, size: int, heads: int, inner: int, layers: int, dropout: float
    ) -> None:
        super().__init__()
        self.size, self.heads = size, heads
        self.embedding = nn.Embedding(pieces, size, padding_idx=PAD)
        nn.init.normal_(self.embedding.weight, std=size**-0.5)
        plan = (size, heads, inner, dropout)
        self.readers = nn.ModuleList(Layer(*plan, reads=False) for _ in range(layers))
        self.writers = nn.ModuleList(Layer(*plan, reads=True) for _ in range(layers))
        self.norm_read, self.norm_written = nn.LayerNorm(size), nn.LayerNorm(size)
        self.drop = nn.Dropout(dropout)

    def forward(self, ids: Tensor, lengths: Tensor, target: Tensor) -> Tensor:
        """Scores of the piece behind each piece of a target."""
        inside, *memories = self.start(ids, lengths).source
        hidden = self._embedded(target)
        for layer, source in zip(_layers(self.writers), _pairs(memories), strict=True):
            hidden, _ = layer.write(hidden, source, inside)
        return self._scores(hidden)

    def start(self, ids: Tensor, lengths: Tensor) -> State:
        """Read source texts; nothing is written yet."""
        inside = mask_of(lengths, ids.shape[1])[:, None, None, :, 0] > 0
        hidden = self._embedded(ids)
        for layer in _layers(self.readers):
            hidden = layer.read(hidden, inside)
        hidden = self.norm_read(hidden)
        memories = [part for layer in _layers(self.writers) for part in layer.source.memory(hidden)]
        nothing = hidden.new_zeros((len(ids), self.heads, 0, self.size // self.heads))
        return State((inside, *memories), (nothing,) * len(memories))

    def step(self, state: State, pieces: Tensor) -> tuple[Tensor, State]:
        """Scores of every next piece when these pieces come next, and the state behind them."""
        inside, *memories = state.source
        hidden = self._embedded(pieces.unsqueeze(1), state.length)
        written: list[Tensor] = []
        layers = zip(_layers(self.writers), _pairs(memories), _pairs(state.written), strict=True)
        for layer, source, before in layers:
            hidden, memory = layer.write(hidden, source, inside, before)
            written += memory
        return self._scores(hidden)[:, 0], State(state.source, tuple(written), state.length + 1)

    def _embedded(self, ids: Tensor, first: int = 0) -> Tensor:
        vectors = self.embedding(ids) * self.size**0.5
        result: Tensor = self.drop(vectors + positions(ids.shape[1], self.size, first))
        return result

    def _scores(self, hidden: Tensor) -> Tensor:
        return linear(self.norm_written(hidden), self.embedding.weight)
