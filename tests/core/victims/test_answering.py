"""Trained networks that answer, as victims: spans out, long passages, and what is refused."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.__main__ import main
from core.errors import InputError
from core.registry import Entry
from core.tasks import task_of
from core.victims import VICTIMS, ContextVictim, given
from core.victims.answering import AnsweringVictim
from core.victims.networks.bidaf import PlacedWords
from core.victims.networks.minilm_spans import PlacedPieces
from core.victims.networks.spans import Read, SpanReader
from core.victims.trained import load
from tests.toys.text_parts import data_folder, town_words, train_tiny

PASSAGE = "Ada lives in Rome. Ben lives in Oslo."
QUESTIONS = ("Where does Ben live?", "Who?", "", "Where does [UNK] live?", "Where does Ada live?")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("victims")
    train_tiny(
        "bidaf", home, data_folder(home / "data"), epochs=12, batch=8, rate=0.01, mean_keeps=0.9
    )
    return home


@pytest.fixture(scope="module")
def victim(folder: Path) -> AnsweringVictim:
    found = load("bidaf", folder)
    assert isinstance(found, AnsweringVictim)
    return found.given({"passage": PASSAGE})


def test_it_learns_who_lives_where(folder: Path, victim: AnsweringVictim) -> None:
    card = json.loads((folder / "bidaf" / "card.json").read_text(encoding="utf-8"))
    assert card["held_out"]["f1"] >= 80
    first, last = victim.predict([QUESTIONS[0], QUESTIONS[-1]])
    assert (first.text, last.text) == ("Oslo", "Rome")
    assert PASSAGE[first.start : first.end] == "Oslo"
    assert 0.3 < first.confidence <= 1
    assert first.none_confidence == 0  # it has not learned to say so


def test_it_is_a_victim_of_its_task(victim: AnsweringVictim) -> None:
    assert isinstance(victim, ContextVictim)
    assert given(victim, {"passage": "Eva lives in Lima."}) != victim
    task = task_of(victim)
    assert task.key == "answering"
    found = task.checked(victim.predict(QUESTIONS), len(QUESTIONS))
    assert all(0 <= span.start < span.end <= len(PASSAGE) for span in found)
    assert victim.predict([]).shape == (0,)


def test_a_question_gets_the_same_answer_alone(victim: AnsweringVictim) -> None:
    many = [*QUESTIONS, *(f"Where does Ben live {'now ' * n}?" for n in range(30)), *QUESTIONS]
    alone = [victim.predict([text])[0] for text in many]
    assert victim.predict(many).tolist() == alone


def test_a_long_passage_is_read_in_parts_that_overlap(victim: AnsweringVictim) -> None:
    small = replace(victim, kind=replace(victim.kind, window=8))
    assert [len(read.ids) for read in small.windows] == [8, 6]
    assert small.windows[0].places[4:] == small.windows[1].places[:4]
    long = "Finn lives in Cairo. " * 200 + PASSAGE
    (span,) = victim.given({"passage": long}).predict(["Where does Ben live?"])
    assert long[span.start : span.end] == span.text


@pytest.mark.parametrize("context", [{}, {"passage": "  \n"}])
def test_without_a_passage_there_is_no_answer(folder: Path, context: dict[str, str]) -> None:
    victim: Any = load("bidaf", folder)
    with pytest.raises(InputError, match="The passage is empty"):
        victim.given(context)
    with pytest.raises(InputError, match="needs a passage"):
        victim.predict(["Who?"])


@pytest.mark.parametrize("reader", [PlacedWords(town_words()), PlacedPieces()])
def test_pieces_stand_where_they_are_read(reader: SpanReader) -> None:
    text = "Ada's well-made İSTANBUL [UNK] 3.5, don't!!  ok\u0301 🐢"
    read = reader.read(text)
    assert isinstance(read, Read)
    assert len(read.places) == len(read.ids)
    said = [text[start:end] for start, end in read.places]
    assert all(said)
    assert "3.5" in "".join(said)
    assert np.all(np.diff([start for start, _ in read.places]) >= 0)
    assert not len(reader.read("  ").ids)


def test_it_is_attacked_by_its_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    card = {"task_key": "answering"}
    entry = Entry(lambda: load("bidaf", folder), "a tiny network that answers", card)
    monkeypatch.setitem(VICTIMS, "tiny", entry)
    asked = ["--context", f"passage={PASSAGE}", "--reference", "Oslo"]
    assert main(["attack", QUESTIONS[0], "--victim", "tiny", *asked, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["answer"] == "Oslo"
    assert found["task"] == "answering"
    assert found["success"] == (found["adversarial_answer"] != "Oslo")
