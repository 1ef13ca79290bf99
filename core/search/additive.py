"""A running guess at what each substitute adds to the log-odds of success.

Log-odds add up over words nearly exactly for the victims measured here (assets/swift), so that one
answer about a sentence with many changed words tells something about each of them.
"""

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.objective import Candidate, Floats
from core.search.evidence import CLIP, NOISE, NONE, Evidence
from core.space import Ints, Moves, State

PRIOR_SIZE, PRIOR_WEIGHT = 0.6, 40  # the usual effect at first, worth so many substitutes
SHRINKAGE = 6  # how strongly the words keep to a common size of effects
PRIOR_MEAN = 0.15  # of the usual effect: substitutes help a little more often than not
MEMORY = 300  # answers that are kept, the last ones, so that a fit stays quick on long texts
LOOKAHEAD = 12  # how many next best substitutes to look through for a sentence not asked about
WORK = 1e6  # what a new fit may cost for each answer since the last one, in multiplications
ONE_BY_ONE = 16  # changed words, up to which a plan is weighed anew with each
DIGITS = 1e9  # values are compared to so many parts of one: rounding must not decide


class Prospect(NamedTuple):
    """A sentence with what it is expected to gain in log-odds, and how uncertain that is."""

    mean: float
    deviation: float
    chosen: tuple[int, ...]  # its substitutes


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
        self._origin = self._failed = self._log_odds(origin)
        self._reached = np.inf
        self._able = np.flatnonzero(counts)  # the words that have substitutes
        self._counts = counts[self._able]
        ends = np.cumsum(counts, dtype=np.intp)
        self._first = ends - counts  # the first substitute of each word
        self._place = np.cumsum(counts > 0) - 1  # of a word among those that have substitutes
        self._word = np.repeat(np.arange(len(counts)), counts)  # of each substitute
        self.seen: set[State] = set()
        self._lengths_seen: set[int] = set()
        self._column = np.full(len(self._word), NONE)  # of each substitute in the evidence
        self._substitutes = np.zeros(0, dtype=np.intp)  # of each column
        self._fresh = self._first[self._able]  # the first substitute of a word without one
        self._ends = ends[self._able]
        self._size = np.full(len(self._able), PRIOR_SIZE**2)  # the variance of a word's effects
        self._evidence = Evidence(len(self._able))
        self._unfitted = 0  # answers taken in since the sizes were fitted
        self._see(origin.state)
        self._fit()

    @property
    def bar(self) -> float:
        """The gain at which success is expected: even odds, as far as the answers agree."""
        return min(max(0.0, self._failed), self._reached) - self._origin

    def state(self, chosen: Sequence[int]) -> State:
        """The sentence with some substitutes."""
        state = [0] * len(self._first)
        for substitute in chosen:
            word = int(self._word[substitute])
            state[word] = substitute - int(self._first[word]) + 1
        return tuple(state)

    def _log_odds(self, answer: Candidate) -> float:
        return log_odds(answer.score / self._largest)

    def learn(self, answers: Sequence[Candidate]) -> None:
        """Take in by how much the log-odds of sentences lie above the original's."""
        new = {answer.state: answer for answer in answers if answer.state not in self.seen}
        for state in new:
            self._see(state)
        # beyond a hard limit a score is minus infinity: not an answer of the victim
        heard = [answer for answer in new.values() if np.isfinite(answer.score)]
        for answer in heard:
            odds = self._log_odds(answer)
            if answer.success:
                self._reached = min(self._reached, odds)
            else:
                self._failed = max(self._failed, odds)
        if heard:
            self._take_in(heard)

    def order(self, moves: Moves) -> NDArray[np.intp]:
        """The moves' numbers, the one that is expected to gain most first."""
        gains = self.guess(moves.bases)[moves.base]
        effects = self._effects()
        for position, choice in ((moves.position, moves.choice), (moves.restored, None)):
            at = np.flatnonzero(position >= 0)
            where = position[at]
            gains[at] -= self._of(effects, where, moves.bases[moves.base[at], where])
            if choice is not None:
                gains[at] += self._of(effects, where, choice[at])
        return np.argsort(-np.rint(gains * DIGITS), kind="stable")

    def guess(self, states: Ints) -> Floats:
        """What sentences are expected to gain."""
        words = np.broadcast_to(np.arange(states.shape[1]), states.shape)
        return np.asarray(self._of(self._effects(), words, states).sum(axis=1))

    def plans(self, most: int, optimism: float) -> Iterator[Prospect]:
        """The most promising new sentence of 1, 2, ... ``most`` changed words, word by word.

        Promising is the mean plus ``optimism`` deviations. Each plan is worked out when it is asked
        for. Where many words are changed already several join them before the next are weighed.
        """
        live, pick = self._live()
        means, variances = self._evidence.means(), self._evidence.variances()
        mean, variance = np.concatenate(means)[pick], np.concatenate(variances)[pick]
        word = self._word[live]
        starts = np.searchsorted(word, np.arange(len(self._first) + 1))
        taken = np.zeros(len(live), dtype=bool)
        chosen: list[int] = []
        total, doubt, with_rest = 0.0, 0.0, np.zeros(len(live))
        apart, with_answers = 0.0, np.zeros(len(self._evidence))
        most = min(most, len(self._able))
        while len(chosen) < most:
            spread = np.sqrt(np.maximum(doubt + variance + 2 * with_rest, 0.0))
            value = np.rint((mean + optimism * spread) * DIGITS)
            value[taken] = -np.inf
            before = len(chosen)
            group = 1 + max(0, before - ONE_BY_ONE) // 2
            for _ in range(min(group, most - before)):
                at = self._next(value, live, chosen)
                chosen.append(int(live[at]))
                total += float(mean[at])
                doubt += float(variance[at] + 2 * with_rest[at])
                own = slice(*starts[word[at] : word[at] + 2])
                value[own], taken[own] = -np.inf, True
                if self._is_new(chosen):
                    yield Prospect(total, sqrt(max(doubt, 0.0)), tuple(chosen))
            if len(chosen) < most:
                added = chosen[before:]
                words = self._place[self._word[added]]
                apart += float(self._size[words].sum())
                with_answers += self._evidence.with_answers(words, self._column[added])
                known, *both = self._evidence.together(with_answers)
                doubt, with_rest = apart - known, np.concatenate(both)[pick]

    def _next(self, value: Floats, live: NDArray[np.intp], chosen: list[int]) -> int:
        """The best substitute to add, if possible one that makes a sentence not asked about."""
        best = int(np.argmax(value))
        if self._is_new([*chosen, int(live[best])]):
            return best
        free = int(np.isfinite(value).sum())
        order = np.argsort(-value, kind="stable")[1 : min(LOOKAHEAD, free)]
        new = (at for at in order if self._is_new([*chosen, int(live[at])]))
        return int(next(new, best))

    def _is_new(self, chosen: Sequence[int]) -> bool:
        """Whether a sentence was not asked about."""
        return len(chosen) not in self._lengths_seen or self.state(chosen) not in self.seen

    def _live(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The substitutes worth a look, in order, and where they stand behind the columns.

        They are those asked about and the first other one of each word: the others are like it.
        """
        look = self._column != NONE
        look[self._fresh[self._fresh < self._ends]] = True
        live = np.flatnonzero(look)
        column, behind = (
            self._column[live],
            len(self._evidence.word) + self._place[self._word[live]],
        )
        return live, np.where(column != NONE, column, behind)

    def _see(self, state: State) -> None:
        self.seen.add(state)
        self._lengths_seen.add(sum(map(bool, state)))

    def _effects(self) -> Floats:
        """The expected effect of every substitute."""
        columns, others = self._evidence.means()
        effects = np.repeat(others, self._counts)
        effects[self._substitutes] = columns
        return effects

    def _of(self, effects: Floats, words: NDArray[Any], choices: Ints) -> Floats:
        """The effects of choices; an original word has none."""
        at = np.minimum(self._first[words] + np.maximum(choices, 1) - 1, len(effects) - 1)
        return np.where(choices > 0, effects[at], 0.0)

    def _take_in(self, heard: Sequence[Candidate]) -> None:
        """Learn from answers; the sizes of effects are fitted too when that is due.

        It is due with every answer, as long as it is quick.
        """
        evidence = self._evidence
        known = len(evidence) + len(heard)
        self._unfitted += len(heard)
        due = self._unfitted >= min(known**2 * len(self._substitutes) / WORK, known / 4)
        columns = [self._columns_of(answer.state) for answer in heard]
        gains = [self._log_odds(answer) - self._origin for answer in heard]
        if len(heard) == 1 and known <= MEMORY + MEMORY // 8:
            evidence.add(columns[0], gains[0])
        else:
            evidence.extend(columns, gains, MEMORY)
            self._fit()
            due = True
        if due:
            self._resize()
            self._fit()
            self._unfitted = 0

    def _columns_of(self, state: State) -> NDArray[np.intp]:
        """The columns of a sentence's substitutes in the evidence, made where there is none."""
        words = np.flatnonzero(state)
        substitutes = self._first[words] + np.array(state)[words] - 1
        new = substitutes[self._column[substitutes] == NONE]
        self._column[new] = np.arange(len(self._substitutes), len(self._substitutes) + len(new))
        self._substitutes = np.concatenate([self._substitutes, new])
        places = self._place[self._word[new]]
        for place in places.tolist():
            while (
                self._fresh[place] < self._ends[place] and self._column[self._fresh[place]] != NONE
            ):
                self._fresh[place] += 1
        self._evidence.widen(places)
        columns: NDArray[np.intp] = self._column[substitutes]
        return columns

    def _fit(self) -> None:
        """Work out anew what the answers tell, given the sizes of effects."""
        usual = float(self._size.mean()) if len(self._size) else 0.0
        self._evidence.fit(self._size, PRIOR_MEAN * usual**0.5, NOISE * usual)

    def _resize(self) -> None:
        """One step of expectation maximisation for the size of each word's effects."""
        told = self._evidence.expectation()
        total = np.maximum(self._size * self._counts + self._size**2 * told, 0.0)
        usual = (PRIOR_WEIGHT * PRIOR_SIZE**2 + total.sum()) / (PRIOR_WEIGHT + self._counts.sum())
        self._size = (SHRINKAGE * usual + total) / (SHRINKAGE + self._counts)
