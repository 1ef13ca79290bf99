"""Sequential greedy substitution (Morpheus; Tan et al., 2020)."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from core.narrate import Moment, sentences
from core.objective import Candidate, Objective, Step
from core.search.card import Card, pseudocode
from core.search.protocol import Search
from core.space import SearchSpace


@dataclass(frozen=True)
class SequentialGreedy(Search):
    """Morpheus (Tan et al., 2020).

    A pass is always finished, as in the original, even when it has reached the goal half-way. The
    backward pass starts from the original text; the better of both is the answer, the backward one
    on a tie. Departs from the original: substitutes are tried in their order (it shuffles them),
    the original word is not asked for again, all substitutes of a word are tried even after one
    that reaches the goal, and a success is what the victim says about the
    answer (its code counts an answer that never changed as a success).
    """

    card: ClassVar[Card] = Card(
        title="SGS",
        story="the best substitute word by word from the left and, if need be, again from the "
        "right.",
        colour="#8a6d00",
        dash="longdashdot",
        must_beat="current",
        pseudocode=pseudocode(
            """
score the original                                      # start
for each word from the left
  e ← its best substitute                               # first pass
  if e raises the score, put it in                      # first pass
stop if the goal is reached                             # goal reached, end after goal reached
start again from the original
for each word from the right
  e ← its best substitute                               # second pass
  if e raises the score, put it in                      # second pass
return the better sentence of both passes               # stop, end
"""
        ),
    )

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        original = objective.one(space.origin)
        yield objective.step("start", original)
        words = range(len(space.choices))
        forward = yield from self._pass(space, objective, original, words, "first pass")
        if forward.success:
            yield objective.step("stop", forward, phase="goal reached")
            return
        backward = yield from self._pass(space, objective, original, words[::-1], "second pass")
        best = forward if forward.score > backward.score else backward
        yield objective.step("stop", best)

    def _pass(
        self,
        space: SearchSpace,
        objective: Objective,
        start: Candidate,
        words: Sequence[int],
        phase: str,
    ) -> Generator[Step, None, Candidate]:
        current = start
        for position in words:
            best = objective(space.column(current.state, position)).best()
            if best is not None and best.score > current.score:
                base, current = current, best
                yield objective.step("insert", current, phase=phase, base=base)
        return current

    @classmethod
    def describe(cls, moment: Moment) -> str:
        """One word after the other, and the end of a pass."""
        match moment.step.phase:
            case "first pass":
                return sentences.next_in_order(moment, "From the left", "higher")
            case "second pass":
                return sentences.next_in_order(moment, "From the right", "higher")
            case "goal reached":
                return f"The pass from the left is finished and reaches the goal: {moment.now}."
            case "stop":
                better = f"the better sentence of the two {moment.rules.measure.verb} {moment.now}"
                return f"Both passes are finished; {better}."
        return sentences.of(moment)
