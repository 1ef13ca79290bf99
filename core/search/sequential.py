"""Sequential greedy substitution (Morpheus; Tan et al., 2020)."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from core.objective import Candidate, Objective, Step
from core.space import SearchSpace


@dataclass(frozen=True)
class SequentialGreedy:
    """SGS: the best substitute word by word from the left and, if need be, again from the right.

    A pass is always finished, as in the original, even when it has reached the goal half-way. The
    backward pass starts from the original text; the better of both is the answer, the backward one
    on a tie. Departs from the original: substitutes are tried in their order (it shuffles them),
    the original word is not asked for again, all substitutes of a word are tried even after one
    that reaches the goal, and a success is what the victim says about the
    answer (its code counts an answer that never changed as a success).
    """

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        original = objective.one(space.origin)
        yield objective.step("start", original)
        words = range(len(space.choices))
        forward = yield from self._pass(space, objective, original, words)
        if forward.success:
            yield objective.step("stop", forward)
            return
        backward = yield from self._pass(space, objective, original, words[::-1])
        best = forward if forward.score > backward.score else backward
        yield objective.step("stop", best)

    def _pass(
        self, space: SearchSpace, objective: Objective, start: Candidate, words: Sequence[int]
    ) -> Generator[Step, None, Candidate]:
        current = start
        for position in words:
            best = objective(space.column(current.state, position)).best()
            if best is not None and best.score > current.score:
                current = best
                yield objective.step("insert", current)
        return current
