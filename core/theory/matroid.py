"""Partition matroids with any limits d_i, and local search on them as the paper states it.

An attack has every d_i = 1 and runs on a ``SearchSpace``; here sets are sets of names, and a block
may give up to d_i of them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations, product
from math import comb, prod
from typing import Literal, TypeAlias

from core.errors import require
from core.space import Exchange, SearchSpace, State

Chosen: TypeAlias = frozenset[str]
SetFunction: TypeAlias = Callable[[Chosen], float]
SetKind: TypeAlias = Literal["start", "insert", "delete", "exchange", "stop", "complement"]


@dataclass(frozen=True)
class PartitionMatroid:
    """Blocks B_i of named elements; a set is feasible when it takes at most d_i of each block."""

    blocks: tuple[tuple[str, ...], ...]
    limits: tuple[int, ...]  # d_i

    def __post_init__(self) -> None:
        require(bool(self.blocks), "There must be at least one block.")
        require(len(self.limits) == len(self.blocks), "Every block needs its limit.")
        require(len(set(self.elements)) == len(self.elements), "A name may be there only once.")
        for number, (block, limit) in enumerate(zip(self.blocks, self.limits, strict=True), 1):
            require(
                1 <= limit <= len(block),
                f"The limit of block {number} is {limit}; it must lie between 1 and {len(block)}.",
            )

    @property
    def elements(self) -> tuple[str, ...]:
        """V, in order."""
        return tuple(chain.from_iterable(self.blocks))

    @property
    def is_sentence(self) -> bool:
        """Whether each block gives at most one element, as a word takes one substitute."""
        return set(self.limits) == {1}

    @property
    def size(self) -> int:
        """The number of feasible sets."""
        pairs = zip(self.blocks, self.limits, strict=True)
        return prod(sum(comb(len(block), j) for j in range(limit + 1)) for block, limit in pairs)

    def feasible(self, chosen: Chosen) -> bool:
        """Whether |S ∩ B_i| <= d_i for every i."""
        pairs = zip(self.blocks, self.limits, strict=True)
        return all(len(chosen.intersection(block)) <= limit for block, limit in pairs)

    def sets(self) -> Iterator[Chosen]:
        """Every feasible set, the empty one first."""
        parts = [
            list(chain.from_iterable(combinations(block, j) for j in range(limit + 1)))
            for block, limit in zip(self.blocks, self.limits, strict=True)
        ]
        return (frozenset(chain.from_iterable(chosen)) for chosen in product(*parts))

    def insertions(self, chosen: Chosen) -> Iterator[Chosen]:
        """S with one more element."""
        return filter(self.feasible, (chosen | {e} for e in self.elements if e not in chosen))

    def deletions(self, chosen: Chosen) -> Iterator[Chosen]:
        """S with one element less."""
        return (chosen - {e} for e in self.elements if e in chosen)

    def exchanges(self, chosen: Chosen, exchange: Exchange = "any") -> Iterator[Chosen]:
        """S with one element for another, of any block or of the same one."""
        inside = [e for e in self.elements if e in chosen]
        outside = [v for v in self.elements if v not in chosen]
        pairs = ((e, v) for e in inside for v in outside)
        if exchange == "same":
            pairs = ((e, v) for e, v in pairs if any({e, v} <= set(b) for b in self.blocks))
        return filter(self.feasible, (chosen - {e} | {v} for e, v in pairs))

    def complement(self, chosen: Chosen) -> Chosen:
        """V \\ S, feasible or not."""
        return frozenset(self.elements) - chosen

    def space(self) -> SearchSpace:
        """The same as a sentence, word i standing for block i; only where every d_i is 1."""
        require(self.is_sentence, "Only blocks with the limit 1 are words of a sentence.")
        return SearchSpace.from_choices(
            [f"w{number}", *block] for number, block in enumerate(self.blocks, 1)
        )

    def chosen(self, state: State) -> Chosen:
        """The set of a state of that sentence."""
        pairs = zip(self.blocks, state, strict=True)
        return frozenset(block[choice - 1] for block, choice in pairs if choice)

    def name(self, chosen: Chosen) -> str:
        """A set written out, its elements in order."""
        return "{" + ", ".join(e for e in self.elements if e in chosen) + "}"


@dataclass(frozen=True)
class SetStep:
    """One step of local search on sets, with everything it tried."""

    kind: SetKind
    chosen: Chosen
    value: float
    tried: tuple[tuple[SetKind, Chosen, float], ...]


def local_search(
    matroid: PartitionMatroid, f: SetFunction, epsilon: float = 0.0, exchange: Exchange = "any"
) -> Iterator[SetStep]:
    """Algorithm 1: insertions, deletions and exchanges until none improves f by more than ε."""

    def values(kind: SetKind, sets: Iterable[Chosen]) -> list[tuple[SetKind, Chosen, float]]:
        return [(kind, chosen, f(chosen)) for chosen in sets]

    s: Chosen = frozenset()  # line 1
    f_s = f(s)
    yield SetStep("start", s, f_s, (("start", s, f_s),))
    while True:  # line 2
        tried = (
            *values("insert", matroid.insertions(s)),  # lines 4-5
            *values("delete", matroid.deletions(s)),  # lines 7-8
            *values("exchange", matroid.exchanges(s, exchange)),  # lines 10-11
        )
        kind, best, f_best = max(tried, key=lambda move: move[2])
        if not f_best > f_s + epsilon:  # line 13
            break  # line 15
        s, f_s = best, f_best  # line 14
        yield SetStep(kind, s, f_s, tried)
    yield SetStep("stop", s, f_s, tried)
    other = matroid.complement(s)
    if matroid.feasible(other):  # line 17
        f_other = f(other)
        s, f_s = max((s, f_s), (other, f_other), key=lambda pair: pair[1])  # line 18
        yield SetStep("complement", s, f_s, (("complement", other, f_other),))
