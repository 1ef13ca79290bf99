"""A running guess at what each substitute adds to the log-odds of success.

Log-odds add up over words nearly exactly for the victims measured here (assets/swift), so that one
answer about a sentence with many changed words tells something about each of them.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.objective import Candidate, Floats
from core.space import Ints, Moves, State

SHARE_OWN, SHARE_COMMON = 0.45, 0.55  # of an effect: the substitute's, and its whole word's
NOISE = 0.02  # a changed word's part in what does not add up
PRIOR_SIZE, PRIOR_WEIGHT = 0.6, 40  # the usual effect at first, worth so many substitutes
SHRINKAGE = 6  # how strongly the words keep to a common size of effects
PRIOR_MEAN = 0.15  # of the usual effect: substitutes help a little more often than not
CLIP = 1e-6  # where log-odds are cut off
MEMORY = 300  # answers that are kept, the last ones, so that a fit stays quick on long texts
LOOKAHEAD = 12  # how many next best substitutes to look through for a sentence not asked about


class Prospect(NamedTuple):
    """A sentence with what it is expected to gain in log-odds, and how uncertain that is."""

    mean: float
    deviation: float
    state: State


def log_odds(score: float) -> float:
    """The scale on which effects add up; a score is taken as a probability."""
    share = min(max(score, CLIP), 1.0 - CLIP)
    return float(np.log(share / (1.0 - share)))


class Additive:
    """Bayesian regression with a Gaussian effect for every substitute.

    The substitutes of a word share a part of their effect, so that trying one tells about all, and
    every word has its own size of effects, learnt on the way: most words hardly matter at all.
    """

    def __init__(self, counts: Ints, origin: Candidate, largest: float = 1.0) -> None:
        self._largest = largest  # the score that counts as certain
        self._origin = self._failed = log_odds(origin.score / largest)
        self._reached = np.inf
        self.seen = {origin.state}
        self.word = np.repeat(np.arange(len(counts)), counts)
        self.choice = np.concatenate([np.arange(1, count + 1) for count in counts])
        self._counts = counts
        self._of_word = np.eye(len(counts))[self.word]
        self._size = np.full(len(counts), PRIOR_SIZE**2)  # the variance of a word's effects
        self._rows = np.zeros((0, len(self.word)))  # one per answer: which substitutes it had
        self._gains = np.zeros(0)
        self._fit()

    @property
    def bar(self) -> float:
        """The gain at which success is expected: even odds, as far as the answers agree."""
        return float(np.clip(0.0, self._failed, self._reached)) - self._origin

    def learn(self, answers: Sequence[Candidate]) -> None:
        """Take in by how much the log-odds of sentences lie above the original's."""
        new = {answer.state: answer for answer in answers if answer.state not in self.seen}
        self.seen |= new.keys()
        # beyond a hard limit a score is minus infinity: not an answer of the victim
        heard = [answer for answer in new.values() if np.isfinite(answer.score)]
        if not heard:
            return
        odds = {answer.state: log_odds(answer.score / self._largest) for answer in heard}
        for answer in heard:
            if answer.success:
                self._reached = min(self._reached, odds[answer.state])
            else:
                self._failed = max(self._failed, odds[answer.state])
        has = np.array(list(odds))[:, self.word] == self.choice
        self._rows = np.vstack([self._rows, has])[-MEMORY:]
        self._gains = np.append(self._gains, np.array(list(odds.values())) - self._origin)[-MEMORY:]
        self._fit()
        self._resize()
        self._fit()

    def guess(self, states: Ints) -> Floats:
        """What sentences are expected to gain."""
        return np.asarray((states[:, self.word] == self.choice) @ self.mean)

    def order(self, moves: Moves) -> NDArray[np.intp]:
        """The moves' numbers, the one that is expected to gain most first."""
        return np.argsort(-np.round(self.guess(moves.matrix), 9), kind="stable")

    def plans(self, most: int, optimism: float) -> list[Prospect]:
        """The most promising new sentence of 1, 2, ... ``most`` changed words, word by word.

        Promising is the mean plus ``optimism`` deviations.
        """
        state = [0] * len(self._counts)
        free = np.ones(len(self.word), dtype=bool)
        mean, variance, with_rest = 0.0, 0.0, np.zeros(len(self.word))
        plans = []
        for _ in range(min(most, int((self._counts > 0).sum()))):
            spread = np.sqrt(np.maximum(variance + self.variance + 2 * with_rest, 0.0))
            value = np.where(free, np.round(self.mean + optimism * spread, 9), -np.inf)
            order = np.argsort(-value, kind="stable")[: min(LOOKAHEAD, int(free.sum()))]
            new = (e for e in order if tuple(self._with(state, e)) not in self.seen)
            element = int(next(new, order[0]))
            state = self._with(state, element)
            mean += float(self.mean[element])
            variance += float(self.variance[element] + 2 * with_rest[element])
            with_rest = with_rest + self._covariance(element)
            free &= self.word != self.word[element]
            plans.append(Prospect(mean, max(variance, 0.0) ** 0.5, tuple(state)))
        return [plan for plan in plans if plan.state not in self.seen]

    def _with(self, state: list[int], element: int) -> list[int]:
        changed = state.copy()
        changed[self.word[element]] = int(self.choice[element])
        return changed

    def _prior(self, rows: Floats) -> Floats:
        """Covariances of sums of effects with every effect, before any answer."""
        shared = ((rows @ self._of_word) * self._size)[:, self.word]
        return np.asarray(SHARE_OWN * rows * self._size[self.word] + SHARE_COMMON * shared)

    def _fit(self) -> None:
        """Mean and variance of every effect, given the answers and the sizes of effects."""
        usual = float(self._size[self._counts > 0].mean())
        noise = NOISE * usual * self._rows.sum(axis=1) + CLIP
        prior = self._prior(self._rows)
        root = np.linalg.inv(np.linalg.cholesky(prior @ self._rows.T + np.diag(noise)))
        mean = PRIOR_MEAN * usual**0.5
        rest = root @ (self._gains - mean * self._rows.sum(axis=1))
        self._explained = root @ prior
        self._weights, self._precision = root.T @ rest, root.T @ root
        self.mean = mean + self._explained.T @ rest
        known = (self._explained**2).sum(axis=0)
        self.variance = np.maximum((SHARE_OWN + SHARE_COMMON) * self._size[self.word] - known, 0.0)

    def _resize(self) -> None:
        """One step of expectation maximisation for the size of each word's effects."""
        by_word = self._rows @ self._of_word
        weights = self._rows.T @ self._weights
        fitted = SHARE_OWN * weights**2 @ self._of_word
        fitted += SHARE_COMMON * (weights @ self._of_word) ** 2
        own = (self._rows * (self._precision @ self._rows)).sum(axis=0)
        expected = SHARE_OWN * own @ self._of_word
        expected += SHARE_COMMON * (by_word * (self._precision @ by_word)).sum(axis=0)
        total = np.maximum(self._size * self._counts + self._size**2 * (fitted - expected), 0.0)
        usual = (PRIOR_WEIGHT * PRIOR_SIZE**2 + total.sum()) / (PRIOR_WEIGHT + self._counts.sum())
        self._size = (SHRINKAGE * usual + total) / (SHRINKAGE + self._counts)

    def _covariance(self, element: int) -> Floats:
        """Covariances of one effect with every effect, after the answers."""
        row = np.zeros((1, len(self.word)))
        row[0, element] = 1.0
        return np.asarray(self._prior(row)[0] - self._explained.T @ self._explained[:, element])
