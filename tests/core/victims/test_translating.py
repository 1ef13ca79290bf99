"""Trained translators as victims: texts out, alone as in company, and damaged files."""

import json
from pathlib import Path

import pytest

from core.__main__ import main
from core.errors import InputError, ResourceMissingError
from core.registry import Entry
from core.tasks import task_of
from core.victims import VICTIMS, Victim, given
from core.victims.networks.seq2seq import LIMIT
from core.victims.trained import load
from core.victims.translating import PIECES, TranslationVictim
from tests.toys.text_parts import data_folder, sentences, train_tiny

TEXTS = ("The dog sleeps here.", "", "a [UNK] runs", "the cat eats often.", "żółw 🐢", "dog " * 300)


@pytest.fixture(scope="module", params=["transformer", "convs2s"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("victims")
    data = data_folder(home / "data")
    train_tiny(request.param, home, data, epochs=60, rate=0.01, mean_keeps=0.9)
    (home / request.param).rename(home / "tiny")
    return home


@pytest.fixture(scope="module")
def victim(folder: Path) -> TranslationVictim:
    found = load("tiny", folder)
    assert isinstance(found, TranslationVictim)
    return found


def test_it_learns_to_translate_word_by_word(folder: Path, victim: TranslationVictim) -> None:
    card = json.loads((folder / "tiny" / "card.json").read_text(encoding="utf-8"))
    assert card["held_out"]["bleu"] > 90
    assert card["held_out_beams"]["bleu"] > 90
    assert victim.predict(["the horse runs now."]).tolist() == ["le cheval court maintenant."]


def test_it_is_a_victim_of_its_task(victim: TranslationVictim) -> None:
    assert isinstance(victim, Victim)
    assert given(victim, {}) is victim
    task = task_of(victim)
    assert task.key == "translation"
    found = task.checked(victim.predict(TEXTS), len(TEXTS))
    assert found.shape == (len(TEXTS),)
    assert victim.predict([]).shape == (0,)


@pytest.mark.parametrize("beams", [1, 4])
def test_a_text_gets_the_same_translation_alone(folder: Path, beams: int) -> None:
    victim = load("tiny", folder, beams=beams)
    alone = [victim.predict([text])[0] for text in TEXTS]
    assert victim.predict(TEXTS).tolist() == alone


def test_a_hidden_word_is_unknown_and_a_long_text_is_cut(victim: TranslationVictim) -> None:
    assert victim.pieces.row("a [UNK] dog").count(1) == 1
    assert len(victim.pieces.row("dog " * 300)) == LIMIT
    text = sentences(1, 9)[0][1]
    assert victim.pieces.text(victim.pieces.row(text)[:-1]) == text


def test_the_beams_have_a_limit(folder: Path) -> None:
    with pytest.raises(InputError, match="follows 1 to 16 beams"):
        load("tiny", folder, beams=0)


def test_a_damaged_vocabulary_is_named(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "tiny"
    copy.mkdir()
    for file in (folder / "tiny").iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    (copy / PIECES).write_text("{}", encoding="utf-8")
    with pytest.raises(ResourceMissingError, match=r"pieces.json is damaged"):
        load("tiny", tmp_path)


def test_it_is_attacked_by_its_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    card = {"task_key": "translation"}
    entry = Entry(lambda: load("tiny", folder), "a tiny translator", card)
    monkeypatch.setitem(VICTIMS, "tiny", entry)
    right = ["--reference", "le chien dort ici."]
    assert main(["attack", "the dog sleeps here.", "--victim", "tiny", *right, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["answer"] == "le chien dort ici."
    assert found["task"] == "translation"
    assert found["adversarial_answer"] == load("tiny", folder).predict([found["adversarial"]])[0]
