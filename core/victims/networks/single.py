"""The networks of the victims, from ids to one number for each class.

Every network gives the same numbers for a text whatever it is batched with, up to rounding:
positions behind the end of a text are zero after each layer (``forward`` sees to the rounding).
"""

from typing import Final

import torch
from torch import Tensor, nn
from torch.nn.functional import relu
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def mask_of(lengths: Tensor, width: int) -> Tensor:
    """1 for positions inside the text, 0 behind it; shape (batch, width, 1)."""
    return (torch.arange(width) < lengths[:, None]).unsqueeze(-1).float()


class TunedEmbedding(nn.Module):
    """Fixed word vectors plus a learned change for the words seen in training."""

    base: Tensor
    slots: Tensor

    def __init__(self, base: Tensor, tuned: Tensor) -> None:
        super().__init__()
        slots = torch.zeros(len(base), dtype=torch.long)
        slots[tuned] = torch.arange(1, len(tuned) + 1)
        self.register_buffer("base", base, persistent=False)
        self.register_buffer("slots", slots, persistent=False)
        self.delta = nn.Embedding(len(tuned) + 1, base.shape[1], padding_idx=0)
        nn.init.zeros_(self.delta.weight)

    @property
    def size(self) -> int:
        """Numbers in a vector."""
        return self.base.shape[1]

    def forward(self, ids: Tensor) -> Tensor:
        """Vectors of shape (batch, width, size)."""
        changed: Tensor = self.base[ids] + self.delta(self.slots[ids])
        return changed


class Lstm(nn.Module):
    """One LSTM in one or two directions, with its outputs at every word."""

    def __init__(self, inputs: int, hidden: int, directions: int) -> None:
        super().__init__()
        self.cell = nn.LSTM(inputs, hidden, batch_first=True, bidirectional=directions == 2)

    def forward(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Outputs of shape (batch, width, directions * hidden), zero behind the end of a text."""
        packed = pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)
        width = vectors.shape[1]
        outputs: Tensor = pad_packed_sequence(self.cell(packed)[0], True, total_length=width)[0]
        return outputs


def pooled(outputs: Tensor, lengths: Tensor) -> Tensor:
    """The maximum and the mean over the words of each text."""
    inside = mask_of(lengths, outputs.shape[1])
    highest = outputs.masked_fill(inside == 0, -torch.inf).amax(dim=1)
    return torch.cat([highest, outputs.sum(dim=1) / lengths[:, None]], dim=1)


class LstmClassifier(nn.Module):
    """An LSTM over words, pooled over time."""

    def __init__(
        self,
        embedding: TunedEmbedding,
        labels: int,
        *,
        hidden: int,
        directions: int,
        dropout: float,
    ) -> None:
        super().__init__()
        self.embedding = embedding
        self.lstm = Lstm(embedding.size, hidden, directions)
        self.output = nn.Linear(2 * hidden * directions, labels)
        self.drop = nn.Dropout(dropout)

    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """Class scores of shape (batch, labels)."""
        outputs = self.lstm(self.drop(self.embedding(ids)), lengths)
        scores: Tensor = self.output(self.drop(pooled(outputs, lengths)))
        return scores


class CnnClassifier(nn.Module):
    """Convolutions over words, the maximum of each filter (Kim, 2014)."""

    WIDTHS: Final = (3, 4, 5)

    def __init__(
        self, embedding: TunedEmbedding, labels: int, *, filters: int, dropout: float
    ) -> None:
        super().__init__()
        self.embedding = embedding
        self.convolutions = nn.ModuleList(
            nn.Conv1d(embedding.size, filters, width, padding=width - 1) for width in self.WIDTHS
        )
        self.output = nn.Linear(filters * len(self.WIDTHS), labels)
        self.drop = nn.Dropout(dropout)

    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """Class scores of shape (batch, labels)."""
        inside = mask_of(lengths, ids.shape[1])
        columns = (self.drop(self.embedding(ids)) * inside).transpose(1, 2)
        found = []
        for width, convolution in zip(self.WIDTHS, self.convolutions, strict=True):
            windows = relu(convolution(columns)).transpose(1, 2)
            windows = windows * mask_of(lengths + width - 1, windows.shape[1])
            found.append(windows.amax(dim=1))
        scores: Tensor = self.output(self.drop(torch.cat(found, dim=1)))
        return scores


class CharCnnClassifier(nn.Module):
    """Two convolutions over characters, the maximum of each filter."""

    POOL: Final = 3

    def __init__(
        self, characters: int, labels: int, *, filters: int, dropout: float, size: int = 32
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(characters, size, padding_idx=0)
        self.first = nn.Conv1d(size, filters, 7, padding=3)
        self.second = nn.Conv1d(filters, filters, 5, padding=2)
        self.output = nn.Linear(2 * filters, labels)
        self.drop = nn.Dropout(dropout)

    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """Class scores of shape (batch, labels)."""
        inside = mask_of(lengths, ids.shape[1]).transpose(1, 2)
        near = relu(self.first(self.embedding(ids).transpose(1, 2) * inside)) * inside
        # ceil_mode keeps a last, partly filled window, whatever the width of the batch
        steps = nn.functional.max_pool1d(near, self.POOL, ceil_mode=True)
        left = torch.div(lengths + self.POOL - 1, self.POOL, rounding_mode="floor")
        wide = relu(self.second(self.drop(steps)))
        wide = wide * mask_of(left, wide.shape[2]).transpose(1, 2)
        found = torch.cat([near.amax(dim=2), wide.amax(dim=2)], dim=1)
        scores: Tensor = self.output(self.drop(found))
        return scores
