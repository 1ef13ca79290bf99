"""The paper's claims against figures whose numbers are known."""

from pathlib import Path

import pytest

from core.experiment import runner
from core.experiment.claims import (
    Figures,
    Finding,
    all_claims,
    figures_of,
    figures_table,
    findings,
)
from core.experiment.engines import Local
from tests.toys.experiment import plan

FAMILY = {"pso": 6, "greedy": 6, "ga": 2, "sbgs": 4, "ibgs": 6, "sgs": 8}


def figures(plan: str, ours: list[float], theirs: list[float], other: str = "sgs") -> Figures:
    """Requests are ten, and as many more as an input's success."""
    numbers = {"ls": ours, other: theirs}
    values = {
        search: {"success": each, "requests": [10 + one for one in each], "queries": each}
        for search, each in numbers.items()
    }
    return Figures(plan, "bidaf-squad", len(ours), dict.fromkeys(numbers, 1), values)


def finding(other: str, measure: str, *measured: Figures) -> Finding:
    (found,) = (
        each
        for each in findings(measured)
        if (each.claim.other, each.claim.measure) == (other, measure)
    )
    return found


def test_the_papers_own_tables_are_counted() -> None:
    found = findings([])
    assert [each.claim for each in found] == list(all_claims())
    for each in found:
        lost = (each.claim.other, each.claim.measure) == ("pso", "success")  # IMDB with BERT
        of = FAMILY[each.claim.other]
        assert each.in_paper == (of - lost, of), each.claim.text
        assert each.verdict == "cannot be told here"
        assert each.sentence.endswith("not measured here.")


def test_a_claim_holds_does_not_or_cannot_be_told() -> None:
    won, lost = [1.0] * 30 + [0.0] * 10, [0.0] * 38 + [1.0] * 2
    holds = finding("sgs", "success", figures("squad-bidaf", won, lost))
    assert (holds.verdict, holds.inputs, holds.here) == ("holds here", 40, (1, 1))
    assert holds.sentence.startswith(
        "Local search succeeds more often than SGS: holds here; in the paper in 8 of 8 scenarios, "
        "here in 1 of 1: 75.0% against 5.0% over 40 inputs (95 % interval of the gain: "
    )
    fails = finding("sgs", "success", figures("squad-bidaf", lost, won))
    assert (fails.verdict, fails.here) == ("does not hold here", (0, 1))
    same = finding("sgs", "success", figures("squad-bidaf", won, won))
    assert same.verdict == "cannot be told here"
    few = finding("sgs", "success", figures("squad-bidaf", [1.0] * 5, [0.0] * 5))
    assert (few.verdict, few.inputs) == ("cannot be told here", 5)


def test_less_than_twice_the_requests_is_not_fewer_requests() -> None:
    found = finding("sgs", "requests", figures("squad-bidaf", [9.0] * 20, [0.0] * 20))
    assert found.verdict == "holds here"  # 19 against 10
    beyond = finding("sgs", "requests", figures("squad-bidaf", [11.0] * 20, [0.0] * 20))
    assert beyond.verdict == "does not hold here"


def test_scenarios_are_pooled_and_others_left_out() -> None:
    one = figures("squad-bidaf", [1.0] * 10, [0.0] * 10)
    two = figures("newstest-convs2s", [0.0] * 10, [1.0] * 10)
    none = figures("squad-elmo", [], [])
    other = figures("mr-cnn-embedding", [1.0] * 10, [0.0] * 10, "ibgs")
    found = finding("sgs", "success", one, two, none, other)
    assert (found.inputs, found.here, found.verdict) == (20, (1, 2), "cannot be told here")


def test_figures_of_a_run_hold_numbers_and_no_texts(tmp_path: Path) -> None:
    what = plan(goals=["untargeted"], limits={"rows": 4})
    results = runner.run(what, tmp_path / "small.results.jsonl", tmp_path, Local(2))
    found = figures_of(results)
    pso = next(choice.name for choice in what.searches if choice.method == "pso")
    assert found.runs == {"ls": 1, "greedy": 1, pso: 2}
    assert found.inputs == len(results.correct("toy"))
    for search, measures in found.values.items():
        records = [each for each in results.attacks if each.search == search]
        total = sum(each.requests for each in records)
        assert sum(measures["requests"]) * found.runs[search] == pytest.approx(total)
        assert len(measures["success"]) == found.inputs
    half = results.attacks[:-1]
    assert figures_of(type(results)(**{**vars(results), "attacks": half})).inputs == found.inputs
    first = tuple(each for each in results.attacks if each.search == "ls" or each.row != 1)
    fewer = figures_of(type(results)(**{**vars(results), "attacks": first}))
    assert fewer.inputs == found.inputs - (1 in {each.row for each in results.attacks})


def test_the_table_has_the_papers_row_behind_each_search() -> None:
    table = figures_table([figures("squad-bidaf", [1.0, 0.0], [0.0, 0.0])])
    assert [cell[0].text for cell in table.rows[0]] == [
        *("squad-bidaf", "bidaf-squad", "ls", "2", "1"),
        *("50.0", "22.88", "10.5", "61", "0.5"),
    ]
