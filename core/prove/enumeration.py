"""Every sentence by its number of changed words: a proof for any victim, if there are few."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice, product
from typing import ClassVar, Final

import numpy as np

from core.prove.claim import Claim, Look
from core.space import Moves, State

BATCH: Final = 512  # sentences that the victim is asked about at once


@dataclass(frozen=True)
class Enumeration:
    """Asks the victim about every sentence there is, the fewest changed words first."""

    claim: Claim
    title: ClassVar[str] = "every sentence asked"

    @classmethod
    def of(cls, claim: Claim) -> "Enumeration":
        """It suits every claim."""
        return cls(claim)

    def looks(self, words: int) -> Iterator[Look]:
        """All sentences in which so many words are changed."""
        every = self._states(words)
        width = len(self.claim.space.choices)
        while states := list(islice(every, BATCH)):
            answer = self.claim.goal(Moves.of(states, width))
            found = answer.first_success()
            yield Look(len(states), flips=found.state if found else None)

    def _states(self, words: int) -> Iterator[State]:
        counts = self.claim.space.counts.tolist()
        free = [place for place, count in enumerate(counts) if count]
        for places in combinations(free, words):
            for choices in product(*(range(1, counts[place] + 1) for place in places)):
                state = np.zeros(len(counts), dtype=int)
                state[list(places)] = choices
                yield tuple(state.tolist())
