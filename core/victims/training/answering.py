"""How a network learns to point at answers: the piece where one begins, and where it ends."""

import random
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from core.package_files import sha256
from core.tasks.squad import exact, f1
from core.victims import words as shared
from core.victims.answering import PASSAGE, AnsweringVictim, load
from core.victims.card import WEIGHTS, write_card
from core.victims.networks.pointers import built, pointer_kind, reader_of
from core.victims.networks.spans import Read, SpanReader, question_ids, stacked
from core.victims.networks.weights import refilled, save_weights, tuned_words
from core.victims.recipes import Recipe
from core.victims.training import questions
from core.victims.training.batches import drawn, slices
from core.victims.training.cards import card_of
from core.victims.training.loop import Check, Subject, learn
from core.victims.training.questions import Question
from core.victims.words import Words


class Encoder:
    """Questions as a network reads them; of a long passage, a part with the answer."""

    def __init__(self, reader: SpanReader, longest: int) -> None:
        self.reader, self.longest = reader, longest
        self.read = lru_cache(20_000)(reader.read)

    def batch(self, rows: Sequence[Question], rng: random.Random) -> "Encoded":
        """Padded questions and passages, and the columns of the answers."""
        asked = [question_ids(self.reader, row.text) for row in rows]
        parts, answers = zip(*(self._part(row, rng) for row in rows), strict=True)
        return Encoded(
            (*stacked(asked), *stacked([part.ids for part in parts])), torch.tensor(answers)
        )

    def _part(self, row: Question, rng: random.Random) -> tuple[Read, tuple[int, int]]:
        """A part of the passage, and the columns of the answer's first and last piece."""
        whole = self.read(row.passage)
        latest = max(0, len(whole.ids) - self.longest)
        if not row.answers:
            begin = rng.randint(0, latest)
            return whole.part(begin, begin + self.longest), (0, 0)
        first, last = _pieces(whole, row)
        earliest = min(max(0, last + 1 - self.longest), first)
        begin = rng.randint(earliest, max(earliest, min(first, latest)))
        part = whole.part(begin, begin + self.longest)
        return part, (first - begin + 1, min(last - begin + 1, len(part.ids)))


@dataclass(frozen=True, eq=False)
class Encoded:
    """What a network is asked, and the columns that are right: (batch, 2), 0 for "no answer"."""

    asked: tuple[Tensor, ...]
    answers: Tensor


def _pieces(passage: Read, row: Question) -> tuple[int, int]:
    """The first and the last piece of the first answer."""
    touched = [
        at for at, (start, end) in enumerate(passage.places) if start < row.end and row.start < end
    ]
    return (touched[0], touched[-1]) if touched else (0, 0)


def subject(
    network: nn.Module,
    reader: SpanReader,
    split: questions.QuestionSplit,
    recipe: Recipe,
) -> Subject[list[Question]]:
    """Learn where answers begin and end; what must fall is the loss of a question."""
    encoder = Encoder(reader, recipe.max_length)
    rng = random.Random(recipe.seed)
    none = any(not row.answers for row in split.train)

    def loss(batch: Sequence[Question], rng: random.Random = rng) -> Tensor:
        encoded = encoder.batch(batch, rng)
        scores = network(*encoded.asked).float()
        if not none:
            scores = scores[:, :, 1:]
        wanted = encoded.answers if none else encoded.answers - 1
        return cross_entropy(scores.flatten(0, 1), wanted.flatten())

    def look() -> tuple[float, str]:
        network.eval()
        near = sorted(split.stop, key=_length)
        same = random.Random(recipe.seed)  # the same parts of long passages at every look
        with torch.inference_mode():
            found = [loss(part, same).item() for part in slices(near, recipe.batch)]
        mean = sum(found) / len(found)
        return mean, f"{mean:.4f}"

    count = min(recipe.rows or len(split.train), len(split.train))

    def batches(order: random.Random) -> list[list[Question]]:
        return drawn(order.sample(split.train, count), recipe.batch, order, _length)

    return Subject(-(-count // recipe.batch), batches, loss, look)


def _length(row: Question) -> int:
    return len(row.passage)


def train_steps(
    name: str, recipe: Recipe, data: Path, folder: Path, progress: Path | None = None
) -> Generator[Check, None, dict[str, Any]]:
    """Train, save, load again and measure an answering victim; its card is written and returned."""
    torch.manual_seed(recipe.seed)
    split = questions.load(recipe.data, data)
    kind, none = pointer_kind(recipe.network), recipe.data == "squad2"
    words = shared.load(folder) if kind.own_reader is None else None
    reader = reader_of(kind, words)
    network: Any = built(kind, recipe.options, words, _tuned(words, split.train, recipe))
    if recipe.start:
        refilled(folder / recipe.start / WEIGHTS, lambda tuned: network)
    yield Check(0.0, f"{name}: {len(split.train):,} questions")
    took = yield from learn(network, subject(network, reader, split, recipe), recipe, progress)
    home = folder / name
    home.mkdir(parents=True, exist_ok=True)
    save_weights(network, home / WEIGHTS)
    card = card_of(home, recipe, network, took)
    if words is not None:
        names = ("words.txt", "words.safetensors")
        card["files"] |= {f"../{file}": sha256(folder / file) for file in names}
    rows = min(recipe.rows or len(split.train), len(split.train))
    card |= {"training_rows": rows, "split": split.note, "no_answer": none}
    if recipe.start:
        card["start"] = {"sha256": sha256(folder / recipe.start / WEIGHTS), "name": recipe.start}
    write_card(home, card)
    shipped = load(name, folder)  # what is measured is what is shipped, rounding included
    card |= {part: measured(shipped, getattr(split, part)) for part in ("stop", "held_out")}
    write_card(home, card)
    return card


def _tuned(words: Words | None, rows: Sequence[Question], recipe: Recipe) -> Tensor | None:
    """The words seen often enough in questions and passages to get vectors of their own."""
    if words is None:
        return None
    texts = dict.fromkeys(text for row in rows for text in (row.text, row.passage))
    return tuned_words(map(words.text_ids, texts), recipe.min_count)


def measured(victim: AnsweringVictim, rows: Sequence[Question]) -> dict[str, Any]:
    """F1 and exact match by SQuAD's rules, in hundredths."""
    by_passage: dict[str, list[Question]] = {}
    for row in rows:
        by_passage.setdefault(row.passage, []).append(row)
    began, found = time.process_time(), []
    for passage, asked in by_passage.items():
        spans = victim.given({PASSAGE: passage}).predict([row.text for row in asked])
        found += list(zip(asked, spans, strict=True))
    seconds = time.process_time() - began
    scores = {"": found} | {
        part: [(row, span) for row, span in found if bool(row.answers) == answerable]
        for part, answerable in (("answerable_", True), ("no_answer_", False))
    }
    return {
        "rows": len(rows),
        "questions_per_second": round(len(rows) / max(seconds, 1e-9), 1),
        **{
            f"{part}{name}": round(
                100 * float(np.mean([rule(s.text, r.answers) for r, s in some])), 1
            )
            for part, some in scores.items()
            for name, rule in (("f1", f1), ("exact", exact))
            if some
        },
    }
