"""What answers tell about effects, against the textbook's formula for Gaussian sums."""

import numpy as np
import pytest

from core.search.evidence import CLIP, NONE, SHARE_COMMON, SHARE_OWN, Evidence

WORDS, COLUMNS = 4, 9
WORD = np.array([0, 0, 1, 1, 1, 2, 3, 3, 0])  # of each column
SIZE = np.array([0.5, 1.0, 0.2, 2.0])
MEAN, NOISE = 0.3, 0.05


def answers(seed: int, count: int = 12) -> list[tuple[np.ndarray, float]]:
    """Sums of one column of each of some words."""
    rng = np.random.default_rng(seed)
    result = []
    for _ in range(count):
        words = rng.permutation(WORDS)[: rng.integers(1, WORDS + 1)]
        columns = np.array([rng.choice(np.flatnonzero(word == WORD)) for word in words])
        result.append((columns, float(rng.normal(0.5))))
    return result


def posterior(heard: list[tuple[np.ndarray, float]]) -> tuple[np.ndarray, np.ndarray]:
    """Mean and covariance of the effects; a last column for each word has no answer."""
    word = np.concatenate([WORD, np.arange(WORDS)])
    prior = SHARE_COMMON * SIZE[word] * (word[:, None] == word)
    prior += SHARE_OWN * np.diag(SIZE[word])
    has = np.zeros((len(heard), len(word)))
    for row, (columns, _) in zip(has, heard, strict=True):
        row[columns] = 1.0
    changed = has.sum(axis=1)
    covariance = has @ prior @ has.T + np.diag(NOISE * changed + CLIP)
    gain = prior @ has.T @ np.linalg.inv(covariance)
    gains = np.array([value for _, value in heard])
    return MEAN + gain @ (gains - MEAN * changed), prior - gain @ has @ prior


def one_by_one(heard: list[tuple[np.ndarray, float]]) -> Evidence:
    evidence = Evidence(WORDS)
    evidence.fit(SIZE, MEAN, NOISE)
    evidence.widen(WORD)
    for columns, gain in heard:
        evidence.add(columns, gain)
    return evidence


def at_once(heard: list[tuple[np.ndarray, float]]) -> Evidence:
    evidence = one_by_one([])
    evidence.extend([columns for columns, _ in heard], [gain for _, gain in heard], len(heard))
    evidence.fit(SIZE, MEAN, NOISE)
    return evidence


@pytest.mark.parametrize("make", [one_by_one, at_once])
@pytest.mark.parametrize("seed", range(3))
def test_effects_are_those_of_the_textbook(make, seed: int) -> None:  # type: ignore[no-untyped-def]
    heard = answers(seed)
    evidence, (mean, covariance) = make(heard), posterior(heard)
    assert np.concatenate(evidence.means()) == pytest.approx(mean, abs=1e-9)
    assert np.concatenate(evidence.variances()) == pytest.approx(np.diag(covariance), abs=1e-9)


def test_what_a_sum_of_effects_has_in_common_with_others() -> None:
    heard = answers(5)
    evidence, (_, covariance) = one_by_one(heard), posterior(heard)
    words, columns = np.array([1, 2]), np.array([3, NONE])  # the second has no column
    members = [3, COLUMNS + 2]
    taken, *both = evidence.together(evidence.with_answers(words, columns))
    variance = covariance[np.ix_(members, members)].sum()
    assert SIZE[words].sum() - taken == pytest.approx(variance)
    others = np.flatnonzero(~np.isin(np.concatenate([WORD, np.arange(WORDS)]), words))
    expected = covariance[members].sum(axis=0)[others]
    assert np.concatenate(both)[others] == pytest.approx(expected, abs=1e-9)


def test_only_the_last_answers_are_kept() -> None:
    heard = answers(2)
    evidence = one_by_one(heard[:4])
    evidence.extend([c for c, _ in heard[4:]], [gain for _, gain in heard[4:]], 6)
    evidence.fit(SIZE, MEAN, NOISE)
    assert np.concatenate(evidence.means()) == pytest.approx(posterior(heard[-6:])[0], abs=1e-9)
