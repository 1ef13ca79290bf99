"""Accuracy and calibration."""

from pathlib import Path

import numpy as np
import pytest

from core.victims import given
from core.victims.neural import load
from core.victims.training import data, measure
from tests.toys import victim_parts
from tests.toys.victim_parts import train_tiny


def test_calibration_error_is_the_gap_between_confidence_and_accuracy() -> None:
    probabilities = np.array([[0.9, 0.1]] * 10)
    labels = np.array([0] * 6 + [1] * 4)
    assert measure.accuracy(probabilities, labels) == pytest.approx(0.6)
    assert measure.calibration_error(probabilities, labels) == pytest.approx(0.3)


def test_the_temperature_undoes_overconfidence() -> None:
    scores = np.array([[4.0, 0.0]] * 10)
    labels = np.array([0] * 7 + [1] * 3)  # right in 70 %, so log(7/3) = 0.85 would be honest
    assert measure.best_temperature(scores, labels) == pytest.approx(4.0)
    assert measure.best_temperature(scores / 4, labels) == pytest.approx(1.2, abs=0.1)


def test_rows_of_pairs_are_asked_premise_by_premise(tmp_path: Path) -> None:
    train_tiny("dnn", tmp_path)
    victim = load("dnn", tmp_path)
    rows = victim_parts.pair_rows(12, 9)
    found = measure.predict_rows(victim, rows)
    for row, probabilities in zip(rows, found, strict=True):
        alone = given(victim, {"premise": row.context}).predict([row.text])[0]
        assert np.abs(alone - probabilities).max() < 1e-5
    assert isinstance(rows[0], data.Example)
