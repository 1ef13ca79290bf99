"""BiDAF (Seo et al., 2017): attention from a passage to a question and back."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import relu, softmax

from core.text import HIDDEN_TEXT, placed_tokens
from core.victims.networks.characters import SIZE as CHARACTERS
from core.victims.networks.characters import Characters
from core.victims.networks.single import Lstm, TunedEmbedding, mask_of
from core.victims.networks.spans import Read, SpanKind
from core.victims.words import PAD, UNKNOWN, Words

LETTERS: Final = 12  # of a word that are read
WIDTH: Final = 5  # letters that a filter sees


@dataclass(frozen=True, eq=False)
class PlacedWords:
    """Words of a text with their letters, and the characters they stand for."""

    words: Words

    def read(self, text: str) -> Read:
        rows, places, end = [], [], 0
        for number, part in enumerate(text.split(HIDDEN_TEXT)):
            if number:
                rows.append([UNKNOWN, UNKNOWN])
                places.append((end, end + len(HIDDEN_TEXT)))
                end += len(HIDDEN_TEXT)
            for token, first, last in placed_tokens(part):
                letters = Characters().word_ids(token)[:LETTERS]
                for word in self.words.token_ids(token):
                    rows.append([word, *letters])
                    places.append((end + first, end + last))
            end += len(part)
        ids = np.full((len(rows), 1 + LETTERS), PAD, dtype=np.int64)
        for at, row in enumerate(rows):
            ids[at, : len(row)] = row
        return Read(ids, tuple(places))


class Highway(nn.Module):
    """A layer that learns how much of its input goes past it (Srivastava et al., 2015)."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.change, self.gate = nn.Linear(size, size), nn.Linear(size, size)

    def forward(self, vectors: Tensor) -> Tensor:
        share = torch.sigmoid(self.gate(vectors))
        return share * relu(self.change(vectors)) + (1 - share) * vectors


class Bidaf(nn.Module):
    """Words and letters, an LSTM over each text, attention both ways, two LSTM layers."""

    def __init__(
        self, embedding: TunedEmbedding, *, hidden: int, letters: int, dropout: float
    ) -> None:
        super().__init__()
        self.embedding = embedding
        self.characters = nn.Embedding(CHARACTERS, 16, padding_idx=PAD)
        self.convolution = nn.Conv1d(16, letters, WIDTH, padding=WIDTH - 1)
        size = embedding.size + letters
        self.highways = nn.Sequential(Highway(size), Highway(size))
        self.encoder = Lstm(size, hidden, 2)
        self.likeness = nn.Linear(6 * hidden, 1)
        self.first, self.second = Lstm(8 * hidden, hidden, 2), Lstm(2 * hidden, hidden, 2)
        self.ending = Lstm(2 * hidden, hidden, 2)
        self.begins, self.ends = nn.Linear(10 * hidden, 1), nn.Linear(10 * hidden, 1)
        self.drop = nn.Dropout(dropout)

    def forward(
        self, questions: Tensor, sizes: Tensor, passages: Tensor, lengths: Tensor
    ) -> Tensor:
        """Scores of shape (batch, 2, 1 + width), the first column for "no answer"."""
        question, passage = self._encoded(questions, sizes), self._encoded(passages, lengths)
        around = self._attended(passage, lengths, question, sizes)
        model = self.second(self.drop(self.first(self.drop(around), lengths)), lengths)
        ending = self.ending(self.drop(model), lengths)
        begins = self.begins(self.drop(torch.cat([around, model], dim=2)))
        ends = self.ends(self.drop(torch.cat([around, ending], dim=2)))
        scores = torch.cat([begins, ends], dim=2).transpose(1, 2)
        outside = mask_of(lengths, passages.shape[1]).transpose(1, 2) == 0
        none = scores.new_full((len(scores), 2, 1), -torch.inf)  # it always gives an answer
        return torch.cat([none, scores.masked_fill(outside, -torch.inf)], dim=2)

    def _encoded(self, ids: Tensor, lengths: Tensor) -> Tensor:
        batch, width, _ = ids.shape
        letters = self.characters(ids[:, :, 1:]).flatten(0, 1).transpose(1, 2)
        shapes = relu(self.convolution(letters)).amax(dim=2).view(batch, width, -1)
        vectors = torch.cat([self.embedding(ids[:, :, 0]), shapes], dim=2)
        outputs: Tensor = self.encoder(self.highways(self.drop(vectors)), lengths)
        return outputs

    def _attended(
        self, passage: Tensor, lengths: Tensor, question: Tensor, sizes: Tensor
    ) -> Tensor:
        """Each word of the passage beside what of the question and the passage concerns it."""
        # One linear layer over [p, q, p * q], without a vector for each pair of words.
        own, other, both = self.likeness.weight.chunk(3, dim=1)
        alike = (passage * both) @ question.transpose(1, 2) + passage @ own.T
        alike = alike + (question @ other.T).transpose(1, 2) + self.likeness.bias
        outside = mask_of(sizes, question.shape[1]).transpose(1, 2) == 0
        alike = alike.masked_fill(outside, -torch.inf)
        to_question = softmax(alike, dim=2) @ question
        nearest = alike.amax(dim=2).masked_fill(
            mask_of(lengths, passage.shape[1])[:, :, 0] == 0, -torch.inf
        )
        to_passage = (softmax(nearest, dim=1).unsqueeze(1) @ passage).expand_as(passage)
        parts = [passage, to_question, passage * to_question, passage * to_passage]
        return torch.cat(parts, dim=2)


def _build(embedding: TunedEmbedding, **options: Any) -> Bidaf:
    return Bidaf(embedding, **options)


BIDAF = SpanKind(_build, window=1_200)
