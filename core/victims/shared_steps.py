"""Networks over many texts that differ in a few words, with common parts computed once.

A neighbourhood shares most of its beginnings and endings, so an LSTM needs to read each different
beginning (or ending) only once, and what a layer makes of a word is looked up in a table.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import embedding_bag, relu

from core.victims.networks import CnnClassifier, Embedding, Lstm, LstmClassifier
from core.victims.pair_networks import DnnPair, EsimPair, InferSentPair

Ids: TypeAlias = NDArray[np.int64]
# Numbers of words in the table (0 is padding), of shape (batch, width), and lengths -> encoding.
Encode: TypeAlias = Callable[[Ids, Ids], Tensor]


@dataclass(frozen=True, eq=False)
class Walk:
    """One direction of an LSTM over a table of words, each different prefix read once."""

    inputs: Tensor  # (words, 4 * hidden): what the gates make of each word
    recurrent: Tensor  # (hidden, 4 * hidden); in both, the third gate is doubled

    def steps(self, ids: Ids, lengths: Ids) -> list[tuple[Ids, Ids, Tensor]]:
        """For each word of the longest text: which prefix each row is at, its parent, its output.

        Rows must be sorted by falling length, so that those still going on come first.
        """
        size = self.recurrent.shape[0]
        state, memory = torch.zeros(1, size), torch.zeros(1, size)
        prefix = np.zeros(len(ids), dtype=np.int64)
        result = []
        for at in range(ids.shape[1]):
            going = int(np.searchsorted(-lengths, -at, side="left"))
            keys = prefix[:going] * len(self.inputs) + ids[:going, at]
            different, prefix = np.unique(keys, return_inverse=True)
            parents, words = np.divmod(different, len(self.inputs))
            parent = torch.from_numpy(parents)
            gates = self.inputs.index_select(0, torch.from_numpy(words))
            gates += (state @ self.recurrent).index_select(0, parent)
            enter, keep, new, out = gates.sigmoid_().chunk(4, dim=1)
            memory = memory.index_select(0, parent).mul_(keep)
            memory.addcmul_(enter, new, value=2).sub_(enter)  # tanh(x) = 2 sigmoid(2 x) - 1
            state = memory.tanh().mul_(out)
            result.append((prefix, parents, state))
        return result

    def pooled(self, ids: Ids, lengths: Ids) -> tuple[Tensor, Tensor]:
        """The maximum and the mean of the outputs over each row; rows sorted as in ``steps``."""
        size = self.recurrent.shape[0]
        highest, total = torch.full((1, size), -torch.inf), torch.zeros(1, size)
        best, mean = torch.empty(len(ids), size), torch.empty(len(ids), size)
        for at, (prefix, parents, state) in enumerate(self.steps(ids, lengths), start=1):
            parent = torch.from_numpy(parents)
            highest = torch.maximum(highest.index_select(0, parent), state)
            total = total.index_select(0, parent).add_(state)
            first = int(np.searchsorted(-lengths[: len(prefix)], -at, side="left"))
            ending = torch.from_numpy(prefix[first:])
            best[first : len(prefix)] = highest[ending]
            mean[first : len(prefix)] = total[ending] / at
        return best, mean

    def outputs(self, ids: Ids, lengths: Ids) -> Tensor:
        """The output at every word of each row, zero behind its end."""
        result = torch.zeros(*ids.shape, self.recurrent.shape[0])
        for at, (prefix, _, state) in enumerate(self.steps(ids, lengths)):
            result[: len(prefix), at] = state[torch.from_numpy(prefix)]
        return result


def walks(lstm: Lstm, vectors: Tensor) -> list[Walk]:
    """One walk for each direction."""
    cell = lstm.cell
    result = []
    for suffix in ("", "_reverse")[: 1 + cell.bidirectional]:
        weight, bias = getattr(cell, f"weight_ih_l0{suffix}"), getattr(cell, f"bias_ih_l0{suffix}")
        inputs = vectors @ weight.T + bias + getattr(cell, f"bias_hh_l0{suffix}")
        recurrent = getattr(cell, f"weight_hh_l0{suffix}").T.contiguous()
        third = slice(2 * cell.hidden_size, 3 * cell.hidden_size)
        inputs[:, third] *= 2
        recurrent[:, third] *= 2
        result.append(Walk(inputs, recurrent))
    return result


def backwards(ids: Ids, lengths: Ids) -> Ids:
    """Each row read from its end; its padding stays behind."""
    places = lengths[:, None] - 1 - np.arange(ids.shape[1])
    return np.where(places >= 0, np.take_along_axis(ids, np.maximum(places, 0), axis=1), 0)


def lstm_pools(lstm: Lstm, vectors: Tensor) -> Callable[[Ids, Ids], tuple[Tensor, Tensor]]:
    """The maximum and the mean over time of an LSTM, both of shape (batch, directions * hidden)."""
    directions = walks(lstm, vectors)

    def pools(ids: Ids, lengths: Ids) -> tuple[Tensor, Tensor]:
        order = np.argsort(-lengths, kind="stable")
        ids, lengths = ids[order], lengths[order]
        readings = (ids, backwards(ids, lengths))
        found = [w.pooled(r, lengths) for w, r in zip(directions, readings, strict=False)]
        back = torch.from_numpy(np.argsort(order))
        highest, mean = (torch.cat(part, dim=1)[back] for part in zip(*found, strict=True))
        return highest, mean

    return pools


def cnn_features(network: CnnClassifier, vectors: Tensor) -> Encode:
    """The maximum of each filter, from a table of what each filter makes of each word."""
    parts = list(network.convolutions)
    # (width, words, filters); padding has a zero vector, so its row is zero too
    layers = [(part.get_parameter("weight"), part.get_parameter("bias")) for part in parts]
    tables = [(torch.einsum("ud,fdw->wuf", vectors, w), bias) for w, bias in layers]

    def features(ids: Ids, lengths: Ids) -> Tensor:
        found = []
        for table, bias in tables:
            width = len(table)
            words = torch.from_numpy(np.pad(ids, ((0, 0), (width - 1, width - 1))))
            count = words.shape[1] - width + 1
            windows = table[0][words[:, :count]]
            for place in range(1, width):
                windows += table[place][words[:, place : place + count]]
            past = torch.arange(count) >= torch.from_numpy(lengths + width - 1)[:, None]
            windows.masked_fill_(past.unsqueeze(-1), -torch.inf)
            found.append(relu(windows.amax(dim=1) + bias))
        return torch.cat(found, dim=1)

    return features


def scores_over(network: torch.nn.Module, words: Ids) -> Callable[..., Tensor] | None:
    """Class scores of texts written in a small set of words, or None for other networks.

    ``words`` are the ids of the set, the first one the padding.
    """
    embedding = getattr(network, "embedding", None)
    if not isinstance(embedding, Embedding):
        return None
    vectors = embedding(torch.from_numpy(words))
    vectors[0] = 0
    if isinstance(network, CnnClassifier):
        features = cnn_features(network, vectors)
        return lambda ids, lengths: network.output(features(ids, lengths))
    if isinstance(network, LstmClassifier):
        pools = lstm_pools(network.lstm, vectors)
        return lambda ids, lengths: network.output(torch.cat(pools(ids, lengths), dim=1))
    if isinstance(network, InferSentPair):
        pools = lstm_pools(network.lstm, vectors)
        return lambda ids, lengths, premise: network.compare(pools(ids, lengths)[0], premise)
    if isinstance(network, DnnPair):
        table = relu(network.translate(vectors))
        table[0] = 0
        return lambda ids, lengths, premise: network.compare(
            embedding_bag(torch.from_numpy(ids), table, mode="sum"), premise
        )
    return _esim(network, vectors) if isinstance(network, EsimPair) else None


def _esim(network: EsimPair, vectors: Tensor) -> Callable[..., Tensor]:
    ahead, back = walks(network.encoder, vectors)

    def scores(ids: Ids, lengths: Ids, premise: tuple[Tensor, Tensor]) -> Tensor:
        order = np.argsort(-lengths, kind="stable")
        ids, lengths = ids[order], lengths[order]
        first = ahead.outputs(ids, lengths)
        second = back.outputs(backwards(ids, lengths), lengths)
        places = torch.from_numpy(np.maximum(lengths[:, None] - 1 - np.arange(ids.shape[1]), 0))
        second = second.gather(1, places.unsqueeze(-1).expand_as(second))
        inside = torch.from_numpy(np.arange(ids.shape[1]) < lengths[:, None]).unsqueeze(-1)
        both = torch.cat([first, second * inside], dim=2)
        found = network.compare((both, torch.from_numpy(lengths)), premise)
        return found[torch.from_numpy(np.argsort(order))]

    return scores
