"""Networks over many texts that differ in a few words, with common parts computed once.

A neighbourhood shares most of its beginnings and endings, so an LSTM needs to read each different
beginning (or ending) only once, and what a layer makes of a word is looked up in a table.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import embedding_bag, relu

from core.victims.batching import dense, filled
from core.victims.networks import CnnClassifier, Embedding, Lstm, LstmClassifier
from core.victims.pair_networks import DnnPair, EsimPair, InferSentPair
from core.victims.rows import Ids
from core.victims.words import PAD

# Padded ids of shape (batch, width), lengths, the encoded premise of each row -> class scores.
Scores: TypeAlias = Callable[[Ids, Ids, Any], Tensor]
# A layer's parts over word vectors, each with a row for each word.
Layer: TypeAlias = Callable[[Tensor], Sequence[Tensor]]

MOST_WORDS: Final = 16_384  # in a table, before it starts anew
BLOCK: Final = 16  # rows come in multiples of it, which fills the processor's registers


class Table:
    """What the first layer of a network makes of each word, computed when a word is first met."""

    def __init__(self, embedding: Embedding, layer: Layer) -> None:
        self.embedding, self.layer = embedding, layer
        self.parts = [torch.zeros(1, part.shape[1]) for part in self._rows(np.array([PAD]))]
        self.numbers = np.full(len(embedding.slots), -1, dtype=np.int64)
        self.numbers[PAD] = 0  # padding is zero in every layer
        self.size = 1

    def look_up(self, ids: Ids) -> Ids:
        """The rows of the parts that belong to ids."""
        new = np.unique(ids[self.numbers[ids] < 0])
        if self.size + len(new) > MOST_WORDS:
            self.numbers[PAD + 1 :] = -1
            self.size = 1
            new = np.unique(ids[ids != PAD])
        if len(new):
            self._add(new)
        return np.asarray(self.numbers[ids])

    def _add(self, new: Ids) -> None:
        end = self.size + len(new)
        for number, rows in enumerate(self._rows(new)):
            old = self.parts[number]
            if end > len(old):
                old = torch.cat([old, torch.empty(max(end, len(old)), old.shape[1])])
                self.parts[number] = old
            old[self.size : end] = rows[: len(new)]
        self.numbers[new] = np.arange(self.size, end)
        self.size = end

    def _rows(self, ids: Ids) -> Sequence[Tensor]:
        return self.layer(filled(self.embedding(torch.from_numpy(ids)), BLOCK))


class Walks:
    """An LSTM over a table of words, each different prefix read once, both directions together."""

    def __init__(self, embedding: Embedding, lstm: Lstm) -> None:
        cell = lstm.cell
        self.size = cell.hidden_size
        third = slice(2 * self.size, 3 * self.size)
        inputs, self.recurrents = [], []
        for end in ("", "_reverse")[: 1 + cell.bidirectional]:
            names = ("weight_ih_l0", "bias_ih_l0", "bias_hh_l0", "weight_hh_l0")
            weight, bias, other, recurrent = (getattr(cell, name + end).clone() for name in names)
            bias += other
            for part in (weight, bias, recurrent):
                part[third] *= 2  # since tanh(x) = 2 sigmoid(2 x) - 1, which is much faster
            inputs.append((weight, bias))
            self.recurrents.append(recurrent.T.contiguous())
        weights, biases = (torch.cat(part) for part in zip(*inputs, strict=True))
        self.table = Table(embedding, lambda vectors: [vectors @ weights.T + biases])

    def readings(self, ids: Ids, lengths: Ids) -> tuple[Ids, Ids]:
        """The rows as each direction reads them, one below the other, and their lengths."""
        words = self.table.look_up(ids) * len(self.recurrents)
        if len(self.recurrents) == 1:
            return words, lengths
        return np.concatenate([words, backwards(words + 1, lengths)]), np.tile(lengths, 2)

    def steps(self, words: Ids, lengths: Ids) -> Iterator[tuple[Ids, Tensor, Tensor]]:
        """For each word of the longest text: which prefix each row is at, its parent, its output.

        Rows must be sorted by falling length, so that those still going on come first. A
        direction's prefixes lie together, in a whole number of blocks.
        """
        inputs = self.table.parts[0].view(-1, 4 * self.size)
        count = len(self.recurrents)
        state, memory = (torch.zeros(count * BLOCK, self.size) for _ in range(2))
        sizes = [BLOCK] * count  # prefixes of each direction, filled up
        prefix = words[:, 0] % count * BLOCK
        for at in range(words.shape[1]):
            going = int(np.searchsorted(-lengths, -at, side="left"))
            keys = prefix[:going] * len(inputs) + words[:going, at]
            different, prefix = np.unique(keys, return_inverse=True)
            cuts = np.searchsorted(different, np.cumsum(sizes[:-1]) * len(inputs))
            parts = np.split(different, cuts)
            halves = zip(torch.split(state, sizes), self.recurrents, strict=True)
            product = torch.cat([half @ recurrent for half, recurrent in halves])
            sizes = [-(-len(part) // BLOCK) * BLOCK for part in parts]
            blocks = np.zeros(sum(sizes), dtype=np.int64)
            for start, part in zip((0, *sizes), parts, strict=False):
                blocks[start : start + len(part)] = part
            if count > 1:
                prefix[prefix >= cuts[0]] += sizes[0] - cuts[0]
            parent, word = map(torch.from_numpy, np.divmod(blocks, len(inputs)))
            gates = inputs.index_select(0, word)
            gates += product.index_select(0, parent)
            enter, keep, new, out = gates.sigmoid_().chunk(4, dim=1)
            memory = memory.index_select(0, parent).mul_(keep)
            memory.addcmul_(enter, new, value=2).sub_(enter)
            state = (memory + memory).sigmoid_().mul_(out).mul_(2).sub_(out)
            yield prefix, parent, state

    def pools(self, ids: Ids, lengths: Ids) -> tuple[Tensor, Tensor]:
        """The maximum and the mean over time, both of shape (batch, directions * hidden)."""
        words, lengths = self.readings(ids, lengths)
        order = np.argsort(-lengths, kind="stable")
        words, lengths = words[order], lengths[order]
        highest = torch.full((len(self.recurrents) * BLOCK, self.size), -torch.inf)
        total = torch.zeros_like(highest)
        best, mean = torch.empty(len(words), self.size), torch.empty(len(words), self.size)
        for at, (prefix, parent, state) in enumerate(self.steps(words, lengths), start=1):
            highest = torch.maximum(highest.index_select(0, parent), state)
            total = total.index_select(0, parent).add_(state)
            first = int(np.searchsorted(-lengths[: len(prefix)], -at, side="left"))
            if first < len(prefix):
                rows = torch.from_numpy(order[first : len(prefix)])
                ending = torch.from_numpy(prefix[first:])
                best[rows] = highest[ending]
                mean[rows] = total[ending] / at
        return self._beside(best), self._beside(mean)

    def outputs(self, ids: Ids, lengths: Ids) -> Tensor:
        """The output at every word of rows of one length, (batch, width, directions * hidden)."""
        words, lengths = self.readings(ids, lengths)
        found = [state[torch.from_numpy(at)] for at, _, state in self.steps(words, lengths)]
        ahead, back = torch.stack(found, dim=1).chunk(2)
        return torch.cat([ahead, back.flip(1)], dim=2)

    def _beside(self, rows: Tensor) -> Tensor:
        return torch.cat(rows.chunk(len(self.recurrents)), dim=1)


def backwards(ids: Ids, lengths: Ids) -> Ids:
    """Each row read from its end; its padding stays behind."""
    places = lengths[:, None] - 1 - np.arange(ids.shape[1])
    return np.where(places >= 0, np.take_along_axis(ids, np.maximum(places, 0), axis=1), 0)


def shared_scores(network: torch.nn.Module) -> Scores | None:
    """Class scores with common parts computed once, or None for other networks."""
    if isinstance(network, CnnClassifier):
        return _cnn(network)
    if isinstance(network, LstmClassifier):
        pools, output = Walks(network.embedding, network.lstm).pools, network.output
        return lambda ids, lengths, _: dense(output, torch.cat(pools(ids, lengths), dim=1))
    if isinstance(network, InferSentPair):
        walks = Walks(network.embedding, network.lstm)
        return lambda ids, lengths, premise: dense(
            network.compare, walks.pools(ids, lengths)[0], premise
        )
    if isinstance(network, DnnPair):
        return _dnn(network)
    return _esim(network) if isinstance(network, EsimPair) else None


def _cnn(network: CnnClassifier) -> Scores:
    """The maximum of each filter, from a table of what each part of it makes of each word."""
    widths = network.WIDTHS
    layers = [part.get_parameter("weight") for part in network.convolutions]
    biases = [part.get_parameter("bias") for part in network.convolutions]
    places = [weight[:, :, place] for weight in layers for place in range(weight.shape[2])]
    table = Table(network.embedding, lambda vectors: [vectors @ part.T for part in places])

    def scores(ids: Ids, lengths: Ids, _: Any) -> Tensor:
        words = table.look_up(ids)
        parts, found = iter(table.parts), []
        for width, bias in zip(widths, biases, strict=True):
            padded = torch.from_numpy(np.pad(words, ((0, 0), (width - 1, width - 1))))
            count = padded.shape[1] - width + 1
            windows = next(parts)[padded[:, :count]]
            for place in range(1, width):
                windows += next(parts)[padded[:, place : place + count]]
            past = torch.arange(count) >= torch.from_numpy(lengths + width - 1)[:, None]
            windows.masked_fill_(past.unsqueeze(-1), -torch.inf)
            found.append(relu(windows.amax(dim=1) + bias))
        return dense(network.output, torch.cat(found, dim=1))

    return scores


def _dnn(network: DnnPair) -> Scores:
    table = Table(network.embedding, lambda vectors: [relu(network.translate(vectors))])

    def scores(ids: Ids, lengths: Ids, premise: Tensor) -> Tensor:
        words = torch.from_numpy(table.look_up(ids))
        return dense(network.compare, embedding_bag(words, table.parts[0], mode="sum"), premise)

    return scores


def _esim(network: EsimPair) -> Scores:
    walks = Walks(network.embedding, network.encoder)

    def scores(ids: Ids, lengths: Ids, premise: tuple[Tensor, Tensor]) -> Tensor:
        """All rows have the same length."""
        texts = filled(walks.outputs(ids, lengths)), filled(torch.from_numpy(lengths))
        first, sizes = map(filled, premise)
        return network.compare(texts, (first, sizes))[: len(ids)]

    return scores
