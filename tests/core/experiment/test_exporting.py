"""Results as files for other programs."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from pyarrow import parquet

from core import InputError
from core.experiment import exporting
from core.experiment.records import Swap
from core.experiment.results import Results, changed_text


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
    swaps = [Swap(1, "poor man's"), Swap(3, "great")]
    assert changed_text("Not bad, not good.", swaps, "[[{}]]") == (
        "Not [[poor man's]], not [[great]]."
    )


def test_words_that_are_swapped_together_are_written_together() -> None:
    swaps = [Swap(0, "An engaging", 2), Swap(3, "hilarious", 2)]
    assert changed_text("A charming, not very funny film!", swaps, "<{}>") == (
        "<An engaging>, not <hilarious> film!"
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
