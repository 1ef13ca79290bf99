"""Every sentence by its number of changed words: a proof for any victim, if there are few."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, islice, product
from typing import ClassVar, Final

from core.objective import Candidate, Candidates
from core.prove.claim import Claim, Look
from core.space import Moves, State

BATCH: Final = 512  # sentences that the victim is asked about at once


@dataclass(frozen=True)
class Enumeration:
    """Asks the victim about every sentence there is, the fewest changed words first."""

    claim: Claim
    title: ClassVar[str] = "every sentence asked"
    maximises: ClassVar[bool] = True

    @classmethod
    def of(cls, claim: Claim) -> "Enumeration":
        """It suits every claim."""
        return cls(claim)

    def looks(self, words: int) -> Iterator[Look]:
        """Ask about all sentences in which so many words are changed."""
        for answers in self._answers(words):
            found = answers.first_success()
            yield Look(len(answers), flips=found.state if found else None)

    def best(self, words: int, known: Callable[[], float]) -> Iterator[Candidate | None]:
        """The best of each batch."""
        for answers in self._answers(words):
            yield answers.best()

    def _answers(self, words: int) -> Iterator[Candidates]:
        every, width = self._states(words), len(self.claim.space.choices)
        while states := list(islice(every, BATCH)):
            yield self.claim.goal(Moves.of(states, width))

    def _states(self, words: int) -> Iterator[State]:
        counts = self.claim.space.counts.tolist()
        free = [place for place, count in enumerate(counts) if count]
        for places in combinations(free, words):
            for choices in product(*(range(1, counts[place] + 1) for place in places)):
                state = [0] * len(counts)
                for place, choice in zip(places, choices, strict=True):
                    state[place] = choice
                yield tuple(state)
