"""Training, measuring and listing victims, on rows made here."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from core.errors import InputError, ResourceMissingError
from core.victims import given, recipes
from core.victims.catalogue import bundled
from core.victims.networks.registry import kind_of
from core.victims.networks.weights import build_network, learned, tuned_words
from core.victims.neural import load
from core.victims.recipes import RECIPES
from core.victims.training import data, evaluate, fitting, measure, train
from core.victims.training.fitting import (
    EncodedExample,
    epoch_batches,
    fit,
    follow,
    hide_words,
    scorer_of,
)
from core.victims.words import PAD, UNKNOWN, save
from tests.toys import victim_parts
from tests.toys.victim_parts import sentiment_rows, tiny_words, train_tiny


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


def tiny_cnn() -> tuple[torch.nn.Module, list[EncodedExample]]:
    words = tiny_words()
    rows = [
        EncodedExample(tuple(words.text_ids(row.text)), (), row.label)
        for row in sentiment_rows(64, 1)
    ]
    torch.manual_seed(0)
    tuned = tuned_words([row.ids for row in rows], 2)
    options = victim_parts.RECIPES["cnn"].options
    return build_network(kind_of("cnn"), 2, options, words=words, tuned=tuned), rows


def test_the_mean_moves_a_little_towards_the_numbers_of_each_step() -> None:
    network = torch.nn.Linear(1, 1, bias=False)
    network.weight.data.fill_(0.0)
    mean = learned(network)
    network.weight.data.fill_(1.0)
    follow(mean, network, 0.995)
    follow(mean, network, 0.995)
    assert mean["weight"].item() == pytest.approx(1 - 0.995**2)


@pytest.mark.parametrize(("keeps", "kept"), [(1.0, "start"), (0.0, "last")])
def test_what_training_keeps_is_the_mean(
    monkeypatch: pytest.MonkeyPatch, keeps: float, kept: str
) -> None:
    network, rows = tiny_cnn()
    start, last = learned(network), {}

    def followed(mean: dict[str, torch.Tensor], trained: torch.nn.Module, keeps: float) -> None:
        last.update(learned(trained))
        follow(mean, trained, keeps)

    monkeypatch.setattr(fitting, "follow", followed)
    recipe = replace(
        victim_parts.RECIPES["cnn"], epochs=1, checks=1, rate=0.01, batch=16, mean_keeps=keeps
    )
    fit(network, rows, rows[:10], recipe, scorer_of(network, kind_of("cnn")), list[str]().append)
    numbers = {"start": start, "last": last}[kept]
    assert all(torch.equal(part, numbers[name]) for name, part in learned(network).items())
    assert any(not torch.equal(start[name], part) for name, part in last.items())


def test_training_stops_when_nothing_is_gained() -> None:
    network, rows = tiny_cnn()
    recipe = replace(
        victim_parts.RECIPES["cnn"], epochs=50, checks=1, patience=2, rate=0.0, batch=32
    )
    lines: list[str] = []
    epochs = fit(network, rows, rows[:10], recipe, scorer_of(network, kind_of("cnn")), lines.append)
    assert epochs == 3  # one gain at the start, then two checks without
    assert len(lines) == 3


def test_batches_hold_every_row_once() -> None:
    import random

    rows = [EncodedExample((2,) * (n % 7 + 1), (), n) for n in range(101)]
    found = epoch_batches(rows, 8, random.Random(0))
    assert sorted(row.label for batch in found for row in batch) == list(range(101))
    assert max(len(batch) for batch in found) == 8


def test_hidden_words_are_never_padding() -> None:
    ids = torch.tensor([[5, 6, PAD]])
    generator = torch.Generator().manual_seed(0)
    assert hide_words(ids, 1.0, generator).tolist() == [[UNKNOWN, UNKNOWN, PAD]]
    assert hide_words(ids, 0.0, generator) is ids


def test_only_words_seen_often_enough_are_tuned() -> None:
    assert tuned_words([(5, 5, 3), (3, 9, PAD)], 2).tolist() == [UNKNOWN, 3, 5]


def test_word_networks_need_words() -> None:
    with pytest.raises(InputError, match="needs the shared words"):
        build_network(kind_of("cnn"), 2, {"filters": 2, "dropout": 0.0})


def test_calibration_error_is_the_gap_between_confidence_and_accuracy() -> None:
    probabilities = np.array([[0.9, 0.1]] * 10)
    labels = np.array([0] * 6 + [1] * 4)
    assert measure.accuracy(probabilities, labels) == pytest.approx(0.6)
    assert measure.calibration_error(probabilities, labels) == pytest.approx(0.3)


def test_the_temperature_undoes_overconfidence() -> None:
    scores = np.array([[4.0, 0.0]] * 10)
    labels = np.array([0] * 7 + [1] * 3)  # right in 70 %, so log(7/3) = 0.85 would be honest
    assert measure.best_temperature(scores, labels) == pytest.approx(4.0)
    assert measure.best_temperature(scores / 4, labels) == pytest.approx(1.2, abs=0.1)


def test_the_training_script_trains_on_a_folder(
    tmp_path: Path,
    data_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    tiny = {name: replace(recipe, epochs=1) for name, recipe in victim_parts.RECIPES.items()}
    monkeypatch.setattr(train, "RECIPES", tiny)
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


def test_every_recipe_has_labels_and_names_its_data() -> None:
    for recipe in RECIPES.values():
        assert recipe.labels == recipes.LABELS[recipe.data]
        assert recipe.data in recipes.TASKS
        assert recipe.data in recipes.DATA


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


def test_victims_without_weights_say_how_to_train_them(tmp_path: Path) -> None:
    entries = bundled(tmp_path)
    assert list(entries) == list(RECIPES)
    entry = entries["cnn-sst2"]
    assert entry.card["labels"] == ("negative", "positive")
    with pytest.raises(ResourceMissingError, match=r"train cnn-sst2 --data DIR"):
        entry()


@pytest.fixture
def renamed(tmp_path: Path) -> Callable[[str, str], Path]:
    def place(tiny: str, name: str) -> Path:
        train_tiny(tiny, tmp_path)
        (tmp_path / tiny).rename(tmp_path / name)
        return tmp_path

    return place


def test_an_entry_makes_its_victim(renamed: Callable[[str, str], Path]) -> None:
    entry = bundled(renamed("cnn", "cnn-sst2"))["cnn-sst2"]
    assert entry.card["network"] == "cnn"
    assert entry.missing() == ""
    assert entry().predict(["a good film"]).shape == (1, 2)


def test_an_entry_takes_a_premise(renamed: Callable[[str, str], Path]) -> None:
    entry = bundled(renamed("dnn", "dnn-snli"))["dnn-snli"]
    assert given(entry(), {"premise": "The film is good"}).predict(["It was good"]).shape == (1, 3)


def test_listing_victims_loads_no_torch() -> None:
    import subprocess

    code = "import sys, core.victims.catalogue as c; c.bundled(); print('torch' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


def test_rows_of_pairs_are_asked_premise_by_premise(tmp_path: Path) -> None:
    train_tiny("dnn", tmp_path)
    victim = load("dnn", tmp_path)
    rows = victim_parts.pair_rows(12, 9)
    found = measure.predict_rows(victim, rows)
    for row, probabilities in zip(rows, found, strict=True):
        alone = given(victim, {"premise": row.context}).predict([row.text])[0]
        assert np.abs(alone - probabilities).max() < 1e-5
    assert isinstance(rows[0], data.Example)
