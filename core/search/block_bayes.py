"""BlockBayes (Lee et al., ICML 2022): Bayesian optimisation, block by block."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from core.errors import require
from core.narrate import Moment, sentences
from core.narrate.words import count
from core.objective import Candidate, Floats, Objective, Step
from core.search.additive import log_odds
from core.search.card import Card, pseudocode
from core.search.protocol import Search
from core.space import HIDDEN, Ints, Moves, SearchSpace, State

ADAM_STEPS, ADAM_RATE = 3, 0.1  # of each fit of the length scales
NOISE = 1e-3  # of an answer, where the answers have variance 1
MEMORY = 150  # answers that the process keeps: the best ones and the last ones
POOL = 64  # sentences of which diverse ones are chosen
CLIMBS = 5  # moves towards a higher expected improvement


@dataclass(frozen=True)
class BlockBayes(Search):
    """BlockBayes (Lee, Moon, Lee and Song, ICML 2022).

    Departs from its code:
    - what it maximises are log-odds of the attack's score, not a margin of the victim's outputs;
    - the process keeps its best and its last answers, where the code thins them by clustering;
    - a block is left when as many sentences as it has words were asked about.
    """

    card: ClassVar[Card] = Card(
        title="BlockBayes",
        story="a Gaussian process over words says which sentences may score higher.",
        colour="#7048e8",
        dash="longdashdot",
        randomised=True,
        pseudocode=pseudocode(
            """
score the original                                      # start
order blocks of words by the gain of hiding each        # rank
for each block, some times over
  score random sentences that change its words          # sample
  fit how much each word matters                        # ask
  climb towards the highest expected improvement        # ask
  score a few diverse sentences from there              # ask
  stop when one reaches the goal                        # ask, sample
as long as that brings something, ask for fewer changed words  # fewer
return the success with the fewest changes              # stop, end
"""
        ),
    )

    block: int = 40  # words
    passes: int = 5
    together: int = 4  # sentences of a round
    patience: int = 50  # questions without a smaller success

    def __post_init__(self) -> None:
        for name in ("block", "passes", "together"):
            require(getattr(self, name) >= 1, f"{name} must be at least 1.")
        require(self.patience >= 0, "patience must not be negative.")

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        origin = objective.one(space.origin)
        yield objective.step("start", origin)
        if origin.success or not space.elements:
            return
        run = BayesRun(space, objective, rng, origin)
        able = np.flatnonzero(space.counts).tolist()
        blocks = [able[at : at + self.block] for at in range(0, len(able), self.block)]
        if len(blocks) > 1:
            states = np.zeros((len(blocks), len(space.counts)), dtype=np.int32)
            for state, block in zip(states, blocks, strict=True):
                state[block] = HIDDEN
            gains = objective(Moves.rows(states)).scores
            blocks = [blocks[index] for index in np.argsort(-gains, kind="stable")]
            yield objective.step("rank", origin)
        for turn in range(self.passes):
            for block in blocks:
                yield from self._explore(run, block, first=turn == 0)
                if run.best.success:
                    yield from self._fewer(run, able)
                    yield objective.step("stop", run.best)
                    return
            blocks.sort(key=lambda block: -float(run.process.weights[block].sum()))
        yield objective.step("stop", run.best)

    def _explore(self, run: "BayesRun", block: Sequence[int], *, first: bool) -> Iterator[Step]:
        """Ask about sentences that differ in a block, until one succeeds."""
        if first:
            draws = int(np.ceil(2 * run.space.counts[block].mean()))
            yield run.ask([run.random(block) for _ in range(draws)], "sample")
        for _ in range(-(-len(block) // self.together)):
            if run.best.success:
                return
            chosen = run.promising(run.best.state, block, len(run.space.counts), self.together)
            if not chosen:
                return
            yield run.ask(chosen, "ask")

    def _fewer(self, run: "BayesRun", able: Sequence[int]) -> Iterator[Step]:
        """Ask for successes with fewer and fewer changed words."""
        asked = 0
        while asked < self.patience:
            words = len(run.space.changed(run.best.state))
            chosen = run.promising(run.best.state, able, words - 1, self.together)
            if words <= 1 or not chosen:
                return
            yield run.ask(chosen, "fewer")
            better = len(run.space.changed(run.best.state)) < words
            asked = 0 if better else asked + len(chosen)

    @classmethod
    def describe(cls, moment: Moment) -> str:
        """What was asked about, and what came of it."""
        step, looked = moment.step, count(len(moment.step.tried), "sentence")
        match step.phase:
            case "rank":
                return f"The words are cut into {len(step.tried)} blocks; each was hidden in turn."
            case "sample" | "ask":
                what = "drawn at random" if step.phase == "sample" else "that the process proposes"
                best = f"{moment.rules.measure.verb} {moment.now}"
                return f"{looked} {what}; the best sentence so far {best}.{moment.reached}"
            case "fewer":
                words = count(len(moment.space.changed(step.current.state)), "changed word")
                return f"{looked} with fewer changed words; the best success has {words}."
            case "stop" if step.current.success:
                return "No success with fewer changed words turned up: the search ends."
            case "stop":
                return "All blocks had their turns and no sentence reached the goal."
        return sentences.of(moment)


@dataclass
class BayesRun:
    """A run with its best sentence and all that the process has heard."""

    space: SearchSpace
    objective: Objective
    rng: Random
    best: Candidate
    process: "WordProcess" = field(init=False)
    seen: set[State] = field(init=False)

    def __post_init__(self) -> None:
        largest = self.objective.goal.measure.largest
        self.process = WordProcess(len(self.space.counts), largest)
        self.process.hear([self.best])
        self.seen = {self.best.state}

    def random(self, block: Sequence[int]) -> State:
        """The best sentence with the words of a block drawn anew, as many as may be changed."""
        state = list(self.best.state)
        for place in block:
            state[place] = self.rng.randint(0, int(self.space.counts[place]))
        changed = [place for place, choice in enumerate(state) if choice]
        most = len(changed) if self.objective.most is None else self.objective.most
        for place in self.rng.sample(changed, max(0, len(changed) - most)):
            state[place] = 0
        return tuple(state)

    def ask(self, states: Iterable[State], phase: str) -> Step:
        """Score sentences, learn from them, and close a step."""
        base = self.best
        answers = self.objective(states)
        self.seen |= set(answers.moves)
        self.process.hear([one for one in answers if np.isfinite(one.score)])
        self.best = max([self.best, *answers], key=self._worth)
        return self.objective.step("generation", self.best, phase=phase, base=base)

    def promising(self, start: State, block: Sequence[int], most: int, few: int) -> list[State]:
        """New, diverse sentences of high expected improvement, found by climbing from one."""
        self.process.fit()
        if self.objective.most is not None:
            most = min(most, self.objective.most)
        pool: dict[State, float] = {}
        current, height = start, -np.inf
        for _ in range(CLIMBS):
            moves = self._near(current, block, most)
            if not len(moves):
                break
            values = self.process.improvement(moves.matrix)
            pool.update(zip(moves, values.tolist(), strict=True))
            top = int(np.argmax(values))
            if values[top] <= height:
                break
            current, height = moves[top], float(values[top])
        new = sorted((state for state in pool if state not in self.seen), key=lambda s: -pool[s])
        return self.process.diverse(new[:POOL], [pool[state] for state in new[:POOL]], few)

    def _near(self, state: State, block: Sequence[int], most: int) -> Moves:
        """One-word changes within a block, of at most so many words."""
        moves = self.space.neighbours(state)
        inside = np.isin(moves.position, np.array(block)) & (moves.changed <= most)
        return moves[np.flatnonzero(inside)]

    def _worth(self, one: Candidate) -> tuple[bool, int, float]:
        words = len(self.space.changed(one.state)) if one.success else 0
        return one.success, -words, one.score


class WordProcess:
    """A Gaussian process over sentences; two are alike unless they differ in words that matter.

    The kernel is ``exp(-sum of the weights of the words in which they differ)``.
    """

    def __init__(self, words: int, largest: float = 1.0) -> None:
        self.weights = np.full(words, 1.0 / words)
        self._largest = largest  # the score that counts as certain
        self._states = np.zeros((0, words), dtype=np.int32)
        self._odds = np.zeros(0)

    def hear(self, answers: Sequence[Candidate]) -> None:
        """Take in answers; of too many the best and the last are kept."""
        states = np.array([one.state for one in answers], dtype=np.int32)
        odds = [log_odds(one.score / self._largest) for one in answers]
        self._states = np.concatenate([self._states, states.reshape(len(answers), -1)])
        self._odds = np.append(self._odds, odds)
        if len(self._odds) > MEMORY:
            best = np.argsort(-self._odds[: -MEMORY // 2], kind="stable")[: MEMORY // 2]
            kept = np.concatenate([np.sort(best), np.arange(len(self._odds))[-MEMORY // 2 :]])
            self._states, self._odds = self._states[kept], self._odds[kept]

    def fit(self) -> None:
        """A few steps of Adam up the likelihood of what was heard, then the posterior."""
        values = self._odds - self._odds.mean()
        values /= max(float(values.std()), 1e-9)
        differ = (self._states[:, None] != self._states[None]).astype(np.float64)
        mean, square = np.zeros_like(self.weights), np.zeros_like(self.weights)
        for number in range(1, ADAM_STEPS + 1):
            kernel, inverse = self._inverse(differ)
            alpha = inverse @ values
            pull = (np.outer(alpha, alpha) - inverse) * kernel
            slope = -0.5 * np.tensordot(pull, differ, 2) * self.weights  # by their logarithms
            mean = 0.9 * mean + 0.1 * slope
            square = 0.999 * square + 0.001 * slope**2
            step = mean / (1 - 0.9**number) / (np.sqrt(square / (1 - 0.999**number)) + 1e-8)
            self.weights = self.weights * np.exp(ADAM_RATE * step)
        self._precision = self._inverse(differ)[1]
        self._alpha, self._top = self._precision @ values, float(values.max())

    def improvement(self, states: Ints) -> Floats:
        """By how much sentences are expected to exceed the best one heard of."""
        kernel = self._kernel(states, self._states)
        mean = kernel @ self._alpha
        variance = 1.0 - np.einsum("ij,ij->i", kernel @ self._precision, kernel)
        deviation = np.sqrt(np.maximum(variance, 1e-12))
        above = (mean - self._top) / deviation
        density = np.exp(-(above**2) / 2) / np.sqrt(2 * np.pi)
        return np.asarray(deviation * (above * ndtr(above) + density))

    def diverse(self, states: Sequence[State], values: Sequence[float], few: int) -> list[State]:
        """A few sentences, greedily by value and by what the others leave uncertain."""
        if not states:
            return []
        rows = np.array(states, dtype=np.int32)
        known = self._kernel(rows, self._states)
        covariance = self._kernel(rows, rows) - known @ self._precision @ known.T
        weight = np.array(values) / max(values[0], 1e-300)
        chosen: list[int] = []
        left = np.diag(covariance).copy()
        factors: list[Floats] = []
        while len(chosen) < min(few, len(states)):
            gain = weight**2 * np.maximum(left, 1e-12)
            gain[chosen] = -np.inf
            at = int(np.argmax(gain))
            column = covariance[at] - sum((f[at] * f for f in factors), np.zeros(len(left)))
            factors.append(column / np.sqrt(max(left[at], 1e-12)))
            left = left - factors[-1] ** 2
            chosen.append(at)
        return [states[at] for at in chosen]

    def _inverse(self, differ: NDArray[np.float64]) -> tuple[Floats, Floats]:
        kernel = np.exp(-(differ @ self.weights))
        return kernel, np.linalg.inv(kernel + NOISE * np.eye(len(kernel)))

    def _kernel(self, one: Ints, other: Ints) -> Floats:
        differ = one[:, None] != other[None]
        return np.asarray(np.exp(-(differ @ self.weights)))
