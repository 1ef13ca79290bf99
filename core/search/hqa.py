"""HQA-Attack (Liu et al., NeurIPS 2023): by labels alone, towards the most similar sentence."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar, Literal

import numpy as np

from core.errors import require
from core.narrate import Moment, sentences
from core.narrate.words import count
from core.objective import Candidate, Floats, Objective, Step
from core.search.card import Card, pseudocode
from core.search.labels import DISTANCES, Distance, first_flip, growing
from core.search.population import draw
from core.search.protocol import Search
from core.search.ranked import put
from core.space import Moves, SearchSpace, State


@dataclass(frozen=True)
class HqaAttack(Search):
    """HQA-Attack (Liu et al., NeurIPS 2023), as its code does it.

    Departs from its code:
    - substitutes and the similarity of sentences are those of the attack here, not 50 neighbours
      of counter-fitted vectors and another encoder;
    - a word's chance to come first depends on how similar the original stays with that word alone
      put in, not on the vectors of both words;
    - it has no vectors to estimate a direction with: the substitutes that are tried for a
      transition word are those that bring the sentence nearer than it does, the nearest first;
    - its best sentence is the most similar one within the attack's limit of changed words, if there
      is one;
    - it also ends when ``patience`` rounds have asked nothing new: a short text has few sentences.
    """

    card: ClassVar[Card] = Card(
        title="HQA-Attack",
        story="a sentence with another label, built anew again and again from better substitutes.",
        colour="#1864ab",
        dash="dashdot",
        sees="labels",
        randomised=True,
        pseudocode=pseudocode(
            """
look at the label of the original                       # start
replace 1, 2, 3, ... random words until the label changes  # init
until all questions are used
  put words back while the label stays changed          # put back
  if one word is left, take its most similar substitute and stop  # last word
  y ← the original                                      # build
  for each changed word, the most similar ones first, by chance  # build
    draw some substitutes; of those that keep the label, take the most similar  # build
    try substitutes that are nearer still               # build
    put the word into y; go on from y if its label is changed  # build
  without progress, go back to an earlier sentence      # build
return the most similar sentence                        # stop, end
"""
        ),
    )

    draws: int = 2_500  # sentences with all words replaced, if fewer do not change the label
    rounds: int = 100
    questions: int = 1_000  # distinct ones, after which it ends
    tried: int = 5  # substitutes drawn for each word
    patience: int = 3  # rounds without progress
    distance: Literal["similarity", "column"] = "similarity"

    def __post_init__(self) -> None:
        for name in ("draws", "rounds", "questions", "patience"):
            require(getattr(self, name) >= 0, f"{name} must not be negative.")
        require(self.tried >= 1, "tried must be at least 1.")
        require(self.distance in DISTANCES, 'distance must be "similarity" or "column".')

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        origin = objective.one(space.origin)
        yield objective.step("start", origin)
        if origin.success or not space.elements:
            return
        found = first_flip(objective, growing(space, objective.most, self.draws, rng))
        yield objective.step("init", found or origin)
        if found is None:
            yield objective.step("stop", origin)
            return
        run = HqaRun(space, objective, DISTANCES[self.distance](space), rng, found)
        yield from self._rounds(run, found)
        yield objective.step("stop", run.best)

    def _rounds(self, run: "HqaRun", start: Candidate) -> Iterator[Step]:
        """Put words back and build the sentence anew, from where that led."""
        current, stack = start, [start]
        still, patience, idle = 0, self.patience, 0
        for number in range(self.rounds):
            if run.objective.queries >= self.questions or idle > self.patience:
                break
            base, asked = current, run.objective.queries
            current = run.put_back(current, at_once=number == 0)
            yield run.step("put back", base)
            changed = run.space.changed(current.state)
            if len(changed) == 1:
                run.nearest(run.space.column(current.state, changed[0]))
                yield run.step("last word", current)
                break
            built = run.build(current, self.tried)
            yield run.step("build", current)
            idle = idle + 1 if run.objective.queries == asked else 0
            still = still + 1 if built.state == current.state else 0
            stack.append(built)
            current = built
            if still > patience:
                stack = stack[: -run.rng.randint(3, 5)] if len(stack) > 5 else [start]
                current, still, patience = stack[-1], 0, patience + 5

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
                return f"{looked} with more and more words replaced: the last one changes it."
            case "init" | "stop" if not step.current.success:
                return f"{looked} looked at; none changes the label."
            case "put back":
                return f"{looked} with words put back; the best sentence so far has {words}."
            case "last word":
                return "One changed word is left: its most similar substitute is taken."
            case "build":
                return (
                    f"A sentence is built anew from the original, {looked} looked at; the best "
                    f"so far has {words}."
                )
            case "stop":
                return f"The search ends with the most similar sentence it has met, with {words}."
        return sentences.of(moment)


@dataclass
class HqaRun:
    """A run with the best sentence it has met."""

    space: SearchSpace
    objective: Objective
    distance: Distance
    rng: Random
    best: Candidate
    _far: dict[State, float] = field(default_factory=dict)

    def step(self, phase: str, base: Candidate) -> Step:
        """Close a step: its answer is the best sentence, wherever the search stands."""
        return self.objective.step("generation", self.best, phase=phase, base=base)

    def far(self, moves: Moves) -> Floats:
        """How far sentences are from the original; each is measured once."""
        states = list(moves)
        new = [state for state in dict.fromkeys(states) if state not in self._far]
        if new:
            found = self.distance(Moves.of(new, len(self.space.choices)))
            self._far.update(zip(new, found.tolist(), strict=True))
        return np.array([self._far[state] for state in states])

    def ask(self, state: State) -> Candidate:
        """Whether a sentence changes the label; the best one is kept."""
        answer = self.objective.one(state)
        if answer.success and self._worth(answer) <= self._worth(self.best):
            self.best = answer
        return answer

    def put_back(self, current: Candidate, *, at_once: bool) -> Candidate:
        """Restore words while the label stays changed, the one that helps most first.

        ``at_once`` asks about each alone, and then restores those that may go one after the other.
        """
        while True:
            changed = np.array(self.space.changed(current.state), dtype=np.int32)
            moves = Moves.at(current.state, changed, np.zeros_like(changed))
            if at_once:
                fine = np.flatnonzero(self.objective(moves).successes)
                moves, changed = moves[fine], changed[fine]
            order = np.argsort(self.far(moves), kind="stable")
            before = current
            if not at_once:
                self.objective.expect(moves[order])
            for place in changed[order].tolist():
                answer = self.ask(put(current.state, place, 0))
                if answer.success:
                    current = answer
                if answer.success != at_once:
                    break
            if current is before:
                return current

    def nearest(self, moves: Moves) -> Candidate | None:
        """The most similar of these sentences that changes the label."""
        order = np.argsort(self.far(moves), kind="stable")
        self.objective.expect(moves[order])
        for index in order.tolist():
            answer = self.ask(moves[index])
            if answer.success:
                return answer
        return None

    def build(self, current: Candidate, tried: int) -> Candidate:
        """Another sentence with the label changed, word by word from the original."""
        built = self.space.origin
        for place in self._order(current.state):
            built = put(built, place, self._transition(current.state, place, tried))
            answer = self.ask(built)
            if answer.success:
                return answer
        left = [i for i in self.space.changed(current.state) if built[i] != current.state[i]]
        while left:
            moves = Moves.of([put(built, i, current.state[i]) for i in left], len(built))
            nearest = int(np.argmin(self.far(moves)))
            built = moves[nearest]
            answer = self.ask(built)
            if answer.success:
                return answer
            left.pop(nearest)
        return current

    def _order(self, state: State) -> Iterator[int]:
        """The changed words, by chance, rather first those that keep the original similar."""
        changed = list(self.space.changed(state))
        alone = [put(self.space.origin, place, state[place]) for place in changed]
        weights = np.exp(1 - self.far(Moves.of(alone, len(state)))).tolist()
        while changed:
            at = draw(weights, self.rng)
            weights.pop(at)
            yield changed.pop(at)

    def _transition(self, state: State, place: int, tried: int) -> int:
        """The choice of a word for the new sentence."""
        column = self.space.column(state, place)
        some = self.rng.sample(range(len(column)), min(tried, len(column)))
        drawn = column[np.array(some, dtype=np.intp)]
        answers = self.objective(drawn)
        fine = np.flatnonzero(answers.successes)
        if not len(fine):
            return state[place]
        far = self.far(drawn)
        best = int(fine[np.argmin(far[fine])])
        self.ask(drawn[best])
        nearer = np.flatnonzero(self.far(column) < far[best])
        found = self.nearest(column[nearer])
        return (found or answers[best]).state[place]

    def _worth(self, one: Candidate) -> tuple[bool, float]:
        """What is better is lower."""
        moves = Moves.of([one.state], len(one.state))
        return bool(moves.changed[0] > self.objective.allowed), float(self.far(moves)[0])
