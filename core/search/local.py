"""Local search (Liu et al., Algorithm 1) and Greedy, its case with insertions only."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

import numpy as np

from core.endings import TOO_MANY
from core.errors import require
from core.narrate import Moment, sentences
from core.narrate.certificates import NOTHING, local_optimum, none_better
from core.objective import INTERRUPTED, Candidate, Objective, Status, Step
from core.search.card import Card, PseudocodeLine, pseudocode
from core.search.protocol import Search
from core.space import Exchange, Moves, SearchSpace, State

EPSILON = 1e-10  # a gain below it is rounding
TOO_FAR = "The complement was not tried: it would change too many words."
SWEEP, STUCK = "sweep", "stuck"  # the phases of a climb


@dataclass(frozen=True)
class LocalSearch(Search):
    """Algorithm 1 of the paper.

    Departs from the paper, as its code does:
    - exchange stays at one word by default (``exchange="any"`` is the paper's, over any pair), and
      line 10 says which of the two runs;
    - a move must gain more than ``epsilon`` (the paper mentions it, the code uses 1e-10);
    - the search ends as soon as the best move of a finished sweep reaches the goal, even without
      a gain (``stop_on_first`` ends it within the sweep, at the first move that does).
    Departs from the code: the complement of the local optimum is tried, as in the paper, and kept
    only if it is better; the code tries another set in most of its scenarios.
    """

    card: ClassVar[Card] = Card(
        title="Local search",
        story="the best insertion, deletion or exchange until none improves the score.",
        colour="#0b6bb0",
        compares_all=True,
        must_beat="current",
        pseudocode=pseudocode(  # by the line numbers of the paper
            """
S ← ∅                                                   # start
while true; if S reaches the goal, return S             # end after start, end after sweep
  — insertion —
  e ∉ S with the largest f(S ∪ {e}), one e per word     # insert
  S₁ ← S ∪ {e}                                          # insert
  — deletion —
  e ∈ S with the largest f(S \\ {e})                    # delete
  S₂ ← S \\ {e}                                         # delete
  — exchange —
  e ∈ S, v ∉ S of the same word with the largest f(S \\ {e} ∪ {v})  # exchange
  S₃ ← S \\ {e} ∪ {v}                                   # exchange
  — update —
  if the best of S₁, S₂, S₃ beats f(S)                  # insert, delete, exchange, stuck
    S ← the best of S₁, S₂, S₃                          # insert, delete, exchange
  else stop: a local optimum                            # stuck
— complement —
if V \\ S has at most one substitute per word           # complement, end after stuck
  return the better of S and V \\ S                     # complement, end after complement
else return S                                           # end after stuck
"""
        ),
    )

    exchange: Exchange = "same"
    complement: bool = True
    epsilon: float = EPSILON
    stop_on_first: bool = False

    def __post_init__(self) -> None:
        require(self.exchange in ("same", "any"), 'exchange must be "same" or "any".')
        require(self.epsilon >= 0, f"epsilon is {self.epsilon}; it must not be negative.")

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        def neighbourhood(state: State) -> Moves:
            return space.neighbours(state, self.exchange)  # lines 3-11

        current = objective.one(space.origin)  # line 1
        yield objective.step("start", current)
        current = yield from climb(
            space, objective, current, neighbourhood, self.epsilon, self.stop_on_first
        )
        other = space.complement(current.state)
        if not self.complement or current.success or other in (None, current.state):
            return
        complement = objective.one(other)  # line 17
        best = complement if complement.score > current.score else current
        yield objective.step("complement", best)  # line 18

    @property
    def pseudocode(self) -> tuple[PseudocodeLine, ...]:
        """The lines of the paper, with the exchange that runs in line 10."""
        if self.exchange == "same":
            return self.card.pseudocode
        return tuple(
            line._replace(text=line.text.replace("of the same word", "of any word"))
            for line in self.card.pseudocode
        )

    @classmethod
    def describe(cls, moment: Moment) -> str:
        """A move with the best of every other kind, a local optimum, or the complement."""
        match moment.step.kind:
            case "insert" | "delete" | "exchange":
                return sentences.best_of_all_moves(moment)
            case "complement":
                return _complement(moment)
        return sentences.of(moment)

    @classmethod
    def certify(cls, space: SearchSpace, steps: Sequence[Step], status: Status) -> str:
        """The last sweep, if it was finished without a gain."""
        stop = _own_stop(steps)
        return _unfinished(status) if stop is None else local_optimum(space, stop) or NOTHING

    @classmethod
    def remark(cls, space: SearchSpace, steps: Sequence[Step], status: Status) -> str:
        """What the complement check did, or why it was not made."""
        answer = steps[-1].current
        tried = next((step for step in steps if step.kind == "complement"), None)
        if tried is not None and not np.isfinite(tried.tried.scores[0]):
            return TOO_FAR
        if tried is not None:
            kept = tried.base is None or tried.current.state == tried.base.state
            became = "is not better: it is rejected" if kept else "takes the optimum's place"
            return f"The complement, every substitute not chosen, was tried and {became}."
        if answer.success:
            return "The complement was not tried: the search had ended before."
        if status in sentences.WHY:
            return f"The complement was not tried: {sentences.WHY[status]} before."
        for position, (column, taken) in enumerate(zip(space.choices, answer.state, strict=True)):
            left = len(column) - 1 - bool(taken)
            if left > 1:
                return (
                    f"The complement was not tried: it would need {left} substitutes of "
                    f"word {position + 1}, {column[0]}, at once."
                )
        return "The complement was not tried in this run."


@dataclass(frozen=True)
class Greedy(Search):
    """Local search with insertions only: a changed word stays changed."""

    card: ClassVar[Card] = Card(
        title="Greedy",
        story="the best insertion until none improves the score; a changed word stays changed.",
        colour="#7a5fc7",
        dash="dashdot",
        compares_all=True,
        must_beat="current",
        pseudocode=pseudocode(
            """
S ← ∅                                                   # start
while the goal is not reached
  e ← the best substitute of a word still original      # insert
  if f(S ∪ {e}) beats f(S)                              # insert, stuck
    S ← S ∪ {e}                                         # insert
  else stop                                             # stuck
return S                                                # end
"""
        ),
    )

    epsilon: float = EPSILON

    def __post_init__(self) -> None:
        require(self.epsilon >= 0, f"epsilon is {self.epsilon}; it must not be negative.")

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        current = objective.one(space.origin)
        yield objective.step("start", current)
        yield from climb(space, objective, current, space.insertions, self.epsilon)

    @classmethod
    def describe(cls, moment: Moment) -> str:
        """An insertion with the next best, or that none is better."""
        if moment.step.kind == "insert":
            return sentences.best_of_all_moves(moment)
        if moment.step.kind == "stop":
            return _no_insertion(moment.space, moment.step)
        return sentences.of(moment)

    @classmethod
    def certify(cls, space: SearchSpace, steps: Sequence[Step], status: Status) -> str:
        """The last sweep, if it was finished without a gain."""
        stop = _own_stop(steps)
        return _unfinished(status) if stop is None else _no_insertion(space, stop)


def climb(
    space: SearchSpace,
    objective: Objective,
    current: Candidate,
    neighbourhood: Callable[[State], Moves],
    epsilon: float,
    stop_on_first: bool = False,
    phase: str = SWEEP,
) -> Generator[Step, None, Candidate]:
    """Steepest ascent from a state (Algorithm 1, lines 2-16)."""
    while not current.success:  # line 2
        moves = neighbourhood(current.state)
        tried = objective.until_success(moves) if stop_on_first else objective(moves)
        best = (stop_on_first and tried.first_success()) or tried.best()
        if best is None or not (best.success or best.score - current.score > epsilon):  # line 13
            yield objective.step("stop", current, phase=STUCK)  # line 15: a local optimum
            break
        kind, base = space.kind(current.state, best.state), current
        current = best  # line 14
        yield objective.step(kind, current, phase=phase, base=base)
    return current


def then_climb(steps: Iterator[Step], space: SearchSpace, objective: Objective) -> Iterator[Step]:
    """The steps of another search, and local search from where it ends to a local optimum."""
    for step in steps:
        current = step.current
        yield step
    if space.elements:
        yield from climb(space, objective, current, space.neighbours, EPSILON)


def climbing_after(lines: Sequence[PseudocodeLine]) -> tuple[PseudocodeLine, ...]:
    """The pseudocode of a search that ends by local search."""
    *before, last = lines
    last = last._replace(text=f"{last.text}, or go on from it", phases=frozenset())
    return pseudocode(
        """
until no insertion, deletion or exchange is better      # sweep, stuck
  take the best one                                     # sweep
return the local optimum                                # end
""",
        after=(*before, last),
    )


def _complement(moment: Moment) -> str:
    step, optimum = moment.step, moment.tried.before
    if not np.isfinite(step.tried.scores[0]):
        return TOO_FAR
    own, old = moment.written(float(step.tried.scores[0])), moment.written(optimum.score)
    verb = moment.rules.measure.verb
    sentence = f"The complement, every substitute not chosen, {verb} {own}"
    if step.current.state == optimum.state:
        return f"{sentence}, which is not above {old}: it is rejected."
    return f"{sentence} against {old}: it takes the optimum's place."


def _no_insertion(space: SearchSpace, stop: Step) -> str:
    """No insertion is better, which is all that greedy knows."""
    if sentence := local_optimum(space, stop):
        return sentence
    scores = stop.tried.scores
    gain = float(scores.max(initial=-np.inf)) - stop.current.score
    return (
        f"{none_better(scores, 'insertion', gain)} "
        "A deletion or an exchange may be better: greedy never tries one."
    )


def _own_stop(steps: Sequence[Step]) -> Step | None:
    """The step with which a climb has ended by itself."""
    own = (step for step in steps if step.kind == "stop" and step.phase != INTERRUPTED)
    return next(own, None)


def _unfinished(status: Status) -> str:
    if status in sentences.WHY:
        why = sentences.WHY[status]
        return f"There is no certificate: {why} before the last sweep was through."
    how = f"the goal was reached{f', {TOO_MANY}' if status == 'over_limit' else ''}"
    return (
        f"There is no certificate: the search ended because {how}. "
        "It did not look for a better neighbour."
    )
