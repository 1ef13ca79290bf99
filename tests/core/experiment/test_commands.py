"""The command line of experiments."""

import io
import json
import re
from pathlib import Path

import pytest

from core.__main__ import main
from core.experiment.commands import Screen
from core.experiment.metrics import Quality
from core.experiment.runner import RunProgress, duration
from tests.toys.before import BEFORE, TABLES
from tests.toys.experiment import plan_file
from tests.toys.records import Letters, Surprise


class Even:
    def scores(self, originals: list[str], texts: list[str]) -> object:
        return Surprise().scores(texts) * 0 + 0.5


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = plan_file(tmp_path_factory.mktemp("commands"))
    assert main(["run", str(path), "--together", "3"]) == 0
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(each) for each in arguments])
    return (code, *capsys.readouterr())


def test_running_again_says_that_it_is_finished(
    done: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "run", done, "--json")
    data = json.loads(out)
    assert code == 0
    assert data["finished"]
    assert Path(data["results"]) == done.parent / "small.results.jsonl"
    assert sum(data["statuses"]["toy"].values()) > 12
    assert "attacks" in err
    code, out, _ = run(capsys, "run", done)
    assert "64 rows read, 12 used." in out
    assert "attacks done; finished." in out


def test_the_table_has_every_part(
    done: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = run(capsys, "table", done)
    assert code == 0
    assert "toy substitution, untargeted: success (%) | mean requests" in out
    assert "All metrics" in out
    assert "ls and greedy: no difference found (" in out
    assert "finished." in out
    file = done.parent / "small.results.jsonl"
    assert run(capsys, "table", file)[1] == out
    rule = "A success has at most 25 % of the words changed, checked at the end of the search"
    assert "\nIntervals (95 %, percentile bootstrap over the inputs)\nVictim" in out
    assert f"\n{rule} (post-check).\nSuccess (%): attacked inputs that end" in out
    latex = run(capsys, "table", done, "--format", "latex")[1]
    assert "\\toprule" in latex
    tables = re.sub(r"(?s)\\begin\{table\}.*?\\end\{table\}", "", latex)
    assert all(line.startswith("% ") for line in tables.splitlines() if line)  # it compiles
    markdown = run(capsys, "table", done, "--format", "markdown")[1]
    assert "| --- |" in markdown
    assert f"\n- {rule} (post-check).\n- Success (%)" in markdown
    assert "mean distinct queries" in run(capsys, "table", done, "--count", "queries")[1]
    assert "The paper has none of these scenarios." in run(capsys, "table", done, "--paper")[1]
    about = {"ipw": "Harper", "perplexity": "a model", "similarity": "another"}
    fake = Quality(Letters(), Surprise(), Even(), about)  # type: ignore[arg-type]
    monkeypatch.setattr(Quality, "load", lambda: fake)
    out = run(capsys, "table", done, "--quality")[1]
    assert "IPW (E-4)" in out
    assert "Unit: errors a word. Lower is better. Measured with Harper." in out


def test_the_table_as_json_has_definitions_and_no_number_that_is_none(
    done: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    data = json.loads(run(capsys, "table", done, "--json")[1])
    assert data["finished"]
    assert data["metrics"]["success"]["better"] == "higher"
    assert data["metrics"]["success"]["definition"]
    assert len(data["lines"]) == 6
    assert data["comparisons"][0]["verdict"]
    path = plan_file(tmp_path)
    path.write_text(path.read_text().replace("rows = 12", "rows = 1"), encoding="utf-8")
    run(capsys, "run", path)
    text = run(capsys, "table", path, "--json")[1]
    assert "NaN" not in text
    assert json.loads(text)["lines"]


def test_the_table_of_an_unfinished_run_says_so_first(
    done: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = (done.parent / "small.results.jsonl").read_bytes().splitlines(keepends=True)
    path = tmp_path / "half.jsonl"
    path.write_bytes(b"".join(whole[:-20]))
    assert run(capsys, "table", path)[1].startswith("Not finished yet: the searches have not")
    assert not run(capsys, "table", done)[1].startswith("Not finished")


def test_the_papers_rows_stand_beside_ours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(
        'name = "a"\nvictims = ["bilstm-sst2"]\nsubstitutions = ["sememe"]\nsearches = ["ls"]\n'
        'goals = ["targeted"]\ndata = { bundled = "sentiment" }\nlimits = { rows = 2 }\n',
        encoding="utf-8",
    )
    assert run(capsys, "run", path)[0] == 0
    out = run(capsys, "table", path, "--paper")[1]
    assert "Beside the paper" in out
    assert "94.07" in out
    assert "bilstm-sst2, ls: victim: the paper's BiLSTM" in out


def test_export_and_transfer(done: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = done.parent / "out.csv"
    code, said, _ = run(capsys, "export", done, out, "--style", "textattack")
    assert (code, said) == (0, f"{len(out.read_text().splitlines()) - 1} rows written to {out}\n")
    code, _, said = run(capsys, "export", done, done.parent / "out.tex", "--raw")
    assert (code, said) == (
        2,
        "swapscope: Only .csv has raw cells; other kinds keep each cell as it is.\n",
    )
    assert run(capsys, "export", done, out, "--raw")[0] == 0
    code, said, _ = run(capsys, "transfer", done, "--to", "cnn-sst2")
    assert code == 0
    assert "toy ⇒ cnn-sst2" in said
    data = json.loads(run(capsys, "transfer", done, "--to", "cnn-sst2", "--json")[1])
    assert data["transfer"][0]["to"] == "cnn-sst2"


@pytest.mark.parametrize("results", TABLES, ids=lambda path: path.stem)
def test_the_table_of_an_experiment_written_before_is_the_same(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, "table", results)
    assert code == 0
    assert out == TABLES[results].read_text(encoding="utf-8")


def test_the_export_of_an_experiment_written_before_is_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = BEFORE / "experiment"
    code, *_ = run(capsys, "export", old / "pairs.results.jsonl", tmp_path / "again.csv")
    assert code == 0
    assert (tmp_path / "again.csv").read_bytes() == (old / "pairs.export.csv").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "none.toml"], "none.toml cannot be read"),
        (["table", "none.jsonl"], "Could not read none.jsonl"),
        (["run", "PLAN", "--workers", "2"], "--workers is for --engine pool"),
        (
            ["run", "PLAN", "--engine", "pool", "--together", "2"],
            "--together is for --engine local",
        ),
        (["run", "PLAN", "--engine", "pool", "--workers", "0"], "At least 1 worker"),
        (["run", "PLAN", "--together", "0"], "At least 1 sentence"),
        (["export", "PLAN", "out.docx"], 'There is no kind of export "docx"'),
        (["transfer", "PLAN", "--to", "bilstm"], 'There is no victim "bilstm"'),
    ],
)
def test_what_is_wrong_is_one_line(
    done: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    code, _, err = run(capsys, *(str(done) if each == "PLAN" else each for each in arguments))
    assert code == 2
    assert words in err
    assert len(err.splitlines()) == 1


def test_progress_in_words() -> None:
    assert RunProgress(0, 10).sentence == "0 of 10 attacks"
    assert RunProgress(1_200, 5_000, 600, 12.34).sentence == (
        "1,200 of 5,000 attacks, 50.0% succeeded, 12.3 per second, 5 min 8 s left"
    )
    assert RunProgress(10, 10, 5, 2.0).sentence == "10 of 10 attacks, 50.0% succeeded, 2 per second"
    assert [duration(seconds) for seconds in (4, 64, 7_500)] == ["4 s", "1 min 4 s", "2 h 5 min"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_has_one_line_that_is_rewritten() -> None:
    terminal, file = Terminal(), io.StringIO()
    for out in (terminal, file):
        screen = Screen(out)
        for number in range(4):
            screen.show(RunProgress(number, 3))
        screen.end()
    assert terminal.getvalue().count("\n") == 1
    assert terminal.getvalue().startswith("\r\x1b[K0 of 3 attacks")
    assert terminal.getvalue().endswith("3 of 3 attacks, 0.0% succeeded\n")
    assert file.getvalue() == "0 of 3 attacks\n3 of 3 attacks, 0.0% succeeded\n"
