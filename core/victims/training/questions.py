"""Questions about passages, with the answers and where they stand."""

import gzip
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from core.errors import InputError
from core.victims.training.data import SPLIT_SEED

MEASURED: Final = 500  # questions of a part that measures
STOPPING: Final = 300


@dataclass(frozen=True)
class Question:
    """A question with its answers; none if the passage does not tell."""

    text: str
    passage: str
    answers: tuple[str, ...] = ()
    start: int = 0  # of the first answer, in characters of the passage
    article: str = ""

    @property
    def end(self) -> int:
        """Where the first answer ends."""
        return self.start + len(self.answers[0])


@dataclass(frozen=True)
class QuestionSplit:
    """Questions to train on, to stop on, and those kept only to measure on."""

    train: tuple[Question, ...]
    stop: tuple[Question, ...]
    held_out: tuple[Question, ...]
    note: str


def read(path: Path) -> tuple[Question, ...]:
    """A file of SQuAD's form, 1.1 or 2.0."""
    if not path.is_file():
        raise InputError(f"There is no file {path}; give the folder with the data by --data.")
    stored = path.read_bytes()
    articles = json.loads(gzip.decompress(stored) if path.suffix == ".gz" else stored)["data"]
    return tuple(
        _question(asked, paragraph["context"], article["title"])
        for article in articles
        for paragraph in article["paragraphs"]
        for asked in paragraph["qas"]
    )


def _question(asked: Any, passage: str, article: str) -> Question:
    answers = () if asked.get("is_impossible") else asked["answers"]
    texts = tuple(dict.fromkeys(answer["text"] for answer in answers))
    start = answers[0]["answer_start"] if answers else 0
    return Question(asked["question"].strip(), passage, texts, start, article)


def load(name: str, folder: Path) -> QuestionSplit:
    """The questions of a data set, always split in the same way, by article."""
    train = read(folder / "squad" / "train-v1.1.json")
    if name == "squad":
        stop, held_out = _halves(read(folder / "squad" / "dev-v1.1.json"))
        note = "development articles: every second one stops training, the others are held out"
        return QuestionSplit(train, _some(stop, STOPPING), _some(held_out, MEASURED), note)
    # The development part asks about other articles than the training part.
    rest, stop, held_out = _squad2(folder)
    note = "of 16 articles 8 train beside SQuAD 1.1, 4 stop training and 4 are held out"
    return QuestionSplit(
        (*train, *rest, *_elsewhere(train)), _some(stop, STOPPING), _some(held_out, MEASURED), note
    )


def held_out(folder: Path) -> tuple[Question, ...]:
    """The questions of SQuAD 2.0 that are kept to measure on; no training rows are needed."""
    return _some(_squad2(folder)[-1], MEASURED)


def _squad2(folder: Path) -> tuple[tuple[Question, ...], ...]:
    """Articles to train on, to stop on and to measure on."""
    rest, measuring = _halves(read(folder / "squad2" / "cs224n_dev-v2.0.json.gz"))
    return rest, *_halves(measuring)


def _halves(questions: Iterable[Question]) -> tuple[tuple[Question, ...], tuple[Question, ...]]:
    """Two halves that share no article."""
    rows = tuple(questions)
    articles = list(dict.fromkeys(row.article for row in rows))
    Random(SPLIT_SEED).shuffle(articles)
    first = set(articles[: len(articles) // 2])
    return (
        tuple(row for row in rows if row.article in first),
        tuple(row for row in rows if row.article not in first),
    )


def _some(questions: Sequence[Question], count: int) -> tuple[Question, ...]:
    return tuple(Random(SPLIT_SEED).sample(questions, min(count, len(questions))))


def _elsewhere(questions: Sequence[Question]) -> tuple[Question, ...]:
    """Every third question beside another passage of its article, which does not tell."""
    rng = Random(SPLIT_SEED)
    passages: dict[str, list[str]] = {}
    for row in questions:
        passages.setdefault(row.article, []).append(row.passage)
    made = []
    for row in questions[::3]:
        other = rng.choice(passages[row.article])
        if not any(answer in other for answer in row.answers):
            made.append(replace(row, passage=other, answers=(), start=0))
    return tuple(made)
