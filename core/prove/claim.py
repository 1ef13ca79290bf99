"""What is to be proved, and what a proof says."""

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Final, Literal, TypeAlias

from core.errors import require
from core.goals import label_index, untargeted
from core.objective import Goal
from core.sharing import Shared
from core.space import SearchSpace, State
from core.spec import AttackSpec
from core.tasks import task_of
from core.victims.protocol import Victim

Verdict: TypeAlias = Literal["flip", "proved", "open"]
SECONDS: Final = 10.0  # that a proof may take unless somebody says otherwise


@dataclass(frozen=True)
class Claim:
    """That no sentence of a space with at most ``most`` changed words reaches a goal."""

    space: SearchSpace
    goal: Goal
    most: int
    victim: Victim | None = None  # if it is known, a prover may look inside it
    label: int | None = None  # that the goal leads away from; None: it is another kind of goal

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """How many sentences change 0, 1, 2 ... words, exactly."""
        return counts_of(self.space, self.most)

    @property
    def sentences(self) -> int:
        """How many sentences it speaks of, the original too."""
        return sum(self.counts)


def counts_of(space: SearchSpace, most: int) -> tuple[int, ...]:
    """How many sentences of a space change 0, 1, 2 ... words, up to a number of words."""
    counts = [1] + [0] * most
    for choices in space.counts.tolist():
        for words in range(most, 0, -1):
            counts[words] += counts[words - 1] * choices
    return tuple(counts)


@dataclass(frozen=True)
class Effort:
    """How long a proof may take, and who may stop it."""

    seconds: float = SECONDS
    nodes: int | None = None
    cancelled: Callable[[], bool] = field(default=lambda: False, compare=False)

    def __post_init__(self) -> None:
        require(self.seconds > 0, f"A proof cannot take {self.seconds} seconds; give it more.")
        require(self.nodes is None or self.nodes >= 1, "A proof needs at least 1 node.")

    def over(self, seconds: float, nodes: int) -> bool:
        """Whether a proof that has taken so much must end."""
        return (
            seconds >= self.seconds
            or (self.nodes is not None and nodes >= self.nodes)
            or self.cancelled()
        )


@dataclass(frozen=True)
class Look:
    """A sentence that a prover has looked at, and what follows for all that begin like it.

    ``bound`` is the least margin of those sentences: above 0 none of them flips. A prover that asks
    about many sentences at once says their number, and has no bound.
    """

    sentences: int = 1
    state: State | None = None  # the sentence
    before: State | None = None  # the sentence whose look led to this one
    margin: float | None = None
    bound: float | None = None
    words: int = 0  # that may still change
    flips: State | None = None  # a sentence of which the victim said that it reaches the goal


@dataclass(frozen=True)
class ProofStep:
    """How far a proof is after one look more."""

    look: Look
    words: int  # changed words that are looked at now
    safe: int  # with so many, or fewer, none flips
    nodes: int  # sentences looked at


@dataclass(frozen=True)
class Proof:
    """What is known for certain about a claim."""

    verdict: Verdict
    sentences: int  # that the claim speaks of
    safe: int  # with at most so many changed words none reaches the goal; -1 if nothing is known
    nodes: int  # sentences that were looked at
    seconds: float
    prover: str  # how it was proved
    state: State | None = None  # the sentence that reaches the goal, with the fewest words found

    @property
    def changed(self) -> int | None:
        """How many words the sentence changes that reaches the goal."""
        return None if self.state is None else sum(choice > 0 for choice in self.state)

    @property
    def minimal(self) -> bool:
        """Whether no sentence with fewer changed words reaches the goal, for certain."""
        return self.changed is not None and self.safe >= self.changed - 1

    @property
    def sentence(self) -> str:
        """The verdict in a line."""
        looked = f"{self.nodes:,} of {count_text(self.sentences)} sentences looked at"
        if self.verdict == "proved":
            return f"proved: none of {count_text(self.sentences)} sentences reaches it; {looked}"
        if self.verdict == "open":
            safe = (
                f"none with at most {words_text(self.safe)} does" if self.safe > 0 else "no answer"
            )
            return f"open: {safe}; {looked}"
        fewer = "fewer never do" if self.minimal else f"{words_text(self.safe)} never do"
        return f"flip: {words_text(self.changed or 0)} changed; {fewer}; {looked}"


def words_text(count: int) -> str:
    """A number of words, in words."""
    return f"{count} word{'s' * (count != 1)}"


def count_text(count: int) -> str:
    """A number that may be too long to read."""
    return f"{count:,}" if count < 10**12 else f"about {Decimal(count):.1e}"


def claim_about(
    victim: Victim, space: SearchSpace, label: str | int, max_changed: float = 0.25
) -> Claim:
    """The claim that no allowed change of a sentence leads a victim away from a label."""
    goal = untargeted(victim, space, label)
    whole = victim.victim if isinstance(victim, Shared) else victim
    most = _most(space, max_changed)
    return Claim(space, goal, most, whole, label_index(victim, label))


def claim_of(spec: AttackSpec, victim: Victim, space: SearchSpace) -> Claim:
    """The claim that no search can do what an attack is to do; ``victim`` knows the context."""
    if spec.goal == "untargeted" and task_of(victim).choices:
        return claim_about(victim, space, spec.reference[0], spec.max_changed)
    return Claim(space, spec.goal_on(victim, space), _most(space, spec.max_changed))


def _most(space: SearchSpace, max_changed: float) -> int:
    """How many words may change where a share of them may."""
    fine = 0 <= max_changed <= 1
    require(fine, f"max_changed is {max_changed}; it must lie between 0 and 1.")
    return space.allowed(max_changed)
