"""Swift, a search of our own: a success in few queries, then fewer changed words."""

from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import ClassVar, NamedTuple

import numpy as np

from core.errors import require
from core.narrate import Moment, sentences
from core.narrate.words import count, place
from core.objective import Candidate, Objective, Step
from core.search.additive import Additive, Prospect
from core.search.card import OWN_LIMIT, Card, pseudocode
from core.search.local import EPSILON, climb
from core.search.protocol import Search
from core.space import Moves, SearchSpace, State


@dataclass(frozen=True)
class Swift(Search):
    """A success in few queries, then one with fewer changed words.

    A model of what each substitute adds to the log-odds says which sentence to ask for next: the
    smallest one it expects to succeed, else the most promising one with as many changed words as
    the attack allows, and after a success one word fewer than that. It asks as long as some
    sentence might succeed: its expected log-odds are at most ``doubt`` deviations too low
    (``doubt_after_success`` once there is a success). Without a success it climbs to a local
    optimum, like local search, but takes what gains as it goes round all moves, so that a round
    costs what one move costs local search. If that succeeds, be it beyond the limit, the model
    learns from all the answers of the climb and asks again. A success that stays beyond the limit
    is followed by local search from the original within it, on a ``batch`` of likely moves.
    """

    card: ClassVar[Card] = Card(
        title="Swift",
        story="asks for the sentence most likely to succeed, learns, then looks for fewer changes.",
        colour="#d6336c",
        pseudocode=pseudocode(
            """
score the original                                      # start
while some sentence within the limit might succeed      # propose
  ask for the smallest one the model expects to succeed,  # propose
  else for the most promising one                       # propose
  learn what each substitute adds                       # propose
  after a success, ask for one word fewer               # propose
without a success, go round all moves, the likeliest first  # climb, no success
  take what gains, until a whole round brings nothing   # climb
if that succeeds, learn from all its answers, go to line 2
if it stays beyond the limit, try each substitute alone, learn  # rank
  local search within the limit, over the likeliest moves  # within the limit, stuck
return the sentence                                     # stop, end
"""
        ),
    )
    renamed_settings: ClassVar[Mapping[str, str]] = {"thrift": "doubt_after_success"}
    retired_settings: ClassVar[Mapping[str, str]] = OWN_LIMIT

    optimism: float = 4.0  # deviations that make a sentence promising
    doubt: float = 5.0  # deviations
    doubt_after_success: float = 3.25  # deviations
    probes: int = 300
    batch: int = 8
    epsilon: float = EPSILON

    def __post_init__(self) -> None:
        for name in ("optimism", "doubt", "doubt_after_success", "epsilon", "probes"):
            value = getattr(self, name)
            require(value >= 0, f"{name} is {value}; it must not be negative.")
        require(self.batch >= 1, "batch must be at least 1.")

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        origin = objective.one(space.origin)
        yield objective.step("start", origin)
        if origin.success or not space.elements:
            return
        model = Additive(space.counts, origin, objective.goal.measure.largest)
        run = SwiftRun(space, objective, model, max(1, objective.allowed))
        current = yield from self._propose(run, origin)
        if not current.success:
            current = yield from self._climb(run, current)
            if current.success:
                current = yield from self._propose(run, current)
        phase = "no fewer words" if current.success else "no success"
        if current.success and len(space.changed(current.state)) > run.most:
            within = yield from self._start_within_the_limit(run, origin)
            phase = "back within the limit" if within.success else "beyond the limit"
            current = within if within.success else current
        yield objective.step("stop", current, phase=phase)

    def _propose(self, run: "SwiftRun", current: Candidate) -> Generator[Step, None, Candidate]:
        """Ask for what the model proposes until no sentence within reach might succeed.

        It also ends after so many probes, counted anew from each success.
        """
        probes = 0
        while probes < self.probes:
            words = len(run.space.changed(current.state))
            done = current.success and words <= run.most
            plans = run.model.plans(words - 1 if done else run.most, self.optimism)
            doubt = self.doubt_after_success if done else self.doubt
            plan = self._choose(plans, run.model.bar, doubt)
            if plan is None:
                break
            answer = run.objective.one(run.model.state(plan.chosen))
            run.model.learn([answer])
            probes = 0 if answer.success else probes + 1
            base = current
            if answer.success or (answer.score > current.score and not current.success):
                current = answer
            yield run.objective.step("generation", current, phase="propose", base=base)
        return current

    def _choose(self, plans: Iterable[Prospect], bar: float, doubt: float) -> Prospect | None:
        """The smallest sentence expected to succeed, else the largest; None if none might."""
        plan, hope = None, False
        for plan in plans:
            hope = hope or plan.mean + doubt * plan.deviation > bar
            if plan.mean > bar:
                break
        return plan if hope else None

    def _climb(self, run: "SwiftRun", current: Candidate) -> Generator[Step, None, Candidate]:
        """Go round all moves and take what gains, within the limit first, until a round is quiet.

        The moves that the model expects to gain come first; it learns from all answers.
        """
        order = run.model.order(Moves.at(current.state, *run.space.changes))
        positions, choices = (part[order] for part in run.space.changes)
        answers: list[Candidate] = []
        for room in (run.most, len(current.state)):
            at = quiet = 0
            while quiet < len(order) and not current.success:
                if not quiet:
                    rest = np.arange(at, at + len(order)) % len(order)
                    moves = Moves.at(current.state, positions[rest], choices[rest])
                    run.objective.expect(moves[np.flatnonzero(moves.changed <= room)])
                turn = np.arange(at, at + self.batch) % len(order)
                moves = Moves.at(current.state, positions[turn], choices[turn])
                other = choices[turn] != np.array(current.state)[positions[turn]]
                tried = run.objective(moves[np.flatnonzero(other & (moves.changed <= room))])
                answers += tried
                at, quiet = at + self.batch, quiet + self.batch
                best = tried.first_success() or tried.best()
                if best and (best.success or best.score - current.score > self.epsilon):
                    kind, base = run.space.kind(current.state, best.state), current
                    current, quiet = best, 0
                    yield run.objective.step(kind, current, phase="climb", base=base)
        if current.success:
            run.model.learn(answers)
        return current

    def _start_within_the_limit(
        self, run: "SwiftRun", origin: Candidate
    ) -> Generator[Step, None, Candidate]:
        """Local search from the original within the limit; it looks at the likeliest moves only."""
        run.model.learn(run.objective(run.space.insertions(run.space.origin)))
        yield run.objective.step("rank", origin)

        def likeliest(state: State) -> Moves:
            moves = run.space.neighbours(state)
            moves = moves[np.flatnonzero(moves.changed <= run.most)]
            return moves[run.model.order(moves)[: self.batch]]

        phase = "within the limit"
        climbing = climb(run.space, run.objective, origin, likeliest, self.epsilon, phase=phase)
        return (yield from climbing)

    @classmethod
    def describe(cls, moment: Moment) -> str:
        """What the model proposed, a move of a climb, or why it ends."""
        match moment.step.phase:
            case "propose":
                return _proposed(moment)
            case "rank":
                return (
                    "Only a sentence beyond the limit has succeeded. Back at the original, each of "
                    f"{count(len(moment.step.tried), 'substitute')} was tried alone, and the model "
                    "learnt from it."
                )
            case "stuck":
                return (
                    f"No move that was tried here gains any more: {moment.now}. "
                    "This is not yet the answer."
                )
            case "beyond the limit":
                return "No sentence within the limit succeeded: the one beyond it is the answer."
            case "back within the limit":
                return "Local search within the limit has succeeded: the search ends."
            case "no fewer words":
                return "The model sees no likely success with fewer changed words: the search ends."
        return sentences.of(moment)


class SwiftRun(NamedTuple):
    """What the parts of a run work with."""

    space: SearchSpace
    objective: Objective
    model: Additive
    most: int  # changed words


def _proposed(moment: Moment) -> str:
    """What became of a sentence that the model proposed."""
    space, proposal, before = moment.space, moment.step.tried[-1], moment.tried.before
    score, best = moment.written(proposal.score), moment.written(before.score)
    words, old = len(space.changed(proposal.state)), len(space.changed(before.state))
    sentence = f"The model proposes {place(space, space.origin, proposal.state)}: "
    if proposal.success and before.success:
        return (
            f"{sentence}the goal is still reached, with {count(words, 'changed word')}, not {old}."
        )
    if proposal.success:
        return f"{sentence}{score}, with {count(words, 'changed word')}.{moment.reached}"
    if before.success:
        stays = f"the sentence with {count(old, 'changed word')} stays"
        return f"{sentence}{score}, which misses the goal; {stays}."
    if moment.step.current.state == proposal.state:
        return f"{sentence}{score}, the best so far."
    return f"{sentence}{score}, which is not above {best}."
