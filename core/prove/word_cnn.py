"""A prover for CNNs over words: branch and bound over the choices that keep the ids in place."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from math import log
from typing import ClassVar, Final

import numpy as np

from core.objective import Candidate
from core.prove.branching import Looked, Node, explore
from core.prove.claim import Claim, Look
from core.prove.convolution import CnnMargins, Filters, margins
from core.space import Moves, State
from core.victims.networks.single import CnnClassifier
from core.victims.neural import NeuralVictim
from core.victims.words import UNKNOWN

TINY: Final = 1e-300  # a score that is 0 or 1 has no logarithm of its odds


@dataclass(frozen=True)
class Rest:
    """A sentence in which the choices that move other words are made, and those that do not."""

    state: State
    words: int  # that are changed
    ids: tuple[int, ...]
    columns: Mapping[int, tuple[int, ...]]  # of ids, by the place of their word
    choices: tuple[tuple[int, int], ...]  # what each of them is in the space: word and choice

    def after(self, made: Sequence[int]) -> State:
        """The state after choices, by their numbers."""
        state = list(self.state)
        for number in made:
            word, choice = self.choices[number]
            state[word] = choice
        return tuple(state)


@dataclass(frozen=True, eq=False)
class WordCnn:
    """Bounds what the choices can do to each filter; a word of one id may become another such.

    Choices of several ids or none move the words behind them. There are few: each way to make some
    of them is a sentence of its own to start from.
    """

    claim: Claim
    victim: NeuralVictim
    filters: Filters
    label: int
    title: ClassVar[str] = "branch and bound over the filters of a CNN"
    _known: dict[tuple[State, int], CnnMargins] = field(default_factory=dict)

    @classmethod
    def of(cls, claim: Claim) -> "WordCnn | None":
        """For a claim that no change leads away from a label of a CNN over words."""
        victim = claim.victim
        if claim.label is None or not isinstance(victim, NeuralVictim):
            return None
        network = victim.forward.network
        if not isinstance(network, CnnClassifier) or victim.bind(claim.space).by_text:
            return None
        return cls(claim, victim, Filters.of(network), claim.label)

    @property
    def rivals(self) -> list[int]:
        """The other labels."""
        return [rival for rival in range(len(self.victim.labels)) if rival != self.label]

    def looks(self, words: int) -> Iterator[Look]:
        """Look for a sentence with so many changed words that another label gets."""
        for rest in self.rests(words):
            for rival in self.rivals:
                found = self.margins(rest, rival)
                if rest.words == words:
                    yield self._own(rest, found)
                    continue
                root = Node((), np.arange(len(rest.choices)), words - rest.words)
                for looked in explore(found, root):
                    yield self._look(rest, looked)

    @property
    def maximises(self) -> bool:
        """With two labels the score falls as the margin over the only rival grows."""
        return len(self.rivals) == 1

    def best(self, words: int, known: Callable[[], float]) -> Iterator[Candidate | None]:
        """Sentences with so many changed words whose margin is as low as that of a known score."""
        for rest in self.rests(words):
            found = self.margins(rest, self.rivals[0])
            if rest.words == words:
                yield self.claim.goal([rest.state])[0]
                continue

            def limit(tolerance: float = found.tolerance) -> float:
                score = min(max(known(), TINY), 1 - TINY)
                return self.victim.temperature * log((1 - score) / score) + tolerance

            root = Node((), np.arange(len(rest.choices)), words - rest.words)
            for looked in explore(found, root, limit):
                least = looked.margins.min(initial=np.inf) + 2 * found.tolerance
                lowest = looked.low[looked.margins <= least].tolist()
                states = [rest.after((*looked.node.made, choice)) for choice in lowest]
                yield self.claim.goal(Moves.of(states, len(rest.state))).best() if states else None

    def _own(self, rest: Rest, found: CnnMargins) -> Look:
        """Look at the one sentence in which no more words change."""
        margin, _ = found.bound((), np.zeros(0, dtype=np.intp), 0)
        states = [rest.state] if margin <= found.tolerance else []
        return Look(1, rest.state, None, margin, margin, 0, self._asked(states))

    def _look(self, rest: Rest, looked: Looked) -> Look:
        made, words = looked.node.made, looked.node.words
        states = [rest.after((*made, choice)) for choice in looked.low.tolist()]
        before = rest.after(made[:-1]) if made else None
        flips = self._asked(states)
        return Look(1, rest.after(made), before, looked.margin, looked.bound, words, flips)

    def _asked(self, states: Sequence[State]) -> State | None:
        """The first of some states that the victim itself gives another label."""
        if not states:
            return None
        found = self.claim.goal(Moves.of(states, len(states[0]))).first_success()
        return found.state if found else None

    def rests(self, words: int) -> Iterator[Rest]:
        """Every way to make up to so many choices that move other words."""
        reader = self.victim.reader
        moving: dict[int, list[int]] = {}
        for word, column in enumerate(self.claim.space.choices):
            single = len(reader.word_ids(column[0])) == 1
            moves = [
                choice
                for choice in range(1, len(column))
                if not single or len(reader.word_ids(column[choice])) != 1
            ]
            if moves:
                moving[word] = moves
        for count in range(min(words, len(moving)) + 1):
            for places in combinations(moving, count):
                for choices in product(*(moving[place] for place in places)):
                    yield self._rest(dict(zip(places, choices, strict=True)))

    def _rest(self, made: Mapping[int, int]) -> Rest:
        """The sentence after choices, with its ids, and what may be changed without moving them."""
        space, reader = self.claim.space, self.victim.reader
        ids = list(reader.gap_ids(space.gaps[0]))
        columns: dict[int, tuple[int, ...]] = {}
        choices: list[tuple[int, int]] = []
        for word, (column, gap) in enumerate(zip(space.choices, space.gaps[1:], strict=True)):
            own = reader.word_ids(column[made.get(word, 0)])
            if word not in made and len(own) == 1:
                known = [(at, reader.word_ids(text)) for at, text in enumerate(column)][1:]
                single = [(at, found[0]) for at, found in known if len(found) == 1]
                if single:
                    columns[len(ids)] = tuple(number for _, number in single)
                    choices += [(word, at) for at, _ in single]
            ids += [*own, *reader.gap_ids(gap)]
        state = tuple(made.get(word, 0) for word in range(len(space.choices)))
        return Rest(state, len(made), tuple(ids) or (UNKNOWN,), columns, tuple(choices))

    def margins(self, rest: Rest, rival: int) -> CnnMargins:
        """How far the label is above a rival, kept for the next number of words."""
        key = rest.state, rival
        if key not in self._known:
            network = self.victim.forward.network
            assert isinstance(network, CnnClassifier)
            self._known[key] = margins(
                network, self.filters, rest.ids, rest.columns, self.label, rival, self.claim.most
            )
        return self._known[key]
