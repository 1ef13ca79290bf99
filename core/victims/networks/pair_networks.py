"""The networks of the entailment victims.

The premise is encoded on its own, so that a fixed premise is read once for all hypotheses.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import relu, softmax

from core.victims.networks.single import Lstm, TunedEmbedding, mask_of, pooled


class DnnPair(nn.Module):
    """Sums of translated word vectors, then three layers (Bowman et al., 2015)."""

    def __init__(
        self, embedding: TunedEmbedding, labels: int, *, hidden: int, dropout: float
    ) -> None:
        super().__init__()
        self.embedding = embedding
        self.translate = nn.Linear(embedding.size, hidden)
        layers: list[nn.Module] = []
        for inputs in (4 * hidden, hidden, hidden):
            layers += [nn.Linear(inputs, hidden), nn.ReLU(), nn.Dropout(dropout)]
        self.output = nn.Sequential(*layers, nn.Linear(hidden, labels))
        self.drop = nn.Dropout(dropout)

    def encode(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """One vector for each sentence."""
        words = relu(self.translate(self.drop(self.embedding(ids))))
        return (words * mask_of(lengths, ids.shape[1])).sum(dim=1)

    premise = encode

    def forward(self, ids: Tensor, lengths: Tensor, premise: Tensor) -> Tensor:
        """Class scores of shape (batch, labels)."""
        return self.compare(self.encode(ids, lengths), premise)

    def compare(self, hypothesis: Tensor, premise: Tensor) -> Tensor:
        """Class scores of encoded sentences."""
        parts = [premise, hypothesis, premise - hypothesis, premise * hypothesis / 10]
        scores: Tensor = self.output(torch.cat(parts, dim=1))
        return scores


class InferSentPair(nn.Module):
    """A BiLSTM encoder with the maximum over time (Conneau et al., 2017)."""

    def __init__(
        self, embedding: TunedEmbedding, labels: int, *, hidden: int, dropout: float
    ) -> None:
        super().__init__()
        self.embedding = embedding
        self.lstm = Lstm(embedding.size, hidden, 2)
        self.output = nn.Sequential(
            nn.Linear(8 * hidden, 256), nn.ReLU(), nn.Dropout(dropout), nn.Linear(256, labels)
        )
        self.drop = nn.Dropout(dropout)

    def encode(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """One vector for each sentence."""
        outputs = self.lstm(self.drop(self.embedding(ids)), lengths)
        return pooled(outputs, lengths)[:, : outputs.shape[2]]

    premise = encode

    def forward(self, ids: Tensor, lengths: Tensor, premise: Tensor) -> Tensor:
        """Class scores of shape (batch, labels)."""
        return self.compare(self.encode(ids, lengths), premise)

    def compare(self, hypothesis: Tensor, premise: Tensor) -> Tensor:
        """Class scores of encoded sentences."""
        parts = [premise, hypothesis, (premise - hypothesis).abs(), premise * hypothesis]
        scores: Tensor = self.output(self.drop(torch.cat(parts, dim=1)))
        return scores


class EsimPair(nn.Module):
    """Two BiLSTMs with a soft alignment of both sentences between them (Chen et al., 2017)."""

    def __init__(
        self, embedding: TunedEmbedding, labels: int, *, hidden: int, dropout: float
    ) -> None:
        super().__init__()
        self.embedding = embedding
        self.encoder = Lstm(embedding.size, hidden, 2)
        self.project = nn.Linear(8 * hidden, hidden)
        self.composer = Lstm(hidden, hidden, 2)
        self.output = nn.Sequential(
            nn.Dropout(dropout),
            nn.Linear(8 * hidden, hidden),
            nn.Tanh(),
            nn.Dropout(dropout),
            nn.Linear(hidden, labels),
        )
        self.drop = nn.Dropout(dropout)

    def premise(self, ids: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Outputs at every word, and the lengths."""
        outputs: Tensor = self.encoder(self.drop(self.embedding(ids)), lengths)
        return outputs, lengths

    def forward(self, ids: Tensor, lengths: Tensor, premise: tuple[Tensor, Tensor]) -> Tensor:
        """Class scores of shape (batch, labels)."""
        return self.compare(self.premise(ids, lengths), premise)

    def compare(self, hypothesis: tuple[Tensor, Tensor], premise: tuple[Tensor, Tensor]) -> Tensor:
        """Class scores of encoded sentences."""
        (first, first_lengths), (second, second_lengths) = premise, hypothesis
        likeness = first @ second.transpose(1, 2)
        inside_first = mask_of(first_lengths, first.shape[1])
        inside_second = mask_of(second_lengths, second.shape[1])
        to_second = likeness.masked_fill(inside_second.transpose(1, 2) == 0, -torch.inf)
        to_first = likeness.masked_fill(inside_first == 0, -torch.inf)
        found = [
            self._compose(first, softmax(to_second, dim=2) @ second, first_lengths),
            self._compose(second, softmax(to_first, dim=1).transpose(1, 2) @ first, second_lengths),
        ]
        scores: Tensor = self.output(torch.cat(found, dim=1))
        return scores

    def _compose(self, own: Tensor, aligned: Tensor, lengths: Tensor) -> Tensor:
        enhanced = torch.cat([own, aligned, own - aligned, own * aligned], dim=2)
        projected = self.drop(relu(self.project(enhanced)))
        return pooled(self.composer(projected, lengths), lengths)
