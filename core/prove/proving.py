"""From claims to proofs: one number of changed words after the other, within an effort."""

from collections.abc import Callable, Generator, Iterator
from random import Random
from time import perf_counter
from typing import Final, Protocol

from core.errors import require
from core.generators import follow
from core.objective import Interrupted, Objective
from core.prove.claim import Claim, Effort, Look, Proof, ProofStep, Verdict
from core.prove.enumeration import Enumeration
from core.search.local import LocalSearch
from core.space import State

SEARCH_AT: Final = 3  # changed words: before all with so many are looked at, a search tries
QUERIES: Final = 5_000  # that it may ask
USUAL: Final = Effort()


class Prover(Protocol):
    """Looks for sentences that reach the goal, by their number of changed words."""

    @property
    def title(self) -> str:
        """How it proves, in a few words."""
        ...

    def looks(self, words: int) -> Iterator[Look]:
        """Look at what changes so many words; at the end it is certain that none is left.

        Those with fewer words have been looked at before.
        """
        ...


def provers() -> tuple[Callable[[Claim], Prover | None], ...]:
    """What makes a prover of a claim that suits it: a new one is a file and a name here."""
    from core.prove.word_cnn import WordCnn  # with torch, which not every victim needs

    return (WordCnn.of, Enumeration.of)


def prover_of(claim: Claim) -> Prover:
    """The first prover that a claim suits; the last one takes every claim."""
    found = (make(claim) for make in provers())
    return next(prover for prover in found if prover)


def prove(claim: Claim, effort: Effort = USUAL, known: State | None = None) -> Proof:
    """Prove a claim, or find the fewest words that reach the goal, as far as the effort goes.

    ``known`` is a state that reaches the goal; then only fewer words are looked at.
    """
    return follow(proving(claim, effort, known), lambda step: None)


def proving(
    claim: Claim, effort: Effort = USUAL, known: State | None = None
) -> Generator[ProofStep, None, Proof]:
    """The same, with a step for each look."""
    began, prover = perf_counter(), prover_of(claim)
    flip, safe, nodes = checked(claim, known), -1, 0

    def proof() -> Proof:
        verdict: Verdict = "flip" if flip else "proved" if safe == claim.most else "open"
        spent = perf_counter() - began
        return Proof(verdict, claim.sentences, safe, nodes, spent, prover.title, flip)

    def over() -> bool:
        return effort.over(perf_counter() - began, nodes)

    for words in range(claim.most + 1):
        if words == SEARCH_AT and flip is None:
            flip, asked = searched(claim, over)
            nodes += asked
        if flip is not None and words >= changed(flip):
            break
        for look in prover.looks(words):
            nodes += look.sentences
            yield ProofStep(look, words, safe, nodes)
            if look.flips is not None:
                flip = look.flips
                return proof()
            if over():
                return proof()
        safe = words
    return proof()


def changed(state: State) -> int:
    """How many words a state changes."""
    return sum(choice > 0 for choice in state)


def checked(claim: Claim, known: State | None) -> State | None:
    """A state that is said to reach the goal, if it does."""
    if known is None:
        return None
    require(changed(known) <= claim.most, "The sentence changes more words than the claim allows.")
    require(bool(claim.goal([known]).successes[0]), "The sentence does not reach the goal.")
    return known


def searched(claim: Claim, cancelled: Callable[[], bool]) -> tuple[State | None, int]:
    """What local search finds within the limit, and how many sentences it has asked about."""
    objective = Objective(claim.space, claim.goal, QUERIES, cancelled, most=claim.most)
    found = None
    try:
        for step in LocalSearch()(claim.space, objective, Random(0)):
            found = step.current if step.current.success else None
    except Interrupted:
        pass
    return (found.state if found else None), objective.queries
