"""A teacher's soft labels: made by a tiny encoder, kept in a file, learned by a tiny victim."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch

from core.errors import ResourceMissingError
from core.victims.training import data, measure, teacher, train
from core.victims.training.data import Example, Split
from core.victims.training.soft_labels import (
    read_soft_labels,
)
from core.victims.training.teacher import Lesson, Teacher, beliefs, teach
from core.victims.words import save
from tests.toys import tiny, victim_parts
from tests.toys.victim_parts import BAD, GOOD, NEUTRAL, sentiment_rows, tiny_words, train_tiny

QUICK = Lesson(rate=1e-2, head_rate=1e-2, batch=16, epochs=1, fewest_words=1)


SPLIT = Split(
    (Example("good", 1), Example("so so", 0)), (Example("fine", 1),), (Example("bad", 0),), "made"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    words = ["The", *GOOD, *BAD, *NEUTRAL]
    # so small an encoder cannot learn with parts of it switched off
    off = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    return tiny.headless_bert(tmp_path / "encoder", words, **off)


def test_the_teacher_learns(folder: Path) -> None:
    torch.manual_seed(0)
    pupil = Teacher(folder, 2, frozen=0.0)
    lines: list[str] = []
    teach(pupil, pupil.rows(sentiment_rows(240, 1)), replace(QUICK, epochs=8), lines.append)
    rows = sentiment_rows(40, 2)
    found = beliefs(pupil, pupil.rows(rows), lines.append)
    assert measure.accuracy(found, np.array([row.label for row in rows])) >= 0.9
    assert lines == []  # nothing took a minute


def test_the_lower_layers_stay_as_they_are(folder: Path) -> None:
    pupil = Teacher(folder, 2, frozen=0.5)
    before = {name: part.clone() for name, part in pupil.state_dict().items()}
    teach(pupil, pupil.rows(sentiment_rows(32, 1)), QUICK, list[str]().append)
    changed = {n for n, part in pupil.state_dict().items() if not torch.equal(part, before[n])}
    assert "output.weight" in changed
    assert any("encoder.layer.1." in name for name in changed)
    assert not any("embeddings" in name or "layer.0." in name for name in changed)


def test_beliefs_keep_the_order_of_rows(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(teacher, "_TOKENS", 12)
    monkeypatch.setattr(teacher, "_SAID", 0.0)
    pupil = Teacher(folder, 2, 0.5)
    texts = ["good", "the plot was bad", "a dull film", "it is a fine film and well made"]
    rows = pupil.rows([Example(text, 0) for text in texts])
    lines: list[str] = []
    together = beliefs(pupil, rows, lines.append)
    assert len(lines) == 3
    assert lines[-1].startswith("asked 4 of 4 rows")
    alone = np.concatenate([beliefs(pupil, [row], lines.append) for row in rows])
    assert np.abs(together - alone).max() < 0.02  # 16 bits
    assert np.abs(together.sum(axis=1) - 1).max() < 1e-6


def test_the_teachers_script_writes_what_training_reads(
    tmp_path: Path,
    data_folder: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(teacher, "Lesson", partial(replace, QUICK))
    monkeypatch.setattr(
        train, "ALL_RECIPES", {"cnn": replace(victim_parts.RECIPES["cnn"], epochs=1)}
    )
    threads = ["--threads", str(torch.get_num_threads())]
    path = tmp_path / "soft.jsonl"
    shared = ["--data", str(data_folder), *threads]
    asked = ["--model", str(folder), "--out", str(path), "--sentences", "5"]
    assert teacher.main(["sst2", *shared, *asked]) == 0
    assert "accuracy on the held_out rows" in capsys.readouterr().out
    split = data.load("sst2", data_folder)
    found = read_soft_labels(path, "sst2", 2)
    assert {row.text for row in split.train} < found.probabilities.keys()
    assert len(found.probabilities) == len(split.train) + 5
    assert found.teacher["held_out"]["rows"] == len(split.held_out)

    save(tiny_words(), tmp_path)
    out = ["--out", str(tmp_path)]
    assert train.main(["cnn", *shared, *out]) == 0
    first = json.loads((tmp_path / "cnn" / "card.json").read_text(encoding="utf-8"))
    assert first["command"] == "python -m core.victims.training.train cnn --data DIR"
    more = ["--teacher", str(path), "--further", str(tmp_path)]
    assert train.main(["cnn", *shared, *out, *more]) == 0
    card = json.loads((tmp_path / "cnn" / "card.json").read_text(encoding="utf-8"))
    assert card["command"] == f"{first['command']} --teacher FILE --further VICTIMS"
    assert card["start"] == {
        "command": first["command"],
        "sha256": first["files"]["weights.safetensors"],
    }
    assert card["training_rows"] == first["training_rows"] + 5
    assert "; 5 IMDB sentences; " in card["data"]
    assert card["teacher"] == found.teacher


def test_training_further_needs_a_victim_that_is_whole(tmp_path: Path) -> None:
    recipe = victim_parts.RECIPES["cnn"]
    with pytest.raises(ResourceMissingError, match=r"card\.json is missing"):
        train.course("cnn", recipe, SPLIT, tiny_words(), further=tmp_path)
    train_tiny("cnn", tmp_path)
    (tmp_path / "cnn" / "weights.safetensors").write_bytes(b"other")
    with pytest.raises(ResourceMissingError, match="damaged"):
        train.course("cnn", recipe, SPLIT, tiny_words(), further=tmp_path)


def test_the_teacher_is_not_taught_for_a_file_that_cannot_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = ["--data", str(tmp_path), "--model", str(tmp_path)]
    threads = ["--threads", str(torch.get_num_threads())]
    path = tmp_path / "new" / "soft.jsonl"
    assert teacher.main(["sst2", *folders, "--out", str(path), *threads]) == 2
    assert "There is no folder" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", ["nothing", "llama", "short"])
def test_the_teachers_script_says_what_is_wrong(
    tmp_path: Path,
    data_folder: Path,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    wrong: str,
) -> None:
    models = {
        "nothing": lambda: tmp_path,
        "llama": lambda: tiny.random_llama(tmp_path / "llama", ["a"]),
        "short": lambda: folder,
    }
    said = {
        "nothing": "cannot be loaded",
        "llama": "is not an encoder",
        "short": "No training row has 16 words",
    }
    path = tmp_path / "soft.jsonl"
    arguments = ["sst2", "--data", str(data_folder), "--model", str(models[wrong]())]
    threads = ["--threads", str(torch.get_num_threads())]
    assert teacher.main([*arguments, "--out", str(path), *threads]) == 2
    assert said[wrong] in capsys.readouterr().err
    assert not path.exists()
