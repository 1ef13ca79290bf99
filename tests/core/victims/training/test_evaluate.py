"""The script that measures a victim."""

import json
from pathlib import Path

import pytest

from core.victims.training import evaluate
from tests.toys.victim_parts import train_tiny


@pytest.mark.parametrize(
    ("name", "header"), [("cnn", "label\ttext"), ("dnn", "label\tpremise\ttext")]
)
def test_the_evaluation_script_prints_accuracy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, header: str
) -> None:
    train_tiny(name, tmp_path)
    path = tmp_path / "rows.tsv"
    middle = "The film is good\t" if name == "dnn" else ""
    path.write_text(f"{header}\n1\t{middle}a good film\n0\t{middle}dull\n", encoding="utf-8")
    assert evaluate.main([name, "--data", str(path), "--victims", str(tmp_path)]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["rows"] == 2
    assert 0 <= result["accuracy"] <= 1


def test_the_evaluation_script_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate.main(["cnn", "--data", "rows.tsv", "--victims", str(tmp_path)]) == 2
    assert "card.json is missing" in capsys.readouterr().err
