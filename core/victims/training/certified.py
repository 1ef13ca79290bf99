"""Train a word-CNN so that proofs succeed: its loss counts the worst that a few swaps could do.

The bound is that of ``core.prove.convolution`` with the worst substitute of each word for each
filter, which is looser and can be learned from: where it holds, so does the bound of a proof.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor
from torch.nn.functional import relu

from core.victims.networks.single import CnnClassifier
from core.victims.words import PAD

FAR: Final = 1e4  # below every filter: for windows that a text does not have


@dataclass(frozen=True)
class Changeable:
    """A text as ids, what each of them may become, and how many words may change at once."""

    ids: tuple[int, ...]
    others: tuple[tuple[int, ...], ...]
    most: int
    label: int


@dataclass(frozen=True)
class Changes:
    """A batch of texts as tensors: everything that an id may become, itself first."""

    options: Tensor  # (texts, width, options)
    lengths: Tensor
    most: Tensor
    labels: Tensor

    @classmethod
    def of(cls, rows: Sequence[Changeable]) -> "Changes":
        """Fill up short texts with padding, and short columns with the id itself."""
        width = max(len(row.ids) for row in rows)
        widest = 1 + max(len(other) for row in rows for other in row.others)
        options = torch.full((len(rows), width, widest), PAD)
        for at, row in enumerate(rows):
            for place, (number, others) in enumerate(zip(row.ids, row.others, strict=True)):
                options[at, place] = number
                options[at, place, 1 : 1 + len(others)] = torch.tensor(others, dtype=torch.long)
        lengths, most, labels = (
            torch.tensor([value(row) for row in rows])
            for value in (lambda r: len(r.ids), lambda r: r.most, lambda r: r.label)
        )
        return cls(options, lengths, most, labels)


def worst_scores(network: CnnClassifier, texts: Changes) -> Tensor:
    """Class scores that are at least as bad as any that the changes lead to.

    The true label has 0, and each rival what it is above it at worst.
    """
    own = network.output.weight[texts.labels]
    weights = own[:, None] - network.output.weight  # (texts, labels, filters)
    margins = network.output.bias[texts.labels][:, None] - network.output.bias
    losses = torch.zeros(*texts.options.shape[:2], weights.shape[1])  # of each word, to each label
    first = 0
    for heights, rises, falls in _filters(network, texts):
        part = weights[:, :, first : first + heights.shape[1]]
        margins = margins + torch.einsum("tf,tlf->tl", heights, part)
        losses = losses + torch.einsum("twf,tlf->twl", falls, relu(part))
        losses = losses + torch.einsum("twf,tlf->twl", rises, relu(-part))
        first += heights.shape[1]
    ranked = losses.sort(dim=1, descending=True).values
    counted = torch.arange(ranked.shape[1])[None, :, None] < texts.most[:, None, None]
    worst: Tensor = (ranked * counted).sum(dim=1) - margins
    return worst.scatter(1, texts.labels[:, None], 0.0)


def _filters(network: CnnClassifier, texts: Changes) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """For each width: the filters, and how much each word may lift and lower each of them."""
    columns, column = torch.unique(texts.options.flatten(0, 1), dim=0, return_inverse=True)
    known, options = torch.unique(columns, return_inverse=True)
    vectors = network.embedding(known) * (known != PAD)[:, None]
    column = column.view(texts.options.shape[:2])
    for convolution in network.convolutions:
        weight, bias = convolution.get_parameter("weight"), convolution.get_parameter("bias")
        table = torch.einsum("ud,fdp->upf", vectors, weight)[options]  # (columns, options, p, f)
        up, down = table.amax(dim=1) - table[:, 0], table[:, 0] - table.amin(dim=1)
        yield _width(table[:, 0], up, down, column, bias, texts)


def _width(
    table: Tensor, up: Tensor, down: Tensor, column: Tensor, bias: Tensor, texts: Changes
) -> tuple[Tensor, Tensor, Tensor]:
    """The filters of one width; tables have a row for each column of options."""
    width, length = table.shape[1], column.shape[1]
    count = length + width - 1
    windows = torch.zeros(len(column), count, table.shape[2]) + bias
    here = table[column]
    for place in range(width):  # a word is in window p at this place where p is its own + rest
        rest = width - 1 - place
        windows[:, rest : rest + length] += here[:, :, place]
    beyond = torch.arange(count) >= (texts.lengths + width - 1)[:, None]
    windows = windows.masked_fill(beyond[:, :, None], -FAR)
    highest, best = windows.max(dim=1)
    heights = relu(highest)
    at = torch.arange(length)[:, None] + torch.arange(width - 1, -1, -1)  # the window of each place
    shared = texts.most.clamp(1, width)[:, None, None, None]
    slack = (heights[:, None] - windows)[:, at] / shared
    rises = relu(up[column] - slack).amax(dim=2)
    within = torch.arange(length)[:, None] + width - 1 - best[:, None]  # the best window
    inside = (within >= 0) & (within < width)
    taken = down[column].gather(2, within.clamp(0, width - 1)[:, :, None])[:, :, 0]
    falls = torch.where(inside, torch.minimum(taken, heights[:, None]), 0.0)
    return heights, rises, falls
