import gzip
import json
from pathlib import Path

import pytest

from core.substitutions.coverage import main, measure, neighbour_overlap, sememe_overlap
from core.substitutions.table import SubstituteTable


def test_a_method_is_measured_on_content_words() -> None:
    texts = [
        ("the", "film"),
        ("He", "quickly", "watched", "the", "film"),
        ("the", "film", "is", "big"),
    ]
    coverage = measure(SubstituteTable({"film": ("movie", "picture")}), texts)
    assert coverage.mean_substitutes == pytest.approx(6 / 6)
    assert coverage.served == pytest.approx(3 / 6)
    assert coverage.served_with_stop_words == pytest.approx(3 / 7)
    assert coverage.served_noun == 1.0
    assert coverage.served_adj == coverage.served_verb == 0.0


def test_overlap_with_other_lexicons() -> None:
    reference = {
        "terrible": {"adj": ["dreadful", "film"]},
        "dreadful": {},
        "xqzzy": {"noun": ["x"]},
    }
    overlap = sememe_overlap(reference)
    assert overlap["entries_known"] == 0.5
    assert overlap["recall"] == 0.5
    assert overlap["precision"] == 1.0
    same = neighbour_overlap({"terrible": ["dreadful"], "dreadful": ["terrible"], "xqzzy": []})
    assert same == {"words_compared": 2, "same_list": 1.0, "jaccard": 1.0}


def test_the_command_prints_and_writes_the_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, figures = tmp_path / "data.tsv", tmp_path / "coverage.json"
    data.write_text("label\tcontent\n0\tA terrible film made quickly .\n1\tFunny stories !\n")
    for name, content in (("s", {"terrible": {"adj": ["dreadful"]}}), ("c", {"terrible": []})):
        with gzip.open(tmp_path / f"{name}.json.gz", "wt") as file:
            json.dump(content, file)
    arguments = ["--data", str(data), "--write", str(figures)]
    arguments += ["--sememe", str(tmp_path / "s.json.gz")]
    arguments += ["--counterfit", str(tmp_path / "c.json.gz")]
    assert main(arguments) == 0
    printed = capsys.readouterr().out
    assert "sememe, bundled" in printed
    assert "sememe_overlap.recall" in printed
    written = json.loads(figures.read_text())
    assert written["sentences"] == 2
    assert written["methods"]["embedding"]["served"] > 0.5


@pytest.mark.parametrize("content", ["", "\n\n", None])
def test_a_file_without_sentences_is_refused(
    tmp_path: Path, content: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "data.txt"
    if content is not None:
        path.write_text(content)
    assert main(["--data", str(path)]) == 2
    assert "give" in capsys.readouterr().err
