"""How good a victim's probabilities are: accuracy, calibration, temperature."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.victims.protocol import Victim, given
from core.victims.training.data import Example

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


def accuracy(probabilities: Floats, labels: Labels) -> float:
    """The share of rows whose most probable class is right."""
    return float(np.mean(probabilities.argmax(axis=1) == labels))


def calibration_error(probabilities: Floats, labels: Labels, bins: int = 15) -> float:
    """The expected gap between confidence and accuracy (ECE; Guo et al., 2017)."""
    confidence = probabilities.max(axis=1)
    right = probabilities.argmax(axis=1) == labels
    bin_of = np.minimum((confidence * bins).astype(int), bins - 1)
    gaps = [
        abs(float(np.sum(confidence[bin_of == b]) - np.sum(right[bin_of == b])))
        for b in range(bins)
    ]
    return sum(gaps) / len(labels)


def softmax(scores: Floats) -> Floats:
    """Probabilities of class scores."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def log_loss(scores: Floats, labels: Labels) -> float:
    """The mean negative log-probability of the right class."""
    chosen = softmax(scores)[np.arange(len(labels)), labels]
    return float(-np.mean(np.log(np.maximum(chosen, 1e-12))))


def best_temperature(scores: Floats, labels: Labels) -> float:
    """The temperature, on a grid from 0.5 to 4, with the smallest log-loss."""
    grid = np.round(np.arange(0.5, 4.01, 0.05), 2)
    return float(min(grid, key=lambda t: log_loss(scores / t, labels)))


def predict_rows(victim: Victim, rows: Sequence[Example]) -> Floats:
    """Probabilities of labelled rows; a victim of entailment is asked premise by premise."""
    if not any(row.context for row in rows):
        return victim.predict([row.text for row in rows])
    result = np.empty((len(rows), len(victim.labels)))
    by_premise: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        by_premise.setdefault(row.context, []).append(number)
    for premise, numbers in by_premise.items():
        fixed = given(victim, {"premise": premise})
        result[numbers] = fixed.predict([rows[number].text for number in numbers])
    return result
