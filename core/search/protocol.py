"""What every search is, and what it says about its steps unless it has words of its own."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import ClassVar, Protocol

from core.errors import InputError
from core.narrate import Moment, certificates, sentences
from core.objective import Objective, Status, Step
from core.search.card import Card, PseudocodeLine
from core.space import SearchSpace


class Search(Protocol):
    """A frozen dataclass of hyper-parameters; calling it yields one step per move.

    The first step is ``start``, with the original scored; ``current`` of the last step is the
    search's answer, and it ends by its own rule. Budget and cancel reach it as an exception it need
    not know of. A step carries the ``phase`` in which it was made: by it the card knows the lines
    of pseudocode that ran, and ``describe`` what to say.
    """

    card: ClassVar[Card] = Card()
    renamed_settings: ClassVar[Mapping[str, str]] = {}  # from the old name to the new one
    retired_settings: ClassVar[Mapping[str, str]] = {}  # why a setting is ignored now

    def __call__(
        self, space: SearchSpace, objective: Objective, rng: Random
    ) -> Iterator[Step]:  # pragma: no cover
        ...

    @property
    def pseudocode(self) -> tuple[PseudocodeLine, ...]:
        """What runs with these settings."""
        return self.card.pseudocode

    @classmethod
    def describe(cls, moment: Moment) -> str:
        """What a step did, in a sentence."""
        return sentences.of(moment)

    @classmethod
    def certify(cls, space: SearchSpace, steps: Sequence[Step], status: Status) -> str:
        """What the whole trace proves about the answer."""
        return certificates.proved(space, steps)

    @classmethod
    def remark(cls, space: SearchSpace, steps: Sequence[Step], status: Status) -> str:
        """What else there is to say at the end."""
        return ""

    @classmethod
    def maker(cls, step: Step) -> "tuple[type[Search], Step]":
        """The search that made a step, itself or a part of it, and the step as that one gave it."""
        return cls, step


class UnknownSearch(Search):
    """A search that is known by its steps alone."""

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        raise InputError("This search is not known here, so it cannot run.")


def card_of(search: object) -> Card:
    """The card of a search; a blank one for what was never given one."""
    card = getattr(search, "card", None)
    return card if isinstance(card, Card) else UnknownSearch.card
