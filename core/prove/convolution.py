"""The bound for a CNN over words: how much each choice can lower a margin, at most.

The margin of the true label over a rival is c + sum_f v_f h_f, where h_f, the filter's maximum over
its windows, is at least 0. Made choices may hurt in two ways.

- A filter with v_f < 0 hurts by rising. In a window p it has to make up the slack h_f - pre_fp
  before it does. The slack is shared among the words of the window by their largest possible rises
  M, so that any changed words together carry at most all of it: a choice that adds d to the window
  counts for max(0, d - M slack / T), T being the sum of the largest M of as many words as may still
  change. Where T is below the slack, nothing in this window counts.
- A filter with v_f > 0 hurts by falling, by at most h_f and by at most what the choice takes from
  its best window.

Both are summed over all filters for one choice, not for the worst choice of each filter: that keeps
a network that was trained in the usual way from looking breakable everywhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from core.prove.branching import Floats, Numbers
from core.victims.networks.single import CnnClassifier

UNIT: Final = 2.0**-24  # the largest relative error of one rounding in 32 bits
SINGLE: Final = np.float32


@dataclass(frozen=True, eq=False)
class Filters:
    """The filters of a network as if all had the widest window, and what labels make of them.

    A narrow filter stands in the last places of its window; windows that it would have only because
    of the others are never its best.
    """

    weights: Floats  # (widest, filters, dimensions)
    biases: Floats
    widths: NDArray[np.int64]
    outputs: Floats  # (labels, filters)
    offsets: Floats  # of the labels

    @classmethod
    def of(cls, network: CnnClassifier) -> "Filters":
        """The filters of a trained network."""
        widest = max(network.WIDTHS)
        weights, biases, widths = [], [], []
        for convolution in network.convolutions:
            weight = convolution.get_parameter("weight").double().numpy()  # (filters, size, width)
            short = widest - weight.shape[2]
            weights.append(np.pad(weight, ((0, 0), (0, 0), (short, 0))))
            biases.append(convolution.get_parameter("bias").double().numpy())
            widths.append(np.full(len(weight), weight.shape[2]))
        return cls(
            np.concatenate(weights).transpose(2, 0, 1),
            np.concatenate(biases),
            np.concatenate(widths),
            network.output.weight.double().numpy(),
            network.output.bias.double().numpy(),
        )

    @property
    def widest(self) -> int:
        return len(self.weights)


@dataclass(frozen=True, eq=False)
class CnnMargins:
    """The margin of a label over a rival in a sentence of ids, of which some may be replaced.

    Filters that hurt by rising stand before those that hurt by falling.
    """

    table: Floats  # (words, widest, filters): what a word adds to a window in each place of it
    ids: Numbers  # rows of the table, for the sentence with padding on both sides
    places: Numbers  # of the choices' words in the padded sentence
    words: Numbers  # of each choice, ascending
    choices: Numbers  # rows of the table
    biases: Floats
    possible: NDArray[np.bool_]  # (windows, filters): which windows a filter has
    weights: Floats  # of the filters in the margin
    offset: float
    rising: int  # filters
    tolerance: float

    @cached_property
    def adds(self) -> Floats:
        """What each choice adds to a window in each place of it: (choices, widest, filters)."""
        before = self.ids[self.places[self.words]]
        return np.asarray(self.table[self.choices] - self.table[before])

    def sentence(self, made: Sequence[int]) -> Numbers:
        """The ids after choices."""
        ids = self.ids.copy()
        chosen = np.array(made, dtype=np.intp)
        ids[self.places[self.words[chosen]]] = self.choices[chosen]
        return ids

    def windows(self, ids: Numbers) -> Floats:
        """Each filter in each window, before the maximum."""
        widest = self.table.shape[1]
        count = len(ids) - widest + 1
        found = self.table[ids[:count], 0] + self.biases
        for place in range(1, widest):
            found += self.table[ids[place : place + count], place]
        found[~self.possible] = -np.inf
        return np.asarray(found)

    def bound(self, made: tuple[int, ...], kept: Numbers, words: int) -> tuple[float, Floats]:
        """The margin after choices, and what each kept choice may take from it at most."""
        windows = self.windows(self.sentence(made))
        heights = np.maximum(windows.max(axis=0), 0)
        margin = float(heights @ self.weights) + self.offset
        if not len(kept):
            return margin, np.zeros(0, dtype=SINGLE)
        own, number = np.unique(self.words[kept], return_inverse=True)
        starts = np.flatnonzero(np.diff(number, prepend=-1))
        adds, edge = self.adds[kept], self.rising
        up = self._rises(
            adds[:, :, :edge], windows[:, :edge], heights[:edge], own, number, starts, words
        )
        down = self._falls(adds[:, :, edge:], windows[:, edge:], heights[edge:], own, number)
        return margin, down @ self.weights[edge:] - up @ self.weights[:edge]

    def _rises(
        self,
        adds: Floats,
        windows: Floats,
        heights: Floats,
        own: Numbers,
        number: Numbers,
        starts: Numbers,
        words: int,
    ) -> Floats:
        """How much each choice may lift each filter."""
        widest = adds.shape[1]
        largest = np.maximum(np.maximum.reduceat(adds, starts, axis=0), 0)  # (words, widest, f)
        at = self.places[own][:, None] - np.arange(widest)  # the window of each place of a word
        top = largest_sums(largest, at, len(windows), words)
        slack = heights - windows
        share = np.ones_like(slack)
        np.divide(slack, top, out=share, where=slack < top)
        carried = share[at] * largest
        return np.asarray(np.maximum((adds - carried[number]).max(axis=1), 0))

    def _falls(
        self, adds: Floats, windows: Floats, heights: Floats, own: Numbers, number: Numbers
    ) -> Floats:
        """How much each choice may lower each filter."""
        widest = adds.shape[1]
        best = windows.argmax(axis=0)
        place = self.places[own][:, None] - best  # of the word in the filter's best window
        inside = (place >= 0) & (place < widest)
        taken = np.take_along_axis(adds, np.where(inside, place, 0)[number][:, None], axis=1)[:, 0]
        return np.where(inside[number], np.clip(-taken, 0, heights), 0)

    def after(self, made: tuple[int, ...], kept: Numbers) -> Floats:
        """The margin after choices and one more, for each that is kept."""
        windows = self.windows(self.sentence(made))
        adds, widest = self.adds[kept], self.table.shape[1]
        at = self.places[self.words[kept]][:, None] - np.arange(widest)
        changed = (windows[at] + adds).max(axis=1)
        heights = np.maximum(np.maximum(changed, self._untouched(windows)[at[:, -1]]), 0)
        return np.asarray(heights @ self.weights + SINGLE(self.offset))

    def _untouched(self, windows: Floats) -> Floats:
        """The maximum of all windows but as many as a word is in, the first of them given."""
        widest = self.table.shape[1]
        none = np.full((1, windows.shape[1]), -np.inf, dtype=windows.dtype)
        before = np.concatenate([none, np.maximum.accumulate(windows)])
        behind = np.concatenate([np.maximum.accumulate(windows[::-1])[::-1], none])
        return np.asarray(np.maximum(before[: len(windows) - widest + 1], behind[widest:]))


def largest_sums(values: Floats, at: Numbers, windows: int, words: int) -> Floats:
    """In each window the sum of the largest values of so many words; a word has one in a window."""
    widest = values.shape[1]
    tops = [
        np.zeros((windows, values.shape[2]), dtype=values.dtype) for _ in range(min(words, widest))
    ]
    for place in range(widest):
        here = np.zeros_like(tops[0])
        here[at[:, place]] = values[:, place]
        for rank, top in enumerate(tops):
            tops[rank], here = np.maximum(top, here), np.minimum(top, here)
    return np.asarray(sum(tops))


def margins(
    network: CnnClassifier,
    filters: Filters,
    ids: Sequence[int],
    columns: Mapping[int, Sequence[int]],
    label: int,
    rival: int,
    most: int,
) -> CnnMargins:
    """The margin of a label in a sentence of ids, each word of ``columns`` by its place there."""
    used = np.unique([*ids, *(choice for column in columns.values() for choice in column)])
    with torch.inference_mode():
        vectors = network.embedding(torch.from_numpy(used)).numpy()
    weights = filters.outputs[label] - filters.outputs[rival]
    order = np.argsort(weights >= 0, kind="stable")
    vectors = np.concatenate([vectors, np.zeros_like(vectors[:1])])  # padding
    parts = filters.weights[:, order].astype(SINGLE).reshape(-1, vectors.shape[1])
    table = (vectors @ parts.T).reshape(len(vectors), filters.widest, -1)
    row = {number: at for at, number in enumerate(used.tolist())}
    edge = filters.widest - 1
    padded = np.full(len(ids) + 2 * edge, len(used), dtype=np.intp)
    padded[edge : edge + len(ids)] = [row[number] for number in ids]
    # A window whose last place is the first word is there for all; one beyond is not.
    last = np.arange(len(ids) + edge)[:, None]
    offset = float(filters.offsets[label] - filters.offsets[rival])
    return CnnMargins(
        table,
        padded,
        np.array([place + edge for place in columns], dtype=np.intp),
        np.repeat(np.arange(len(columns)), [len(column) for column in columns.values()]),
        np.array([row[c] for column in columns.values() for c in column], dtype=np.intp),
        filters.biases[order].astype(SINGLE),
        last < len(ids) + filters.widths[order] - 1,
        weights[order].astype(SINGLE),
        offset,
        int((weights < 0).sum()),
        rounding(filters, float(np.linalg.norm(vectors, axis=1).max()), label, rival, most),
    )


def rounding(filters: Filters, longest: float, label: int, rival: int, most: int) -> float:
    """How far a margin may be off, of the victim's and ours together, whatever is summed first.

    A sum of n products in floating point is off by at most n units of the sum of their sizes, to
    first order; twice that covers the higher ones. Lengths of vectors limit that sum.
    """
    lengths = np.linalg.norm(filters.weights, axis=2).sum(axis=0) * longest
    outputs = np.abs(filters.outputs[label]) + np.abs(filters.outputs[rival])
    offsets = np.abs(filters.offsets[label]) + np.abs(filters.offsets[rival])
    sizes = float(outputs @ (lengths + np.abs(filters.biases)) + offsets)
    operations = filters.widest * filters.weights.shape[2] + len(outputs) + 40 * (most + 1)
    return float(2 * operations * UNIT * sizes)
