"""Tables, the paper's figures beside them, exports, and transfer."""

import csv
import math
from dataclasses import replace
from pathlib import Path

import pytest
from pyarrow import parquet

from core import VICTIMS, InputError
from core.experiment import exporting, paper, runner
from core.experiment.engines import Local
from core.experiment.metrics import Scenario, ScenarioLine, Value, lines
from core.experiment.results import Results, changed_text
from core.experiment.robustness import robustness, robustness_table
from core.experiment.tables import (
    Part,
    ReportTable,
    definitions,
    detail_table,
    interval_table,
    latex_text,
    noted,
    paper_tables,
    shown,
)
from core.experiment.transferring import transfer, transfer_table
from tests.toys.experiment import plan
from tests.toys.records import LS, PSO, record, results


def test_the_paper_form_has_the_best_in_bold() -> None:
    (table,) = paper_tables(lines(results(*LS, *PSO)))
    assert table.text().splitlines() == [
        "toy substitution, untargeted: success (%) | mean requests, as the paper counts, over all "
        "attacked",
        "Search  toy",
        "-----------",
        "ls      50.00|50.0*",
        "pso     75.00±35.36*|150.0±70.7",
    ]
    assert table.markdown().splitlines()[2:] == [
        "| Search | toy |",
        "| --- | --- |",
        "| ls | 50.00 \\| **50.0** |",
        "| pso | **75.00±35.36** \\| 150.0±70.7 |",
    ]
    latex = table.latex()
    assert "ls & 50.00\\textbar{}\\textbf{50.0} \\\\" in latex
    assert "pso & \\textbf{75.00$\\pm$35.36}\\textbar{}150.0$\\pm$70.7 \\\\" in latex
    assert "success (\\%) \\textbar{} mean requests" in latex
    (queries,) = paper_tables(lines(results(*LS, *PSO)), "queries")
    assert "distinct queries" in queries.title
    assert queries.rows[0][1] == (Part("50.00"), Part("25.0", True))


def test_details_mark_the_best_of_each_scenario_and_nothing_without_a_rival() -> None:
    table = detail_table(lines(results(*LS, *PSO)))
    assert table.head[6:9] == ("Success (%)", "Queries", "Requests")
    assert table.rows[1][6] == (Part("75.00±35.36", True),)
    alone = detail_table(lines(results(*LS, searches=["ls"])))
    assert not any(part.best for row in alone.rows for cell in row for part in cell)
    empty = detail_table(lines(results(*LS)))
    assert empty.rows[1][6] == (Part("-"),)
    assert empty.rows[0][6] == (Part("50.00", True),)


def test_intervals_stand_behind_their_means() -> None:
    found = interval_table(lines(results(*LS, searches=["ls"])))
    assert found.text().splitlines() == [
        "Intervals (95 %, percentile bootstrap over the inputs)",
        "Victim  Substitution  Goal        Search  Success (%)           Queries            "
        "Requests           Modi. (%)",
        "-" * 111,
        "toy     toy           untargeted  ls      50.00 [0.00, 100.00]  25.0 [15.0, 35.0]  "
        "50.0 [30.0, 70.0]  16.35 [7.69, 25.00]",
    ]
    assert "| 50.00 [0.00, 100.00] | 25.0 [15.0, 35.0] |" in found.markdown()
    assert "ls & 50.00 [0.00, 100.00] & 25.0 [15.0, 35.0] &" in found.latex()
    (row,) = interval_table(lines(results(*LS[1:], searches=["ls"]))).rows
    assert row[-1] == (Part("7.69"),)  # one success
    (row,) = interval_table(lines(results(searches=["ls"]))).rows
    assert {part.text for cell in row[4:] for part in cell} == {"-"}


def test_every_metric_shown_is_defined_and_no_other() -> None:
    found = definitions(lines(results(*LS, *PSO)))
    assert [each.partition(":")[0] for each in found] == [
        *("Success (%)", "Queries", "Requests", "Queries of successes", "Requests of successes"),
        *("Modi. (%)", "Area (%)"),
    ]
    assert found[1] == (
        "Queries: mean distinct texts sent to the victim, over all attacked. Unit: texts. "
        "Lower is better."
    )
    assert found[0].endswith("over all attacked inputs. Unit: %. Higher is better.")
    scored = [ScenarioLine(Scenario("a", "b", "c"), "ls", 2, 1, {}, {"perplexity": Value(3.0)})]
    (only,) = definitions(scored, {"perplexity": "a model"})
    assert only.endswith("Unit: none. Lower is better. Measured with a model.")
    assert noted(["a", "", "b"], "text") == ["a", "", "b"]
    assert noted(["a", "", "b"], "markdown") == ["- a", "", "- b"]
    assert noted(["a", "", "b"], "latex") == ["% a", "", "% b"]


def test_equal_means_are_both_the_best_however_they_were_rounded() -> None:
    scenario = Scenario("toy", "toy", "untargeted")
    means = {"ls": 15 / 19, "pso": (15 / 19) * (1 + 3e-16)}
    assert means["ls"] != means["pso"]
    found = [ScenarioLine(scenario, n, 19, 1, {}, {"success": Value(m)}) for n, m in means.items()]
    assert [row[6][0].best for row in detail_table(found).rows] == [True, True]


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


def test_values_are_written_as_in_the_paper() -> None:
    assert shown("success", Value(0.9371, 0.0017)) == "93.71±.17"
    assert shown("ipw", Value(2.286e-4)) == "2.286"
    assert shown("similarity", Value(math.nan)) == "-"


def test_signs_that_latex_reads_are_escaped() -> None:
    assert latex_text("a_b & {50%} ~ ^ \\ $ #") == (
        "a\\_b \\& \\{50\\%\\} \\textasciitilde{} \\textasciicircum{} \\textbackslash{} \\$ \\#"
    )


def test_the_papers_figures_are_all_there() -> None:
    sizes = {"success": 58, "quality": 36, "transfer": 12, "training": 8, "scenarios": 26}
    assert {name: len(paper.rows(name)) for name in sizes} == sizes
    sums = {  # of the columns in the paper's LaTeX; "attacked" is also in its text
        "success": {
            "success": 4009.33,
            "success_sd": 2.96,
            "requests": 43518.9,
            "requests_sd": 303,
        },
        "quality": {"modification": 304.71, "ipw": 0.1986428, "perplexity": 8700.07},
        "transfer": {"accuracy": 798.35},
        "training": {"without": 712.48, "change": -39.13},
        "scenarios": {"performance": 2139.07, "attacked": 75_909},
    }
    for name, columns in sums.items():
        found = {key: sum(row[key] or 0 for row in paper.rows(name)) for key in columns}
        assert found == pytest.approx(columns, rel=1e-9), name
    ls = {
        (r["data"], r["victim"], r["substitution"]): r
        for r in paper.rows("success")
        if r["search"] == "ls"
    }
    rivals = [r for r in paper.rows("success") if r["search"] not in ("ls", "greedy")]
    worse = [
        r for r in rivals if ls[r["data"], r["victim"], r["substitution"]]["success"] < r["success"]
    ]
    assert len(rivals) == 26
    assert [(r["data"], r["victim"]) for r in worse] == [("IMDB", "BERT")]  # LS loses once


def line(victim: str, substitution: str, search: str, goal: str = "targeted") -> ScenarioLine:
    values = {"success": Value(0.9), "requests": Value(300.0)}
    return ScenarioLine(Scenario(victim, substitution, goal), search, 80, 3, {}, values)


def test_a_result_stands_beside_the_papers_row_with_what_differs() -> None:
    what = plan(
        victims=["bilstm-sst2"],
        substitutions=["sememe", "inflection"],
        searches=["ls", "pso"],
        limits={"budget": 5000, "enforced": "constraint", "modification": 0.2},
    )
    found = paper.beside(line("bilstm-sst2", "sememe", "pso", "untargeted"), what)
    assert found is not None
    assert (found.paper["success"], found.paper["requests"]) == (93.71, 1269)
    said = " / ".join(found.differs)
    assert "the paper's BiLSTM (83.75 % on its test set) there, bilstm-sst2 here (83.03%" in said
    assert "1,180 inputs of the test set of SST-2 there, 80 of the bundled sentiment" in said
    assert "substitutes: HowNet there, HowNet if converted, else WordNet" in said
    assert "goal: targeted there, untargeted here" in said
    assert "runs: 10 there, 3 here" in said
    assert "v_max" in said
    assert "budget: none there, 5,000 distinct queries here" in said
    assert "during the search here" in said
    assert "25 % there, 20% here" in said
    ours = paper.beside(line("bilstm-sst2", "sememe", "ls"), what)
    assert ours is not None
    assert len(ours.differs) == 6
    table = paper.beside_table([found, ours])
    assert [cell[0].text for cell in table.rows[1]] == [
        *("paper", "SST-2, BiLSTM, sememe", "pso", "93.71±.17", "1269±13"),
    ]
    assert [cell[0].text for cell in table.rows[3]][3:] == ["94.07", "295"]
    bert = paper.beside(line("minilm-snli", "sememe", "pso"), what)
    assert bert is not None
    assert paper.beside_table([bert]).rows[1][3] == (Part("76.39±.20"),)  # not ±.2
    assert paper.beside(line("bilstm-sst2", "inflection", "ls"), what) is None
    gone = plan(substitutions=["sememe"], searches=["ls"])
    assert paper.beside(line("somebody-elses", "sememe", "ls"), gone) is None


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("tables")
    return runner.run(plan(goals=["untargeted"]), folder / "a.jsonl", folder, Local(4))


def test_csv_and_parquet_have_a_row_for_every_answer(tmp_path: Path, done: Results) -> None:
    count = exporting.export(done, tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    wrong = 12 - len(done.correct("toy"))
    assert len(rows) == count == len(done.attacks) + wrong
    assert [row["status"] for row in rows[:wrong]] == ["misclassified"] * wrong
    success = next(row for row in rows if row["status"] == "success")
    assert success["adversarial"] != success["text"]
    assert " → " in success["changes"]
    assert success["output"] != success["label"]
    assert success["why"] == ""
    assert all(row["why"] for row in rows if row["status"] != "success")
    bare = [row for row in rows if row["status"] == "failed" and row["substitutes"] == "0"]
    assert {row["why"] for row in bare} <= {"no word of the text has a substitute"}
    exporting.export(done, tmp_path / "a.parquet")
    table = parquet.read_table(tmp_path / "a.parquet").to_pylist()
    assert [row["adversarial"] for row in table] == [row["adversarial"] for row in rows]
    assert not list(tmp_path.glob("*.part"))


def test_textattacks_csv_has_brackets_around_what_changed(tmp_path: Path, done: Results) -> None:
    exporting.export(done, tmp_path / "a.csv", "textattack")
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0])[:9] == [
        *("original_text", "perturbed_text", "original_score", "perturbed_score"),
        *("original_output", "perturbed_output", "ground_truth_output", "num_queries"),
        "result_type",
    ]
    assert {row["result_type"] for row in rows} == {"Successful", "Failed", "Skipped"}
    for row in rows:
        one, other = (row[name].replace("[[", "").replace("]]", "") for name in list(row)[:2])
        assert (one != other) == (row["original_text"].count("[[") > 0)
        assert row["original_text"].count("[[") == row["perturbed_text"].count("[[")
        skipped = row["original_output"] != row["ground_truth_output"]
        assert skipped == (row["result_type"] == "Skipped")
    assert changed_text("Not bad, not good.", [(1, "poor man's"), (3, "great")], "[[{}]]") == (
        "Not [[poor man's]], not [[great]]."
    )


@pytest.mark.parametrize("style", ["plain", "textattack"])
def test_no_spreadsheet_runs_a_text_unless_raw_cells_are_wanted(
    tmp_path: Path, done: Results, style: str
) -> None:
    text = "=cmd|' /C calc'!A0 and a good film that everybody has to see"
    row = next(a.row for a in done.attacks if a.success and a.swaps[0][0] > 4)
    inputs = {**done.inputs, row: replace(done.inputs[row], text=text)}
    hostile = replace(done, inputs=inputs)
    for raw, begin in ((False, "'=cmd"), (True, "=cmd")):
        exporting.export(hostile, tmp_path / "a.csv", style, raw=raw)
        with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row if "cmd|" in cell]
        assert len(cells) >= 2
        assert all(cell.startswith(begin) for cell in cells)
    with pytest.raises(InputError, match=r"Only \.csv has raw cells"):
        exporting.export(hostile, tmp_path / "a.parquet", raw=True)


def test_latex_and_what_cannot_be_written(tmp_path: Path, done: Results) -> None:
    exporting.export(done, tmp_path / "a.tex")
    text = (tmp_path / "a.tex").read_text(encoding="utf-8")
    assert text.count("\\begin{table}") == 3
    assert "(95 \\%, percentile bootstrap over the inputs)" in text
    assert "\n% A success has at most 25 % of the words changed, checked at the end" in text
    assert text.splitlines()[-1].startswith("% Area (%): area under the curve")
    with pytest.raises(InputError, match='no kind of export "xlsx"'):
        exporting.export(done, tmp_path / "a.xlsx")
    with pytest.raises(InputError, match="Could not write"):
        exporting.export(done, tmp_path / "none" / "a.csv")


def test_examples_transfer_to_other_victims(done: Results) -> None:
    found = transfer(done, ["bilstm-sst2", "toy"])
    assert [each.to for each in found] == ["bilstm-sst2"] * 3
    victim = VICTIMS["bilstm-sst2"]()
    won = [r for r in done.attacks if (r.search, r.status) == ("ls", "success")]
    right = 0
    for each in won:
        top = victim.predict([done.text(each)])[0].argmax()
        right += victim.labels[top] == done.inputs[each.row].reference[0]
    assert found[0].examples == len(won)
    assert found[0].accuracy == right / len(won)
    assert found[0].before >= found[0].accuracy
    table = transfer_table(found)
    assert table.rows[0][0] == (Part("toy ⇒ bilstm-sst2"),)
    lowest = min(each.accuracy for each in found)
    assert [row[5][0].best for row in table.rows] == [each.accuracy == lowest for each in found]
    with pytest.raises(InputError, match="name another one"):
        transfer(done, ["toy"])
    none = transfer(results(*LS[3:], searches=["ls"]), ["bilstm-sst2"])
    assert transfer_table(none).rows[0][5] == (Part("-"),)


def test_pairs_transfer_with_their_premise(tmp_path: Path) -> None:
    what = plan(
        victims=["dnn-snli"],
        substitutions=["synonym"],
        searches=["greedy"],
        goals=["untargeted"],
        data={"bundled": "entailment"},
        limits={"rows": 3, "budget": 20},
    )
    done = runner.run(what, tmp_path / "a.jsonl", tmp_path, Local(3))
    (found,) = transfer(done, ["infersent-snli"])
    assert 0 <= found.accuracy <= 1 or not found.examples
    (row, *_) = exporting.textattack_rows(done)
    assert "<SPLIT>" in row["original_text"]


def test_a_table_can_be_read_without_anything_in_it() -> None:
    assert ReportTable("t", ("a", "b"), ()).text() == "t\na  b\n----"
