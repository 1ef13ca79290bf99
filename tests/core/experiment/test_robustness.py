"""Which inputs fall to which search."""

from dataclasses import replace
from pathlib import Path

from core.experiment import runner
from core.experiment.engines import Local
from core.experiment.robustness import robustness, robustness_table
from core.experiment.tables import Part
from tests.toys.experiment import plan
from tests.toys.records import LS, PSO, record, results


def test_an_input_falls_to_whoever_succeeds_in_any_run() -> None:
    (report,) = robustness(results(*LS, *PSO))
    assert report.rows == {1, 2, 3, 4} == report.all_fallen
    assert {who: set(rows) for who, rows in report.fallen.items()} == {
        "ls": {1, 3},
        "pso": {1, 2, 3, 4},
    }
    assert (report.only_fallen_to("ls"), report.only_fallen_to("pso")) == (
        frozenset(),
        frozenset({2, 4}),
    )
    assert report.sentence == (
        "Of 4 inputs, 4 fall to someone: 4 to pso, 2 to ls. 0 withstand them all."
    )
    table = robustness_table([report])
    assert table.rows[1][3:] == ((Part("pso"),), (Part("4 of 4"),), (Part("2"),))


def test_a_portfolio_is_counted_by_its_members_and_unfinished_inputs_are_left_out() -> None:
    won = [
        replace(record(1, "portfolio", "success", 9), member="swift"),
        replace(record(2, "portfolio", "success", 9), member="ls"),
        record(3, "portfolio", "failed", 9),
    ]
    (report,) = robustness(results(*LS[:3], *won, searches=["ls", "portfolio"]))
    assert set(report.rows) == {1, 2, 3}
    assert report.fallen == {"ls": {1, 3}, "portfolio: swift": {1}, "portfolio: ls": {2}}
    (none,) = robustness(results(record(1, "ls", "failed", 3), searches=["ls"]))
    assert none.sentence == "Of 1 inputs, 0 fall to someone. 1 withstands them all."


def test_a_portfolios_record_names_the_member_that_succeeded(tmp_path: Path) -> None:
    what = plan(searches=["portfolio"], goals=["untargeted"], limits={"rows": 6})
    found = runner.run(what, tmp_path / "r.jsonl", tmp_path, Local(2))
    assert {each.member for each in found.attacks if each.status == "success"} == {"swift"}
    assert all(not each.member for each in found.attacks if each.status != "success")
