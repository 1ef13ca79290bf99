"""Experiments in the background, and the names of their files."""

from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from app.results import experiments
from app.results.experiments import ENDING
from app.shared import jobs
from core import InputError, assets
from core.experiment import runner
from core.experiment.plan_file import read_plan
from core.experiment.work import AttackRunner, items
from tests.toys.experiment import plan
from tests.toys.held import ONE, one_turn
from tests.toys.pages import ended


def test_an_experiment_runs_in_the_background_and_is_read(folder: Path) -> None:
    experiments.start(plan(name="mine"))
    assert ended("mine").error == ""
    assert next(iter(experiments.found())) == "mine"
    found = experiments.read(folder / "mine.results.jsonl")
    assert found.finished
    assert experiments.read(folder / "mine.results.jsonl") is found  # the file has not changed
    assert experiments.is_own(folder / "mine.results.jsonl")


def test_a_cancelled_experiment_goes_on_where_it_was(folder: Path) -> None:
    run = experiments.start(plan(name="mine"))
    run.cancel()
    ended("mine")
    assert not experiments.read(folder / "mine.results.jsonl").finished
    experiments.start(plan(name="mine"))
    ended("mine")
    assert experiments.read(folder / "mine.results.jsonl").finished


def test_what_goes_wrong_in_the_background_is_told(folder: Path) -> None:
    (folder / "mine.results.jsonl").mkdir()
    experiments.start(plan(name="mine"))
    assert ended("mine").error


def test_the_bundled_experiment_is_of_the_bundled_victims() -> None:
    """Its first attacks come out the same with the weights that are here."""
    path = assets.FOLDER / "experiments" / f"sentiment{experiments.ENDING}"
    found = experiments.read(path)
    assert found.finished
    assert found.plan == read_plan(path.with_name("sentiment.toml"))
    runner = AttackRunner(found.plan)
    for item in islice(items(found.plan, found.correct("bilstm-sst2")), 5):
        assert runner.do(item) == [a for a in found.attacks if a.key == item.key]


TABLE = (
    b"content,class\n"
    b'"This is a good film with a very warm and honest heart.",1\n'
    b'"This is a bad film with a script that nobody should have filmed.",0\n'
)


def files(folder: Path) -> list[str]:
    """Every file in the folder and around it, which no name from outside may add to."""
    top = folder.parents[1]
    return sorted(path.relative_to(top).as_posix() for path in top.rglob("*") if path.is_file())


def named(name: str) -> None:
    """Begin an experiment of this name on a table."""
    source = {
        **{"file": experiments.data_name(name, "csv"), "text": "content", "label": "class"},
        "labels": {"1": "positive", "0": "negative"},
    }
    experiments.begin(plan(name=name, data=source), TABLE)


@pytest.mark.parametrize("name", ["mine", "MINE", "Mine", "Theirs"])
def test_a_name_that_is_there_is_refused_whatever_its_case(folder: Path, name: str) -> None:
    (folder / "Mine.results.jsonl").write_text("results")
    (folder / "theirs.data.csv").write_bytes(TABLE)  # its experiment is about to begin
    before = files(folder)
    with pytest.raises(InputError, match="There is an experiment"):
        named(name)
    assert files(folder) == before


@pytest.mark.parametrize(
    "name", ["../up", "a/b", "con", "a.", "a.results", "b.DATA", "x" * 101, "é" * 60, ""]
)
def test_a_name_that_is_no_name_of_a_file_writes_nothing(folder: Path, name: str) -> None:
    before = files(folder)
    with pytest.raises(InputError, match="name"):
        named(name)
    assert files(folder) == before


@pytest.mark.parametrize("file", ["../up.csv", "other.results.jsonl", "mine.data./x", "x.data.csv"])
def test_a_table_is_written_under_no_other_name(folder: Path, file: str) -> None:
    before = files(folder)
    with pytest.raises(InputError, match="bears its name"):
        experiments.begin(plan(name="mine", data={"file": file}), TABLE)
    assert files(folder) == before


def test_a_run_that_failed_before_its_first_result_leaves_its_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(runner, "Writer", None)  # nothing can be written
        named("mine")
        assert ended("mine").error
    assert files(folder) == ["data/experiments/mine.data.csv"]
    named("mine")
    assert ended("mine").error == ""
    assert experiments.read(folder / "mine.results.jsonl").finished


def test_a_table_is_never_written_over(folder: Path) -> None:
    (folder / "mine.data.csv").symlink_to(folder / "elsewhere")
    with pytest.raises(InputError, match="There is an experiment mine already"):
        experiments.begin(plan(name="mine", data={"file": "mine.data.csv"}), TABLE)
    assert not (folder / "elsewhere").exists()


def test_a_table_that_another_server_has_just_written_is_left_alone(folder: Path) -> None:
    (folder / "mine.data.csv").write_bytes(b"theirs")
    with pytest.raises(InputError, match="could not be kept: File exists"):
        experiments._write_new(folder / "mine.data.csv", TABLE)
    assert (folder / "mine.data.csv").read_bytes() == b"theirs"


@pytest.mark.parametrize(
    "file", ["/etc/passwd", "../secret.csv", "a/b.csv", "..", "C:\\x.csv", "..\\x.csv"]
)
def test_an_experiment_that_is_resumed_here_reads_nothing_elsewhere(file: str) -> None:
    with pytest.raises(InputError, match="outside its folder"):
        experiments.start(plan(name="mine", data={"file": file}))
    assert "mine" not in experiments.found()


def test_results_of_experiments_are_kept_by_the_bytes_of_their_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SWAPSCOPE_EXPERIMENTS", str(tmp_path))
    monkeypatch.setattr(experiments, "_known", type(experiments._known)())
    paths = []
    for name in ("a", "b", "c"):
        run = experiments.start(plan(name=name))
        run.wait(60)
        assert (run.result, len(run.steps)) == (None, 1)  # what it found is in its file
        paths.append(tmp_path / f"{name}{ENDING}")
    monkeypatch.setattr(experiments, "KNOWN_BYTES", int(2.5 * paths[0].stat().st_size))
    first = experiments.read(paths[0])
    for number in (1, 0, 2):
        assert experiments.read(paths[number]).finished
    assert experiments.read(paths[0]) is first
    assert list(experiments._known) == [paths[2], paths[0]]


def test_an_experiment_is_refused_where_too_many_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SWAPSCOPE_EXPERIMENTS", str(tmp_path))
    one_turn(monkeypatch, "EXPERIMENTS", before=0)
    jobs.EXPERIMENTS.limits = replace(ONE, waiting_of_visitor=1)
    experiments.start(plan(name="first"))
    with pytest.raises(InputError, match="You have 1 runs waiting already"):
        experiments.start(plan(name="second"))
    assert next(iter(experiments.found())) == "first"
    assert "second" not in experiments.found()
