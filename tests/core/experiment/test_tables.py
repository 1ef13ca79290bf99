"""Tables of results: what stands in them, and how it is written."""

import math

from core.experiment.metrics import Scenario, ScenarioLine, Value, lines
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
from tests.toys.records import LS, PSO, results


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
        *("Queries to first success", "Modi. (%)", "Area (%)"),
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


def test_values_are_written_as_in_the_paper() -> None:
    assert shown("success", Value(0.9371, 0.0017)) == "93.71±.17"
    assert shown("ipw", Value(2.286e-4)) == "2.286"
    assert shown("similarity", Value(math.nan)) == "-"


def test_signs_that_latex_reads_are_escaped() -> None:
    assert latex_text("a_b & {50%} ~ ^ \\ $ #") == (
        "a\\_b \\& \\{50\\%\\} \\textasciitilde{} \\textasciicircum{} \\textbackslash{} \\$ \\#"
    )


def test_a_table_can_be_read_without_anything_in_it() -> None:
    assert ReportTable("t", ("a", "b"), ()).text() == "t\na  b\n----"
