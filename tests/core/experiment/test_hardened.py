"""What adversarial training has brought."""

from dataclasses import asdict, replace

import pytest

from core import assets
from core.experiment.hardened import Report, drops
from core.experiment.inputs import Input
from core.experiment.plan import SearchChoice
from core.experiment.records import AttackRecord
from core.experiment.results import Results
from core.statistics import Interval
from tests.toys import experiment as parts


def record(victim: str, row: int, status: str, queries: int) -> AttackRecord:
    key = (row, victim, "toy", "untargeted", "ls", 0)
    return AttackRecord(*key, status, queries, 2 * queries)


def test_the_drop_is_over_the_rows_that_both_get_right() -> None:
    plan = parts.plan(victims=["toy", "cnn-sst2"], searches=["ls"])
    inputs = {row: Input(row, "a text", ("positive",)) for row in range(1, 13)}
    before = [record("toy", row, "success", 10) for row in range(1, 11)]
    after = [record("cnn-sst2", row, "failed", 20) for row in range(2, 11)]
    after += [record("cnn-sst2", 11, "success", 40), record("cnn-sst2", 12, "error", 0)]
    (drop,) = drops(Results(plan, inputs, (), {}, (*before, *after)))
    assert (drop.before.attacked, drop.before.success, drop.before.queries) == (10, 1.0, 10.0)
    assert (drop.after.attacked, drop.after.success, drop.after.requests) == (10, 0.1, 44.0)
    assert drop.both == 9
    assert drop.drop == Interval(1.0, 1.0, 1.0)
    assert drop.p == drop.corrected == pytest.approx(2 / 2**9)
    assert drop.verdict == "fewer successes"
    assert replace(drop, drop=Interval(-1.0, -1.0, -1.0)).verdict == "more successes"
    (nothing,) = drops(Results(plan, inputs, (), {}, ()))
    assert nothing.both == 0
    plan = replace(plan, searches=(SearchChoice("ls"), SearchChoice("greedy")))
    more = [replace(each, search="greedy") for each in (*before, *after)]
    two = drops(Results(plan, inputs, (), {}, (*before, *after, *more)))
    assert [each.corrected for each in two] == [2 * drop.p] * 2
    assert nothing.verdict == "no difference found"
    assert nothing.rows_needed is None


def test_the_measured_run_says_how_many_rows_its_drop_needs() -> None:
    report = Report.of_plain(assets.read_json("hardening/cnn-sst2.json"))
    first = report.drops[0]
    assert first.verdict == "fewer successes"
    # Its interval, of so many rows, is narrow enough to miss 0 in four of five tries.
    needed = first.rows_needed
    assert needed is not None
    half = (first.drop.high - first.drop.low) / 2
    shrunk = half * (first.both / needed) ** 0.5
    assert shrunk * (1.96 + 0.84) / 1.96 == pytest.approx(first.drop.value, rel=0.01)
    again = Report.of_plain({**asdict(report), "drops": [asdict(each) for each in report.drops]})
    assert again == report
