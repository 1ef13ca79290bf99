"""Networks over many texts that differ in a few words, with common parts computed once.

A neighbourhood shares most of its beginnings and endings, so an LSTM needs to read each different
beginning (or ending) only once, and what a layer makes of a word is looked up in a table.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import torch
from torch import Tensor
from torch.nn import Linear
from torch.nn.functional import embedding, embedding_bag, linear, pad, relu, softmax

from core.victims.networks.batching import dense, filled
from core.victims.networks.kinds import Scores
from core.victims.networks.pair_networks import DnnPair, EsimPair, InferSentPair
from core.victims.networks.rows import Ids
from core.victims.networks.single import CnnClassifier, Lstm, LstmClassifier, TunedEmbedding
from core.victims.words import PAD

# A layer's parts over word vectors, each with a row for each word.
Layer: TypeAlias = Callable[[Tensor], Sequence[Tensor]]

MOST_WORDS: Final = 16_384  # in a table, before it starts anew
LANES: Final = 32  # numbers that a processor takes at a time, at most
BLOCK: Final = 16  # rows come in multiples of it, which fills the processor's registers


def fewest_rows(weight: Tensor) -> int:
    """The fewest rows, at most a block, whose product is rounded as it is among many rows.

    That depends on the processor and its library, so it is tried. The rows must also fill whole
    registers: what is left over is rounded in another way.
    """
    rows = torch.randn(8 * BLOCK, len(weight), generator=torch.Generator().manual_seed(0))
    whole = rows @ weight
    for few in (BLOCK // 4, BLOCK // 2):
        parts = (rows[:count] @ weight for count in range(few, len(rows), few))
        whole_registers = few * len(weight) % LANES == 0
        if whole_registers and all(torch.equal(part, whole[: len(part)]) for part in parts):
            return few
    return BLOCK


class WordTable:
    """What the first layer of a network makes of each word, computed when a word is first met."""

    def __init__(self, embedding: TunedEmbedding, layer: Layer) -> None:
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


class LstmPrefixes:
    """An LSTM over a table of words, each different prefix read once, both directions together."""

    def __init__(self, embedding: TunedEmbedding, lstm: Lstm) -> None:
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
        self.table = WordTable(embedding, lambda vectors: [vectors @ weights.T + biases])
        self.fewest = fewest_rows(self.recurrents[0])

    def read(self, ids: Ids, lengths: Ids) -> "Prefixes":
        """The different prefixes of rows, as each direction reads them."""
        words = self.table.look_up(ids) * len(self.recurrents)
        ways = [words, backwards(words + 1, lengths)][: len(self.recurrents)]
        return Prefixes.of(np.stack(ways), lengths, self.fewest)

    def steps(self, prefixes: "Prefixes") -> Iterator[tuple[Tensor, Tensor]]:
        """For each word of the longest text: the parents and the outputs of its prefixes."""
        inputs = self.table.parts[0].view(-1, 4 * self.size)
        sizes = [self.fewest] * len(self.recurrents)
        state, memory = (torch.zeros(sum(sizes), self.size) for _ in range(2))
        for following, word, parent in prefixes.steps():
            halves = zip(torch.split(state, sizes), self.recurrents, strict=True)
            product = torch.cat([half @ recurrent for half, recurrent in halves])
            sizes = following
            gates = inputs.index_select(0, word)
            gates += product.index_select(0, parent)
            enter, keep, new, out = gates.sigmoid_().chunk(4, dim=1)
            memory = memory.index_select(0, parent).mul_(keep)
            memory.addcmul_(enter, new, value=2).sub_(enter)
            state = (memory + memory).sigmoid_().mul_(out).mul_(2).sub_(out)
            yield parent, state

    def pools(self, ids: Ids, lengths: Ids) -> tuple[Tensor, Tensor]:
        """The maximum and the mean over time, both of shape (batch, directions * hidden)."""
        if len(ids) == 1 and self.size % LANES == 0:
            return self._pools_of_one(ids)
        prefixes = self.read(ids, lengths)
        highest = torch.full((len(self.recurrents) * self.fewest, self.size), -torch.inf)
        total = torch.zeros_like(highest)
        best, mean = (torch.empty(len(ids), len(self.recurrents), self.size) for _ in range(2))
        for at, (parent, state) in enumerate(self.steps(prefixes), start=1):
            highest = torch.maximum(highest.index_select(0, parent), state)
            total = total.index_select(0, parent).add_(state)
            if at in prefixes.endings:
                rows = np.flatnonzero(lengths == at)
                ending = torch.from_numpy(prefixes.numbers[:, rows, at - 1].T)
                best[rows] = highest[ending]
                mean[rows] = total[ending] / at
        return best.flatten(1), mean.flatten(1)

    def _pools_of_one(self, ids: Ids) -> tuple[Tensor, Tensor]:
        """The same to the bit for a single text: no prefix is shared, so that none is looked up."""
        ways, (words,) = len(self.recurrents), self.table.look_up(ids) * len(self.recurrents)
        order = np.stack([words, words[::-1] + 1], axis=1)[:, :ways]
        inputs = self.table.parts[0].view(-1, 4 * self.size)[torch.from_numpy(order)]
        memory, total = torch.zeros(2, ways, self.size)
        rows = torch.zeros(ways, self.fewest, self.size)  # only the first of each is the text's
        product = torch.empty(ways, self.fewest, 4 * self.size)
        products = list(zip(rows, self.recurrents, product, strict=True))
        outputs = torch.empty(len(words), ways, self.size)
        for gates, state in zip(inputs, outputs, strict=True):
            for row, recurrent, into in products:
                torch.mm(row, recurrent, out=into)
            gates += product[:, 0]
            enter, keep, new, out = gates.sigmoid_().view(ways, 4, self.size).unbind(1)
            memory.mul_(keep).addcmul_(enter, new, value=2).sub_(enter)
            torch.add(memory, memory, out=state).sigmoid_().mul_(out).mul_(2).sub_(out)
            rows[:, 0] = state
            total += state
        return outputs.amax(dim=0).flatten()[None], (total / len(words)).flatten()[None]

    def outputs(self, ids: Ids, lengths: Ids) -> Tensor:
        """The output at every word of rows of one length, (batch, width, directions * hidden)."""
        prefixes = self.read(ids, lengths)
        states = torch.cat([state for _, state in self.steps(prefixes)])
        ahead, back = prefixes.numbers + np.cumsum([0, *prefixes.totals[:-1]])
        places = torch.from_numpy(np.stack([ahead, back[:, ::-1]], axis=2))
        return embedding(places, states).flatten(2)


@dataclass(frozen=True, eq=False)
class Prefixes:
    """The different beginnings of rows, place by place, each found once.

    At a place those of one direction lie together, in a whole number of blocks.
    """

    words: Ids  # the last word of each prefix
    parents: Ids  # the number of the prefix without that word
    sizes: Ids  # prefixes of each direction, filled up, of shape (width, directions)
    numbers: Ids  # of each row's prefix at each place, of shape (directions, rows, width)
    endings: frozenset[int]  # the lengths of the rows

    @classmethod
    def of(cls, ways: Ids, lengths: Ids, block: int) -> "Prefixes":
        """The prefixes of words of shape (directions, rows, width)."""
        order = np.stack([np.lexsort(way.T[::-1]) for way in ways])
        rows = np.take_along_axis(ways, order[:, :, None], axis=1)
        new = (np.arange(ways.shape[2]) < lengths[:, None])[order]
        new[:, 1:] &= np.logical_or.accumulate(rows[:, 1:] != rows[:, :-1], axis=2)
        sizes = -(-new.sum(axis=1).T // block) * block
        numbers = np.cumsum(new, axis=1) - 1
        numbers += (np.cumsum(sizes, axis=1) - sizes).T[:, None]
        at = (numbers + np.cumsum([0, *sizes.sum(axis=1)[:-1]]))[new]
        words, parents = np.zeros((2, sizes.sum()), dtype=np.int64)
        words[at] = rows[new]
        parents[at] = np.pad(numbers[:, :, :-1], ((0, 0), (0, 0), (1, 0)))[new]
        back = np.argsort(order, axis=1)[:, :, None]
        numbers = np.take_along_axis(numbers, back, axis=1)
        return cls(words, parents, sizes, numbers, frozenset(lengths.tolist()))

    @property
    def totals(self) -> list[int]:
        """Prefixes at each place."""
        return list(map(sum, self.sizes.tolist()))

    def steps(self) -> Iterator[tuple[list[int], Tensor, Tensor]]:
        """For each place the prefixes of each direction, their last words, their parents."""
        parts = (torch.split(torch.from_numpy(p), self.totals) for p in (self.words, self.parents))
        return zip(self.sizes.tolist(), *parts, strict=True)


def backwards(ids: Ids, lengths: Ids) -> Ids:
    """Each row read from its end; its padding stays behind."""
    places = lengths[:, None] - 1 - np.arange(ids.shape[1])
    return np.where(places >= 0, np.take_along_axis(ids, np.maximum(places, 0), axis=1), 0)


def lstm_scores(network: LstmClassifier) -> Scores:
    """Both pools of an LSTM that reads each different beginning and ending once."""
    pools, output = LstmPrefixes(network.embedding, network.lstm).pools, network.output
    return lambda ids, lengths, _: dense(output, torch.cat(pools(ids, lengths), dim=1))


def infersent_scores(network: InferSentPair) -> Scores:
    """The same for hypotheses, compared with their premises."""
    pools = LstmPrefixes(network.embedding, network.lstm).pools
    return lambda ids, lengths, premise: dense(network.compare, pools(ids, lengths)[0], premise)


def cnn_scores(network: CnnClassifier) -> Scores:
    """The maximum of each filter, from a table of what each part of it makes of each word."""
    widths = network.WIDTHS
    layers = [part.get_parameter("weight") for part in network.convolutions]
    biases = [part.get_parameter("bias") for part in network.convolutions]
    places = [weight[:, :, place] for weight in layers for place in range(weight.shape[2])]
    table = WordTable(network.embedding, lambda vectors: [vectors @ part.T for part in places])

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


def dnn_scores(network: DnnPair) -> Scores:
    """Sums over words, from a table of what the first layer makes of each word."""
    table = WordTable(network.embedding, lambda vectors: [relu(network.translate(vectors))])

    def scores(ids: Ids, lengths: Ids, premise: Tensor) -> Tensor:
        words = torch.from_numpy(table.look_up(ids))
        return dense(network.compare, embedding_bag(words, table.parts[0], mode="sum"), premise)

    return scores


class SharedEsim:
    """ESIM over rows of one length, with what concerns one sentence only projected beforehand.

    The projection of [a, b, a - b, a * b] is (A + C) a + (B - C) b + D (a * b), and b, a mixture of
    the other sentence's outputs, is as well mixed after its product with B - C.
    """

    def __init__(self, network: EsimPair) -> None:
        self.network = network
        self.prefixes = LstmPrefixes(network.embedding, network.encoder)
        own, other, less, self.both = network.project.weight.chunk(4, dim=1)
        self.own, self.other = own + less, other - less
        # Zeros up to a whole block: a sum over a part of one is rounded by the place of its row.
        inner, last = (part for part in network.output if isinstance(part, Linear))
        short = -inner.out_features % BLOCK
        self.inner = pad(inner.weight, (0, 0, 0, short)), pad(inner.bias, (0, short))
        self.last = pad(last.weight, (0, short)), last.bias

    def premise(self, ids: Tensor, lengths: Tensor) -> tuple[Tensor, ...]:
        """An encoded premise."""
        return self._parts(self.network.premise(ids, lengths)[0])

    def __call__(self, ids: Ids, lengths: Ids, premise: tuple[Tensor, ...]) -> Tensor:
        """Class scores of shape (batch, labels)."""
        first = tuple(map(filled, premise))
        second = self._parts(filled(self.prefixes.outputs(ids, lengths)))
        likeness = second[0] @ first[0].transpose(1, 2)
        found = [
            # softmax is faster over a dimension that is not the last
            self._compose(first, second, softmax(likeness, dim=1).transpose(1, 2)),
            self._compose(second, first, softmax(likeness.mT.contiguous(), dim=1).transpose(1, 2)),
        ]
        return linear(linear(torch.cat(found, dim=1), *self.inner).tanh_(), *self.last)[: len(ids)]

    def _parts(self, outputs: Tensor) -> tuple[Tensor, ...]:
        own = linear(outputs, self.own, self.network.project.bias)
        return outputs, own, linear(outputs, self.other)

    def _compose(
        self, sentence: tuple[Tensor, ...], other: tuple[Tensor, ...], weights: Tensor
    ) -> Tensor:
        product = linear(sentence[0] * (weights @ other[0]), self.both)
        inputs = product.add_(torch.baddbmm(sentence[1], weights, other[2])).relu_()
        # No row has padding. Sums over other layouts would depend on the number of rows.
        outputs = self.network.composer.cell(inputs)[0].contiguous()
        return torch.cat([outputs.amax(dim=1), outputs.mean(dim=1)], dim=1)
