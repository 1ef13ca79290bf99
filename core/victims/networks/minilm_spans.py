"""all-MiniLM-L6-v2 with adapters and two scores for each piece of a passage."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from core.victims.networks.batching import dense
from core.victims.networks.minilm import (
    CLASSIFY,
    LAYERS,
    SEPARATE,
    SIZE,
    BertEncoder,
    load_encoder,
    tokenizer,
)
from core.victims.networks.spans import Read, SpanKind
from core.victims.words import PAD


@dataclass(frozen=True)
class PlacedPieces:
    """Word pieces of a text and the characters they stand for."""

    def read(self, text: str) -> Read:
        found = tokenizer().encode(text, add_special_tokens=False)
        ids = np.array(found.ids, dtype=np.int64).reshape(-1, 1)
        return Read(ids, tuple(found.offsets))


class MiniLmSpans(nn.Module):
    """The encoder over a question and a passage; BERT's first mark stands for "no answer"."""

    def __init__(self, encoder: BertEncoder, *, rank: int, frozen: int, dropout: float) -> None:
        super().__init__()
        self.encoder = encoder.requires_grad_(False)
        for layer in encoder.stack[frozen:]:
            layer.adapt(rank, dropout)
        self.beside = nn.Parameter(torch.zeros(SIZE))  # added to what belongs to the passage
        self.output = nn.Linear(SIZE, 2)

    def forward(
        self, questions: Tensor, sizes: Tensor, passages: Tensor, lengths: Tensor
    ) -> Tensor:
        """Scores of shape (batch, 2, 1 + width), the first column for "no answer"."""
        ids, kinds = _joined(questions, sizes, passages, lengths)
        hidden = self.encoder.embed(ids, kinds.unsqueeze(2) * self.beside)
        hidden = self.encoder.run(hidden, sizes + lengths + 3, 0, LAYERS)
        width = passages.shape[1]
        columns = sizes.unsqueeze(1) + 1 + torch.arange(width + 1)
        columns[:, 0] = 0
        columns = columns.clamp(max=ids.shape[1] - 1).unsqueeze(2).expand(-1, -1, SIZE)
        scores = dense(self.output, hidden.gather(1, columns)).transpose(1, 2)
        outside = torch.arange(width + 1) > lengths.unsqueeze(1)
        return scores.masked_fill(outside.unsqueeze(1), -torch.inf)

    def merge(self) -> None:
        """Fold all adapters into the encoder."""
        for layer in self.encoder.stack:
            layer.merge()


def _joined(
    questions: Tensor, sizes: Tensor, passages: Tensor, lengths: Tensor
) -> tuple[Tensor, Tensor]:
    """Rows with BERT's marks around questions and passages; 1 where the passage is."""
    ids = torch.full((len(questions), int((sizes + lengths).max()) + 3), PAD)
    kinds = torch.zeros(ids.shape)
    ids[:, 0] = CLASSIFY
    for row, (size, length) in enumerate(zip(sizes.tolist(), lengths.tolist(), strict=True)):
        ids[row, 1 : size + 1] = questions[row, :size, 0]
        ids[row, size + 1] = SEPARATE
        ids[row, size + 2 : size + 2 + length] = passages[row, :length, 0]
        ids[row, size + 2 + length] = SEPARATE
        kinds[row, size + 2 : size + 3 + length] = 1.0
    return ids, kinds


def _build(**options: Any) -> MiniLmSpans:
    return MiniLmSpans(load_encoder(), **options)


MINILM_SPANS = SpanKind(_build, own_reader=PlacedPieces, fewest=1, finish=MiniLmSpans.merge)
