"""The highest score within the limit: what no search can do better than."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol, runtime_checkable

from core.objective import Candidate
from core.prove.claim import Claim, Effort
from core.prove.enumeration import Enumeration
from core.prove.proving import USUAL, prover_of


@runtime_checkable
class Maximiser(Protocol):
    """A prover that can also look for high scores."""

    @property
    def maximises(self) -> bool:
        """Whether it can for its claim."""
        ...

    def best(self, words: int, known: Callable[[], float]) -> Iterator[Candidate | None]:
        """Sentences with so many changed words that may score more than what is known.

        At the end it is certain that no other one does; one answer for each look.
        """
        ...


@dataclass(frozen=True)
class Optimum:
    """The best sentence that was found, and whether it is certain that none is better."""

    best: Candidate
    certain: bool


def optimum(claim: Claim, effort: Effort = USUAL) -> Optimum:
    """The highest score of all sentences that a claim speaks of, as far as the effort goes."""
    began, looks = perf_counter(), 0
    prover = prover_of(claim)
    able = isinstance(prover, Maximiser) and prover.maximises
    maximiser = prover if isinstance(prover, Maximiser) and able else Enumeration(claim)
    best = claim.goal([claim.space.origin])[0]

    def known() -> float:
        return best.score

    for words in range(1, claim.most + 1):
        for found in maximiser.best(words, known):
            looks += 1
            if found is not None and found.score > best.score:
                best = found
            if effort.over(perf_counter() - began, looks):
                return Optimum(best, False)
    return Optimum(best, True)
