"""The soft labels of a teacher: kept in a file, mixed with the classes."""

from pathlib import Path

import pytest
import torch

from core.errors import InputError
from core.victims.training import train
from core.victims.training.data import Example, Split
from core.victims.training.soft_labels import (
    SoftLabels,
    distilled,
    read_soft_labels,
    write_soft_labels,
)

SPLIT = Split(
    (Example("good", 1), Example("so so", 0)), (Example("fine", 1),), (Example("bad", 0),), "made"
)
LABELS = SoftLabels(
    {"data": "sst2", "encoder": "tiny", "held_out": {"accuracy": 0.93}},
    {"good": (0.2, 0.8), "it is dull": (0.9, 0.1), "fine": (0.5, 0.5), "bad": (0.5, 0.5)},
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_soft_labels(tmp_path / "soft.jsonl", LABELS)
    return tmp_path / "soft.jsonl"


def test_soft_labels_survive_their_file(file: Path) -> None:
    assert read_soft_labels(file, "sst2", 2) == LABELS


def test_a_label_counts_as_much_as_the_teacher_and_new_texts_have_its_word_alone() -> None:
    found = distilled(SPLIT, LABELS)
    assert found.train == (
        Example("good", 1, soft=(0.1, 0.9)),
        Example("so so", 0),  # the teacher was not asked
        Example("it is dull", 0, soft=(0.9, 0.1)),
    )
    assert found.stop == SPLIT.stop
    assert found.held_out == SPLIT.held_out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "does not hold soft labels"),
        ("not json", "does not hold soft labels"),
        ("[1, 2]", "does not hold soft labels"),
        ('{"data": "sst2"}\n["a", "b"]', "does not hold soft labels"),
        ('{"data": "mr"}\n["a", 0.5, 0.5]', "are not of sst2"),
        ('{"data": "sst2"}\n["a", 0.5, 0.25, 0.25]', "are not of sst2"),
        ('{"data": "sst2"}\n["a", 0.9, 0.9]', "are not of sst2"),
    ],
)
def test_a_wrong_file_is_refused(
    tmp_path: Path, data_folder: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    path = tmp_path / "wrong.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_soft_labels(path, "sst2", 2)
    threads = ["--threads", str(torch.get_num_threads())]
    arguments = ["minilm-sst2", "--data", str(data_folder), "--out", str(tmp_path), *threads]
    assert train.main([*arguments, "--teacher", str(path)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "python -m core.victims.training.teacher sst2" in error
    assert "Traceback" not in error


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no file .*soft\.jsonl; make it with"):
        read_soft_labels(tmp_path / "soft.jsonl", "sst2", 2)
