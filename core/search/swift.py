"""Swift, a search of our own: a success in few queries, then fewer changed words."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from core.errors import require
from core.objective import Candidate, Objective, Step
from core.search.additive import Additive, Plan
from core.search.local import EPSILON, climb
from core.space import Moves, SearchSpace, State


@dataclass(frozen=True)
class Swift:
    """Swift: asks for the sentence most likely to succeed, learns, then looks for fewer changes.

    A model of what each substitute adds to the log-odds says which sentence to ask for next: the
    smallest one it expects to succeed, else the most promising one with as many changed words as
    ``limit`` allows, and after a success one word fewer than that. It asks as long as some
    sentence might succeed: its expected log-odds are at most ``doubt`` deviations too low
    (``thrift`` deviations once there is a success). Without a success it climbs to a local
    optimum, like local search, but takes what gains as it goes round all moves, so that a round
    costs what one move costs local search. If that succeeds, be it beyond the limit, the model
    learns from all the answers of the climb and asks again. A success that stays beyond the limit
    is followed by local search from the original within it, on a ``batch`` of likely moves.
    """

    limit: float = 0.25  # share of words that may be changed, as the attack's own
    optimism: float = 4.0  # deviations that make a sentence promising
    doubt: float = 5.0
    thrift: float = 3.25
    probes: int = 300
    batch: int = 8
    epsilon: float = EPSILON

    def __post_init__(self) -> None:
        require(0 < self.limit <= 1, f"limit is {self.limit}; it must lie between 0 and 1.")
        least = min(self.optimism, self.doubt, self.thrift, self.epsilon, self.probes)
        require(least >= 0, "optimism, doubt, thrift, epsilon, probes must not be negative.")
        require(self.batch >= 1, "batch must be at least 1.")

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        origin = objective.one(space.origin)
        yield objective.step("start", origin)
        if origin.success or not space.elements:
            return
        model = Additive(space.counts, origin)
        most = max(1, space.allowed(self.limit))
        current = yield from self._probe(space, objective, model, origin, most)
        if not current.success:
            current = yield from self._climb(space, objective, model, current, most)
            if current.success:
                current = yield from self._probe(space, objective, model, current, most)
        if current.success and len(space.changed(current.state)) > most:
            found = yield from self._return(space, objective, model, origin, most)
            current = found if found.success else current
        yield objective.step("stop", current)

    def _probe(
        self,
        space: SearchSpace,
        objective: Objective,
        model: Additive,
        current: Candidate,
        most: int,
    ) -> Generator[Step, None, Candidate]:
        """Ask for what the model proposes until no sentence within reach might succeed."""
        for _ in range(self.probes):
            words = len(space.changed(current.state))
            done = current.success and words <= most
            plans = model.plans(words - 1 if done else most, self.optimism)
            plan = self._choose(plans, model.bar, self.thrift if done else self.doubt)
            if plan is None:
                break
            answer = objective.one(plan.state)
            model.learn([answer])
            if answer.success or (answer.score > current.score and not current.success):
                current = answer
            yield objective.step("generation", current)
        return current

    def _choose(self, plans: list[Plan], bar: float, doubt: float) -> Plan | None:
        """The smallest sentence expected to succeed, else the largest; None if none might."""
        if all(plan.mean + doubt * plan.deviation <= bar for plan in plans):
            return None
        return next((plan for plan in plans if plan.mean > bar), plans[-1])

    def _climb(
        self,
        space: SearchSpace,
        objective: Objective,
        model: Additive,
        current: Candidate,
        most: int,
    ) -> Generator[Step, None, Candidate]:
        """Go round all moves and take what gains, within the limit first, until a round is quiet.

        The moves that the model expects to gain come first; it learns from all answers.
        """
        order = model.order(Moves.at(current.state, *space.changes))
        positions, choices = (part[order] for part in space.changes)
        answers: list[Candidate] = []
        for room in (most, len(current.state)):
            at = quiet = 0
            while quiet < len(order) and not current.success:
                turn = np.arange(at, at + self.batch) % len(order)
                moves = Moves.at(current.state, positions[turn], choices[turn])
                other = choices[turn] != np.array(current.state)[positions[turn]]
                tried = objective(moves[np.flatnonzero(other & (moves.changed <= room))])
                answers += tried
                at, quiet = at + self.batch, quiet + self.batch
                best = tried.first_success() or tried.best()
                if best and (best.success or best.score - current.score > self.epsilon):
                    kind = space.kind(current.state, best.state)
                    current, quiet = best, 0
                    yield objective.step(kind, current)
        if current.success:
            model.learn(answers)
        return current

    def _return(
        self,
        space: SearchSpace,
        objective: Objective,
        model: Additive,
        origin: Candidate,
        most: int,
    ) -> Generator[Step, None, Candidate]:
        """Local search from the original within the limit; it looks at the likeliest moves only."""
        model.learn(objective(space.insertions(space.origin)))
        yield objective.step("rank", origin)

        def likeliest(state: State) -> Moves:
            moves = space.neighbours(state)
            moves = moves[np.flatnonzero(moves.changed <= most)]
            return moves[model.order(moves)[: self.batch]]

        return (yield from climb(space, objective, origin, likeliest, self.epsilon))
