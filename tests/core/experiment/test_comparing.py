"""Searches compared on the same inputs."""

from dataclasses import replace

import pytest

from core.experiment.comparing import compare
from core.experiment.records import AttackRecord
from tests.toys.records import record, results


def many(search: str, wins: int, queries: int) -> list[AttackRecord]:
    """Twelve inputs that differ a little in their queries."""
    made = (record(1, search, "success" if n < wins else "failed", queries + n) for n in range(12))
    return [replace(each, row=n) for n, each in enumerate(made, start=1)]


def test_searches_are_compared_on_the_same_inputs() -> None:
    searches = ["ls", "greedy", "ga", "random"]
    attacks = (
        *many("ls", 12, 100),
        *many("greedy", 2, 50),
        *(replace(each, seed=seed) for seed in (0, 1) for each in many("ga", 12, 100)),
    )
    found = compare(results(*attacks, searches=searches))
    assert [(each.what, each.first, each.second, each.inputs) for each in found] == [
        ("success", "ls", "greedy", 12),
        ("queries", "ls", "greedy", 12),
        ("success", "ls", "ga", 12),
        ("queries", "ls", "ga", 12),
    ]  # random has not attacked anything
    assert [each.verdict for each in found] == [
        "ls succeeds more often than greedy",
        "ls needs more queries than greedy",
        "ls and ga: no difference found",
        "ls and ga: no difference found",
    ]
    assert found[0].p == pytest.approx(2 * 0.5**10)
    assert found[0].corrected == pytest.approx(3 * found[0].p)
    assert found[1].corrected == pytest.approx(4 * found[1].p)
    assert found[2].p == found[3].p == 1.0
    weak = compare(results(*many("ls", 3, 100), *many("greedy", 2, 100), searches=searches))
    assert weak[0].verdict == "ls and greedy: no difference found"
    assert weak[0].first_value > weak[0].second_value
    turned = compare(results(*attacks, searches=["greedy", "ls", "ga"]))
    assert turned[0].verdict == "ls succeeds more often than greedy"
