"""The questions that victims learn from: SQuAD's files, their split, parts of long passages."""

import random
from pathlib import Path

import pytest

from core.errors import InputError
from core.victims.networks.bidaf import PlacedWords
from core.victims.training import questions
from core.victims.training.answering import Encoder
from core.victims.training.questions import Question
from tests.toys.text_parts import data_folder, town_words


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return data_folder(tmp_path / "data", rows=30)


def articles(rows: tuple[Question, ...]) -> set[str]:
    return {row.article for row in rows}


def test_answers_stand_where_the_file_says(folder: Path) -> None:
    rows = questions.read(folder / "squad" / "dev-v1.1.json")
    assert rows
    assert all(row.passage[row.start : row.end] == row.answers[0] for row in rows)
    assert all(len(row.answers) == 1 for row in rows)  # equal answers of two people are one


def test_no_article_is_on_both_sides(folder: Path) -> None:
    for name in ("squad", "squad2"):
        split = questions.load(name, folder)
        assert not articles(split.stop) & articles(split.held_out)
        assert {row.passage for row in split.held_out}
    second = questions.load("squad2", folder)
    assert {bool(row.answers) for row in second.held_out} == {True, False}


def test_questions_beside_another_passage_have_no_answer(folder: Path) -> None:
    rows = [
        Question("Where does Ada live?", "Ada lives in Rome.", ("Rome",), 13, "a"),
        Question("Where does Ben live?", "Ben lives in Oslo.", ("Oslo",), 13, "a"),
    ]
    made = questions._elsewhere(rows * 30)
    assert made
    assert all(
        not row.answers and row.passage == rows[1].passage for row in made if "Ada" in row.text
    )


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no file .*train-v1.1.json; give the folder"):
        questions.load("squad", tmp_path)


@pytest.mark.parametrize("longest", [4, 6, 30])
def test_a_part_of_a_long_passage_holds_the_answer(longest: int) -> None:
    passage = "Ada lives in Rome. Ben lives in Oslo. Cleo lives in Lima."
    row = Question("Where does Ben live?", passage, ("Oslo",), passage.index("Oslo"))
    encoder = Encoder(PlacedWords(town_words()), longest)
    for seed in range(20):
        encoded = encoder.batch([row], random.Random(seed))
        part, columns = encoded.asked[2][0], encoded.answers[0]
        assert len(part) <= longest
        assert columns[0] == columns[1]
        assert int(part[columns[0] - 1, 0]) == town_words().ids["oslo"]


def test_without_an_answer_the_first_column_is_right() -> None:
    row = Question("Where does Ben live?", "Ada lives in Rome. " * 4)
    encoded = Encoder(PlacedWords(town_words()), 5).batch([row], random.Random(1))
    assert encoded.answers.tolist() == [[0, 0]]
