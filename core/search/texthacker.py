"""TextHacker (Yu et al., EMNLP 2022 findings): by labels alone, towards fewer changed words."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import ClassVar

import numpy as np

from core.errors import require
from core.narrate import Moment, sentences
from core.narrate.words import count
from core.objective import Candidate, Objective, Step
from core.search.card import Card, pseudocode
from core.search.genetic import crossover
from core.search.labels import first_flip, replaced
from core.search.population import draw
from core.search.protocol import Search
from core.search.ranked import put
from core.space import SearchSpace, State


@dataclass(frozen=True)
class TextHacker(Search):
    """TextHacker (Yu et al., EMNLP 2022 findings).

    Departs from its code:
    - the first substitutes of a column stand for its nearest synonyms;
    - it also ends when ``rounds`` are over or three in a row have asked nothing new, since a short
      text has fewer sentences than its budget;
    - a word's weight counts how often putting it back or exchanging it lost the label, and how
      often it kept it; the code learns weights of substitutes too.
    """

    card: ClassVar[Card] = Card(
        title="TextHacker",
        story="all words replaced, then fewer, by weights learnt from what keeps the label.",
        colour="#5c940d",
        dash="dot",
        sees="labels",
        randomised=True,
        pseudocode=pseudocode(
            """
look at the label of the original                       # start
replace all words at random until the label changes     # init
put words back that the label can do without, the lightest first  # put back
until one word is changed or all questions are used
  a few mutants of the best sentence                    # search
  for each, some steps: put back or exchange a light word  # search
    a word gets lighter if the label stays, else heavier  # search
  cross pairs of them; put words back                   # search
  keep the one with the fewest changed words            # search
return it                                               # stop, end
"""
        ),
    )

    draws: int = 200  # sentences with all words replaced
    synonyms: int = 4  # of a word
    population: int = 4
    local: int = 8  # steps of each member in a round
    questions: int = 2_000  # distinct ones, after which it ends
    rounds: int = 50

    def __post_init__(self) -> None:
        for name in ("draws", "local", "questions", "rounds"):
            require(getattr(self, name) >= 0, f"{name} must not be negative.")
        require(self.synonyms >= 1, "synonyms must be at least 1.")
        require(self.population >= 2, "The population must have at least 2 members.")

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        origin = objective.one(space.origin)
        yield objective.step("start", origin)
        if origin.success or not space.elements:
            return
        best = first_flip(objective, self._starts(space, objective.most, rng))
        yield objective.step("init", best or origin)
        if best is None:
            yield objective.step("stop", origin)
            return
        run = HackerRun(space, objective, rng, self.synonyms, [0] * len(space.choices))
        base, best = best, run.put_back(best)
        yield objective.step("generation", best, phase="put back", base=base)
        idle = 0
        for _ in range(self.rounds):
            if run.words(best) <= 1 or objective.queries >= self.questions or idle == 3:
                break
            asked = objective.queries
            members = [best, *(run.mutant(best) for _ in range(self.population - 1))]
            members = [run.improved(member, self.local) for member in members]
            members += run.crossed(members)
            idle = idle + 1 if objective.queries == asked else 0
            base, best = best, min([best, *members], key=run.words)
            yield objective.step("generation", best, phase="search", base=base)
        yield objective.step("stop", best)

    def _starts(self, space: SearchSpace, most: int | None, rng: Random) -> Iterator[State]:
        able = np.flatnonzero(space.counts).tolist()
        for _ in range(self.draws):
            some = rng.sample(able, len(able))[:most]
            yield replaced(space, some, rng, self.synonyms)

    @classmethod
    def describe(cls, moment: Moment) -> str:
        """Labels and words, never a score."""
        step = moment.step
        words = count(len(moment.space.changed(step.current.state)), "changed word")
        looked = count(len(step.tried), "sentence")
        match step.phase:
            case "start":
                return "The label of the original is looked at; this search never sees a score."
            case "init" if step.current.success:
                return f"{looked} with all words replaced: the last one changes the label."
            case "init" | "stop" if not step.current.success:
                return f"{looked} looked at; none changes the label."
            case "put back":
                return f"Words that the changed label can do without are put back: {words} left."
            case "search":
                return (
                    f"{looked} looked at, mutants and crosses of the best one, which has {words}."
                )
            case "stop":
                return f"The search ends with {words}."
        return sentences.of(moment)


@dataclass
class HackerRun:
    """A run with what it has learnt about each word."""

    space: SearchSpace
    objective: Objective
    rng: Random
    synonyms: int
    weight: list[int]  # of each word: how often the label was lost without it, less how often not

    def words(self, one: Candidate) -> int:
        """How many words a sentence changes."""
        return len(self.space.changed(one.state))

    def put_back(self, current: Candidate) -> Candidate:
        """Restore each word that the label can do without, the lightest first."""
        for place in sorted(self.space.changed(current.state), key=self.weight.__getitem__):
            current = self._tried(current, place, 0)
        return current

    def improved(self, current: Candidate, steps: int) -> Candidate:
        """Some steps of local search, each on a word that seems to matter little."""
        for _ in range(steps):
            changed = self.space.changed(current.state)
            chances = [2.0 ** -max(-30, min(30, self.weight[place])) for place in changed]
            place = changed[draw(chances, self.rng)]
            choice = 0 if self.rng.random() < 0.5 else self._other(current.state, place)
            current = self._tried(current, place, choice)
        return current

    def mutant(self, current: Candidate) -> Candidate:
        """Another substitute for a changed word, and a word more, if the label stays changed."""
        state = current.state
        for place in (self.rng.choice(self.space.changed(state)), self._able()):
            state = put(state, place, self._other(state, place))
        answer = self.objective.one(state)
        return answer if answer.success else current

    def crossed(self, members: list[Candidate]) -> list[Candidate]:
        """Children of pairs that keep the label changed, with words put back."""
        pairs = zip(members, [*members[1:], members[0]], strict=True)
        children = [crossover(one.state, other.state, self.rng) for one, other in pairs]
        return [self.put_back(answer) for answer in self.objective(children) if answer.success]

    def _able(self) -> int:
        return int(self.rng.choice(np.flatnonzero(self.space.counts).tolist()))

    def _other(self, state: State, place: int) -> int:
        """Another of a word's synonyms; the one it has, if there is no other."""
        most = min(self.synonyms, int(self.space.counts[place]))
        others = [choice for choice in range(1, most + 1) if choice != state[place]]
        return self.rng.choice(others) if others else state[place]

    def _tried(self, current: Candidate, place: int, choice: int) -> Candidate:
        """A word changed if the label stays; the word's weight learns from it."""
        answer = self.objective.one(put(current.state, place, choice))
        self.weight[place] += -1 if answer.success else 1
        return answer if answer.success else current
