"""Training victims on rows made here."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from core.victims.neural import load
from core.victims.training import train
from core.victims.words import save
from tests.toys import text_parts, victim_parts
from tests.toys.victim_parts import tiny_words, train_tiny


@pytest.mark.parametrize("name", ["bilstm", "cnn"])
def test_training_learns_to_tell_good_from_bad(tmp_path: Path, name: str) -> None:
    card = train_tiny(name, tmp_path, count=300, epochs=6, rate=0.02)
    assert card["held_out"]["accuracy"] >= 0.9


@pytest.mark.parametrize("name", ["dnn", "esim"])
def test_training_learns_entailment(tmp_path: Path, name: str) -> None:
    card = train_tiny(name, tmp_path, count=600, epochs=6, rate=0.02)
    assert card["held_out"]["accuracy"] >= 0.8


def test_the_same_seed_gives_the_same_weights(tmp_path: Path) -> None:
    first = train_tiny("bilstm", tmp_path / "a")
    second = train_tiny("bilstm", tmp_path / "b")
    other = train_tiny("bilstm", tmp_path / "c", seed=8)
    assert first["files"] == second["files"]
    assert first["files"] != other["files"]


def test_the_card_says_how_the_victim_was_made(tmp_path: Path) -> None:
    card = train_tiny("cnn", tmp_path)
    assert json.loads((tmp_path / "cnn" / "card.json").read_text(encoding="utf-8")) == card
    assert card["command"] == "python -m core.victims.training.train cnn --data DIR"
    assert card["training_rows"] == 64
    assert set(card["files"]) == {"weights.safetensors", "../words.txt", "../words.safetensors"}
    assert set(card["held_out"]) == {"rows", "accuracy", "calibration_error"}


def test_the_training_script_trains_on_a_folder(
    tmp_path: Path,
    data_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    tiny = {name: replace(recipe, epochs=1) for name, recipe in victim_parts.RECIPES.items()}
    monkeypatch.setattr(train, "ALL_RECIPES", tiny)
    save(tiny_words(), tmp_path)
    threads = torch.get_num_threads()
    arguments = ["--data", str(data_folder), "--out", str(tmp_path), "--threads", str(threads)]
    for name in ("cnn", "charcnn"):
        assert train.main([name, *arguments]) == 0
        assert '"held_out"' in capsys.readouterr().out
        assert load(name, tmp_path).labels == ("negative", "positive")


def test_the_training_script_says_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    threads = ["--threads", str(torch.get_num_threads())]
    assert train.main(["cnn-sst", "--data", str(tmp_path), *threads]) == 2
    assert 'Did you mean "cnn-sst2"?' in capsys.readouterr().err


def test_the_training_script_trains_what_answers_and_translates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny = {name: replace(recipe, epochs=1) for name, recipe in text_parts.RECIPES.items()}
    monkeypatch.setattr(train, "ALL_RECIPES", tiny)
    save(text_parts.town_words(), tmp_path)
    data = text_parts.data_folder(tmp_path / "data", rows=20)
    threads = ["--threads", str(torch.get_num_threads())]
    arguments = ["--data", str(data), "--out", str(tmp_path), *threads]
    for name, figure in (("convs2s", "bleu"), ("bidaf", "f1")):
        kept = ["--progress", str(tmp_path / f"{name}.progress")]
        assert train.main([name, *arguments, *kept]) == 0
        assert f'"{figure}"' in capsys.readouterr().out
        assert (tmp_path / f"{name}.progress").is_file()
    assert train.main(["convs2s", *arguments, "--further", str(tmp_path)]) == 2
    assert "convs2s is no classifier" in capsys.readouterr().err
