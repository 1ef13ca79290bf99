"""The statistics of the measured searches."""

import numpy as np
import pytest

from tests.tools.measure_swift import SETTINGS, area, interval, mcnemar, merged, renewed


def test_the_paired_statistics() -> None:
    ours, theirs = np.array([True] * 9 + [False]), np.array([True] * 3 + [False] * 6 + [True])
    assert mcnemar(ours, theirs) == pytest.approx(2 * (1 + 7) / 2**7)
    assert mcnemar(ours, ours) == 1.0
    assert area(np.array([5, 20, 60, 2000]), 60).tolist() == [1.0, 1.0, 1 / 41, 0.0]
    low, high = interval(np.array([0.0, 1.0] * 50))
    assert 0.38 < low < 0.5 < high < 0.62


def test_a_setting_measured_anew_takes_its_old_place() -> None:
    first, second = (
        dict(zip(("victim", "substitution", "sentences"), s, strict=False)) for s in SETTINGS[:2]
    )
    assert merged([first, second], {**first, "new": True}) == [{**first, "new": True}, second]
    assert merged([second], first) == [first, second]


def test_one_search_measured_anew_needs_the_same_local_search() -> None:
    old = {"victim": "v", "weights": "w", "searches": {"ls": 1, "swift": 2, "ls-label": 3}}
    new = {"victim": "v", "weights": "w", "searches": {"ls": 1, "ls-label": 4}}
    assert renewed(old, new)["searches"] == {"ls": 1, "swift": 2, "ls-label": 4}
    for other in ({**new, "weights": "x"}, {**new, "searches": {"ls": 5, "ls-label": 4}}):
        with pytest.raises(SystemExit, match="has changed"):
            renewed(old, other)
