"""Branch and bound: whole families of sentences are left out when a bound says that none flips.

A node is a sentence with some choices made, and the choices that may still be made in other words,
up to a number of words. If no such choices can lower the margin of the true label to 0, the node is
done. Else it is parted: by the word that can hurt most, then the next one, and by what it becomes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.floating[Any]]
Numbers: TypeAlias = NDArray[np.intp]


class Margins(Protocol):
    """How far the true label is above a rival: in a sentence, and at worst after more changes."""

    @property
    def words(self) -> Numbers:
        """The word of each choice, ascending; the choices of all words are numbered through."""
        ...

    @property
    def tolerance(self) -> float:
        """What rounding may do to a margin: one closer to 0 may be another one for the victim."""
        ...

    def bound(self, made: tuple[int, ...], kept: Numbers, words: int) -> tuple[float, Floats]:
        """The margin after choices are made, and a gain for each choice that is kept.

        If at most ``words`` more of the kept choices are made, in different words, then the margin
        falls by no more than the sum of their gains.
        """
        ...

    def after(self, made: tuple[int, ...], kept: Numbers) -> Floats:
        """The margin after choices and one more, for each that is kept."""
        ...


@dataclass(frozen=True, eq=False)
class Node:
    """Sentences that have these choices made and at most so many words more changed."""

    made: tuple[int, ...]
    kept: Numbers  # the choices that may be made, ascending
    words: int


@dataclass(frozen=True, eq=False)
class Looked:
    """What came of a node."""

    node: Node
    margin: float | None  # of its own sentence; where one word is left it is known already
    bound: float  # the least margin that any of its sentences may have
    low: Numbers  # the last choices that bring it near the limit or below, the lowest margin first
    margins: Floats  # after each of them


def explore(
    margins: Margins, root: Node, limit: Callable[[], float] = lambda: 0.0
) -> Iterator[Looked]:
    """Find what brings the margin down to a limit, until it is certain that nothing else does.

    Sentences with fewer changes than the root allows are known to the caller.
    """
    nodes = [root]
    while nodes:
        node = nodes.pop()
        near = limit() + margins.tolerance
        if node.words == 1:
            yield _last_changes(margins, node, near)
            continue
        margin, gains = margins.bound(node.made, node.kept, node.words)
        family = Family.of(margins.words[node.kept], gains)
        bound = margin - family.most(0, node.words)
        if bound <= near:
            nodes += family.parts(node, margin - near)
        yield Looked(node, margin, bound, node.kept[:0], gains[:0])


def _last_changes(margins: Margins, node: Node, near: float) -> Looked:
    after = margins.after(node.made, node.kept)
    order = np.argsort(after, kind="stable")
    order = order[: np.searchsorted(after[order], near, side="right")]
    least = float(after.min(initial=np.inf))
    return Looked(node, None, least, node.kept[order], after[order])


@dataclass(frozen=True, eq=False)
class Family:
    """The kept choices of a node by what they may take from the margin, the worst word first."""

    gains: Floats
    ranks: Numbers  # of each choice's word
    columns: tuple[Numbers, ...]  # the choices of each word, by rank
    sums: Floats  # what the words up to each rank may take together

    @classmethod
    def of(cls, words: Numbers, gains: Floats) -> "Family":
        """From the word and the gain of each choice."""
        starts = np.flatnonzero(np.diff(words, prepend=-1))
        highest = np.maximum.reduceat(gains, starts) if len(gains) else gains
        order = np.argsort(-highest, kind="stable")
        ranks = np.empty(len(order), dtype=np.intp)
        ranks[order] = np.arange(len(order))
        columns = np.split(np.arange(len(gains)), starts[1:])
        return cls(
            gains,
            np.repeat(ranks, np.diff(starts, append=len(gains))),
            tuple(columns[word] for word in order),
            np.concatenate([[0.0], np.cumsum(highest[order], dtype=np.float64)]),
        )

    def most(self, rank: int, words: int) -> float:
        """What so many words may take, all of this rank or a later one."""
        last = len(self.sums) - 1
        return float(self.sums[min(rank + words, last)] - self.sums[min(rank, last)])

    def parts(self, node: Node, needed: float) -> list[Node]:
        """The parts of a node that its bound does not settle; the most promising one is last.

        A part changes one word, and leaves those of a lower rank as they are.
        """
        found: list[tuple[float, Node]] = []
        for rank, column in enumerate(self.columns):
            if self.most(rank, node.words) < needed:
                break  # nor do those that start later, which may take less
            rest = self.most(rank + 1, node.words - 1)
            others = self.gains + self.most(rank + 1, node.words - 2)
            for choice in column[self.gains[column] + rest >= needed]:
                kept = (self.ranks > rank) & (others + self.gains[choice] >= needed)
                made = (*node.made, int(node.kept[choice]))
                part = Node(made, node.kept[kept], node.words - 1)
                found.append((float(self.gains[choice]) + rest, part))
        found.sort(key=lambda pair: pair[0])
        return [part for _, part in found]
