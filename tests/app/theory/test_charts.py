"""Figures of the Theory page."""

from random import Random

import numpy as np

from app.theory import charts
from core import theory


def test_the_histogram_counts_every_gap() -> None:
    values = np.array([-2e-3, -1e-7, 1e-7, 1e-3, 2e-3])
    figure = charts.gaps(values, 1e-6)
    assert [int(np.sum(bar.y)) for bar in figure.data] == [3, 2]
    assert [int(np.sum(bar.y)) for bar in charts.gaps(np.zeros(4), 0.0).data] == [4, 0]


def test_the_landscape_draws_what_it_is_given() -> None:
    rng = Random(1)
    table = np.array([rng.random() for _ in range(27)]).reshape(3, 3, 3)
    land = theory.landscape(table)
    marks = {"local optima": (np.array([1, 2]), "markers", charts.RED)}
    names = [str(place) for place in range(27)]
    figure = charts.landscape(land.changed, table.ravel(), np.arange(27), names, marks)
    assert sum(len(part.x) for part in figure.data) == 27 + 2
    assert figure.data[0].x[0] == 0  # the original stands alone in its layer
    assert list(figure.data[-1].y) == [table.ravel()[1], table.ravel()[2]]


def test_the_certificate_is_sorted() -> None:
    gains = np.array([-0.2, 0.1, -0.1])
    figure = charts.certificate(gains, ["insert", "delete", "insert"], ["x", "y", "z"])
    points = sorted((x, y) for part in figure.data for x, y in zip(part.x, part.y, strict=True))
    assert points == [(1, 0.1), (2, -0.1), (3, -0.2)]
