"""What answers about whole sentences tell about the effect of each substitute."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.objective import Floats

Numbers: TypeAlias = NDArray[np.intp]

SHARE_OWN, SHARE_COMMON = 0.45, 0.55  # of an effect: the substitute's, and its whole word's
NOISE = 0.02  # a changed word's part in what does not add up
CLIP = 1e-6  # the least noise
NONE = -1  # no column


class Evidence:
    """Gaussian effects given answers about their sums.

    An effect has a part of its own and one that it shares with the other substitutes of its word.
    Only substitutes that occur in an answer have a column here: all others of a word are alike.
    ``root`` makes the answers independent, so that one more answer is one more row of it, and what
    the answers tell is a few sums over its rows.
    """

    def __init__(self, words: int) -> None:
        self.words = words
        self.word: Numbers = np.zeros(0, dtype=np.intp)  # of each column
        self.at: Numbers = np.zeros((0, words), dtype=np.intp)  # each answer's column of each word
        self.gains = np.zeros(0)  # of the answers

    def __len__(self) -> int:
        return len(self.gains)

    def widen(self, words: Numbers) -> None:
        """A column for one more substitute of each of these words."""
        self.word = np.concatenate([self.word, words])
        for name in ("own", "cross", "weight"):
            values = getattr(self, name)
            setattr(self, name, np.concatenate([values, np.zeros(len(words))]))

    def fit(self, size: Floats, mean: float, noise: float) -> None:
        """Work everything out anew, for these variances and this mean of effects."""
        self.size, self.mean, self.noise = size, mean, noise
        changes = self.at != NONE
        self.row, words = np.nonzero(changes)
        self.column = self.at[self.row, words]
        has, has_word = np.zeros((len(self), len(self.word))), changes.astype(np.float64)
        has[self.row, self.column] = 1.0
        self.changed = has_word.sum(axis=1)
        prior = (SHARE_COMMON * size * has_word)[:, self.word]
        prior += SHARE_OWN * size[self.word] * has
        covariance = prior @ has.T
        covariance.flat[:: len(self) + 1] += noise * self.changed + CLIP
        self.root = np.linalg.inv(np.linalg.cholesky(covariance))
        rest = self.root @ (self.gains - mean * self.changed)
        own, common = self.root @ has, self.root @ has_word
        self.own = np.einsum("ij,ij->j", own, own)
        self.cross = np.einsum("ij,ij->j", own, common[:, self.word])
        self.common = np.einsum("ij,ij->j", common, common)
        self.weight, self.word_weight = rest @ own, rest @ common

    def add(self, columns: Numbers, gain: float) -> None:
        """Take in one more answer; the sizes of effects stay as they are."""
        words, count = self.word[columns], len(columns)
        seen = self.root @ self.with_answers(words, columns)
        total = self.size[words].sum() + self.noise * count + CLIP
        left = np.sqrt(max(total - seen @ seen, CLIP))
        new = np.append(-(seen @ self.root), 1.0) / left
        root = np.zeros((len(new), len(new)))
        root[:-1, :-1], root[-1] = self.root, new
        self.root = root
        at = np.full((1, self.words), NONE)
        at[0, words] = columns
        self.at = np.concatenate([self.at, at])
        self.row = np.concatenate([self.row, np.full(count, len(self.gains))])
        self.column = np.concatenate([self.column, columns])
        self.gains = np.append(self.gains, gain)
        self.changed = np.append(self.changed, count)
        rest = new @ (self.gains - self.mean * self.changed)
        own, common = self._over_columns(new)
        self.own += own**2
        self.cross += own * common[self.word]
        self.common += common**2
        self.weight += rest * own
        self.word_weight += rest * common

    def extend(self, columns: Sequence[Numbers], gains: Sequence[float], most: int) -> None:
        """Take in many answers and keep ``most``, the last ones; ``fit`` must follow."""
        at = np.full((len(columns), self.words), NONE)
        for row, own in zip(at, columns, strict=True):
            row[self.word[own]] = own
        self.at = np.concatenate([self.at, at])[-most:]
        self.gains = np.append(self.gains, gains)[-most:]

    def means(self) -> tuple[Floats, Floats]:
        """The expected effect of each column, and of each word's other substitutes."""
        other = self.mean + SHARE_COMMON * self.size * self.word_weight
        return other[self.word] + SHARE_OWN * self.size[self.word] * self.weight, other

    def variances(self) -> tuple[Floats, Floats]:
        """The same for their variances."""
        known = SHARE_COMMON**2 * self.common
        own = SHARE_OWN**2 * self.own + 2 * SHARE_OWN * SHARE_COMMON * self.cross
        size = self.size[self.word]
        column = size - size**2 * (own + known[self.word])
        return np.maximum(column, 0.0), np.maximum(self.size - self.size**2 * known, 0.0)

    def expectation(self) -> Floats:
        """One step of expectation maximisation: how far each word's size should move, unscaled."""
        told = SHARE_OWN * (self.weight**2 - self.own)
        common = SHARE_COMMON * (self.word_weight**2 - self.common)
        return np.asarray(np.bincount(self.word, told, self.words) + common)

    def with_answers(self, words: Numbers, columns: Numbers) -> Floats:
        """The covariance of a sum of effects with each answer, before any was heard.

        The column of an effect that has none is ``NONE``.
        """
        at = self.at[:, words]
        both = (at != NONE) @ (SHARE_COMMON * self.size[words])
        same = (at == columns) & (columns != NONE)
        return np.asarray(both + same @ (SHARE_OWN * self.size[words]))

    def together(self, with_answers: Floats) -> tuple[float, Floats, Floats]:
        """What the answers take from the variance of a sum of effects, and its covariances.

        They are those with each column and with another substitute of each word, and right for
        the words that are not in the sum.
        """
        seen = self.root @ with_answers
        own, common = self._over_columns(seen @ self.root)
        other = -SHARE_COMMON * self.size * common
        return float(seen @ seen), other[self.word] - SHARE_OWN * self.size[self.word] * own, other

    def _over_columns(self, values: Floats) -> tuple[Floats, Floats]:
        """The sums over the answers that have each column, and over those that change each word."""
        own = np.bincount(self.column, values[self.row], len(self.word))
        return np.asarray(own), np.asarray(np.bincount(self.word, own, self.words))
