"""The paper's plans, and running them as far as the time allows."""

import gzip
import json
from pathlib import Path

import pytest

from core import SEARCHES, SUBSTITUTIONS
from core.__main__ import main
from core.experiment import paper, replication
from core.experiment.held_out import HELD_OUT
from core.experiment.replication import FOLDER, Extent, names, replicate, reread
from core.toml import read_toml
from core.victims import VICTIMS
from tests.toys import text_victims
from tests.toys.text_victims import SOURCE, TARGET


def test_there_is_a_plan_for_each_of_the_26_scenarios() -> None:
    rows = paper.rows("scenarios")
    assert sorted(path.stem for path in FOLDER.glob("*.toml")) == sorted(names())
    for row in rows:
        content = read_toml(FOLDER / f"{row['plan']}.toml")
        assert (content["name"], content["victims"]) == (row["plan"], [row["here"]])
        (substitution,) = content["substitutions"]
        method = substitution["method"] if isinstance(substitution, dict) else substitution
        assert method == row["substitution"]
        searches = [
            each["method"] if isinstance(each, dict) else each for each in content["searches"]
        ]
        assert searches[:2] == ["ls", row["baseline"]]
        assert set(searches) <= set(SEARCHES)
        assert content["data"]["held_out"] in HELD_OUT


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Twelve captions, and a translator of the tests under the name of a bundled one."""
    text_victims.register(monkeypatch)
    monkeypatch.setitem(VICTIMS, "convs2s-multi30k", VICTIMS["dictionary"])
    monkeypatch.setitem(SUBSTITUTIONS, "inflection", SUBSTITUTIONS["forms"])
    folder = tmp_path / "multi30k"
    folder.mkdir()
    for language, text in {"en": f"{SOURCE} and then it sleeps", "fr": TARGET}.items():
        lines = "".join(f"{text} {number}\n" for number in range(24))
        (folder / f"val.{language}.gz").write_bytes(gzip.compress(lines.encode()))
    return tmp_path


def test_a_plan_is_run_and_read_again(data: Path) -> None:
    extent = Extent(rows=7, runs=1)
    done = replicate("newstest-convs2s", data, data, extent)
    assert done.figures is not None
    assert done.summary == "7 inputs"
    values = done.figures.values
    assert list(values["ls"]["success"]) == [1.0] * 7
    assert list(values["ls"]["requests"]) == [9.0] * 7
    assert list(values["sgs"]["requests"]) == [5.0] * 7
    assert reread("newstest-convs2s", data) == done
    assert replicate("newstest-convs2s", data, data, extent) == done


def test_time_that_is_over_leaves_what_is_done(data: Path) -> None:
    stopped = replicate("newstest-convs2s", data, data, Extent(rows=7, minutes=0))
    assert stopped.figures is not None
    assert stopped.figures.inputs == 0
    more = replicate("newstest-convs2s", data, data, Extent(rows=7))
    assert more.figures is not None
    assert more.figures.inputs == 7


def test_what_cannot_run_says_why(tmp_path: Path) -> None:
    gone = replicate("sst2-bilstm-sememe", tmp_path, tmp_path, Extent())
    assert gone.figures is None
    assert "name the folder" in gone.summary or "give the folder" in gone.summary
    assert "There is no plan of the paper" in replicate("x", tmp_path, tmp_path, Extent()).error
    assert reread("squad-bert", tmp_path).error


def test_the_command_prints_every_claim_and_keeps_the_figures(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = data / "measured.json"
    options = ["--results", str(data), "--keep", str(kept), "--rows", "11"]
    assert main(["paper", "newstest-convs2s", "--data", str(data), *options]) == 0
    out, err = capsys.readouterr()
    assert "newstest-convs2s: 11 inputs" in err
    assert "Local search needs less than twice the requests of SGS: holds here" in out
    assert out.count("cannot be told here") >= 10
    assert main(["paper", "newstest-convs2s", "--results", str(data), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["figures"][0]["inputs"] == 11
    monkeypatch.setattr("core.experiment.replication.assets.FOLDER", data)
    monkeypatch.setattr(replication, "MEASURED", "measured.json")
    (figures,) = replication.measured()
    assert (figures.plan, figures.inputs) == ("newstest-convs2s", 11)
    assert SOURCE not in kept.read_text(encoding="utf-8")


def test_the_figures_that_come_with_the_project_can_be_judged() -> None:
    for each in replication.measured():
        assert each.plan in names()
        lengths = {len(one) for measures in each.values.values() for one in measures.values()}
        assert lengths == {each.inputs}
