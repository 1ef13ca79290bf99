"""Teach a large encoder and keep what it believes of each row, for a small victim to learn.

``python -m core.victims.training.teacher sst2 --data DIR --model FOLDER --out FILE``
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from core.errors import CoreError, require
from core.transformers_loader import load_pretrained
from core.victims.recipes import LABELS
from core.victims.training import data, measure
from core.victims.training.data import Example, Split
from core.victims.training.fitting import EncodedExample, epoch_batches
from core.victims.training.loop import rate_at
from core.victims.training.soft_labels import SoftLabels, write_soft_labels

_TOKENS = 4_096  # in one forward pass, padding included
_SAID = 60.0  # seconds between two lines of progress


@dataclass(frozen=True)
class Lesson:
    frozen: float = 0.5  # share of the layers, from below, that keep the package's numbers
    rate: float = 3e-5
    head_rate: float = 1e-3
    batch: int = 32
    epochs: int = 1
    fewest_words: int = 16  # shorter rows are mostly parts of longer ones, and time is short
    seed: int = 7


class Teacher(nn.Module):
    """An encoder, the mean over its tokens, one linear layer; it computes in 16 bits."""

    def __init__(self, folder: Path, labels: int, frozen: float) -> None:
        super().__init__()
        loaded = load_pretrained("AutoModel", folder)
        self.encoder: Any = loaded.model
        self.tokenizer = loaded.tokenizer
        require(
            hasattr(self.encoder, "embeddings") and hasattr(self.encoder, "encoder"),
            f"The model in {folder} is not an encoder such as BERT or MPNet; give one that is.",
        )
        self.encoder.embeddings.requires_grad_(False)
        layers = self.encoder.encoder.layer
        for layer in layers[: int(len(layers) * frozen)]:
            layer.requires_grad_(False)
        self.output = nn.Linear(self.encoder.config.hidden_size, labels)

    def rows(self, examples: Sequence[Example]) -> list[EncodedExample]:
        """Texts as ids; a text ends where the encoder's positions do."""
        longest = self.encoder.config.max_position_embeddings - 2
        texts = [example.text for example in examples]
        found = self.tokenizer(texts, truncation=True, max_length=longest)["input_ids"]
        return [EncodedExample(tuple(i), (), e.label) for i, e in zip(found, examples, strict=True)]

    def forward(self, rows: Sequence[EncodedExample]) -> Tensor:
        """Class scores of shape (rows, labels)."""
        parts = [torch.tensor(row.ids) for row in rows]
        pad = self.tokenizer.pad_token_id
        ids = nn.utils.rnn.pad_sequence(parts, batch_first=True, padding_value=pad)
        mask = nn.utils.rnn.pad_sequence([torch.ones_like(part) for part in parts], True)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        mean = (hidden.float() * mask[:, :, None]).sum(dim=1) / mask.sum(dim=1)[:, None]
        scores: Tensor = self.output(mean)
        return scores


def teach(
    teacher: Teacher, rows: Sequence[EncodedExample], lesson: Lesson, say: Callable[[str], object]
) -> None:
    """Train the upper layers and the output on rows."""
    rng = Random(lesson.seed)
    head = {id(p) for p in teacher.output.parameters()}
    tuned = [p for p in teacher.parameters() if p.requires_grad]
    groups = [
        {"params": [p for p in tuned if id(p) not in head], "lr": lesson.rate},
        {"params": list(teacher.output.parameters()), "lr": lesson.head_rate},
    ]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    steps = lesson.epochs * -(-len(rows) // lesson.batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda at: rate_at(at, steps))
    batches = [b for _ in range(lesson.epochs) for b in epoch_batches(rows, lesson.batch, rng)]
    clock = _Reporter(say)
    loss_of = nn.CrossEntropyLoss()
    teacher.train()
    total = 0.0
    for number, batch in enumerate(batches, start=1):
        labels = torch.tensor([row.label for row in batch])
        loss = loss_of(teacher(batch), labels)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(tuned, 1.0)
        optimiser.step()
        schedule.step()
        total += loss.item()
        clock.tell(f"taught {number:,} of {steps:,} steps, loss {total / number:.4f}")


def beliefs(
    teacher: Teacher, rows: Sequence[EncodedExample], say: Callable[[str], object]
) -> measure.Floats:
    """The teacher's probabilities of all rows, in their order."""
    teacher.eval()
    clock = _Reporter(say)
    result = np.zeros((len(rows), teacher.output.out_features))
    order = sorted(range(len(rows)), key=lambda number: len(rows[number].ids))
    while order:
        batch = order[-max(1, _TOKENS // len(rows[order[-1]].ids)) :]
        with torch.inference_mode():
            scores = teacher([rows[number] for number in batch])
        result[batch] = scores.double().softmax(dim=-1).numpy()
        del order[-len(batch) :]
        clock.tell(f"asked {len(rows) - len(order):,} of {len(rows):,} rows")
    return result


def soft_labels(
    name: str,
    split: Split,
    loose: Sequence[str],
    folder: Path,
    lesson: Lesson,
    say: Callable[[str], object],
) -> SoftLabels:
    """Teach the encoder of a folder; its accuracy, and its word on training rows and others."""
    began = time.monotonic()
    torch.manual_seed(lesson.seed)
    teacher = Teacher(folder, len(LABELS[name]), lesson.frozen)
    long = [row for row in split.train if len(row.text.split()) >= lesson.fewest_words]
    require(
        bool(long),
        f"No training row has {lesson.fewest_words} words, so there is nothing to teach.",
    )
    say(f"{folder.name}: {len(long):,} rows of {lesson.fewest_words} words and more")
    teach(teacher, teacher.rows(long), lesson, say)
    about: dict[str, Any] = {"data": name, "encoder": folder.name, "rows": len(long)}
    about |= asdict(lesson)
    for part, rows in (("stop", split.stop), ("held_out", split.held_out)):
        found = beliefs(teacher, teacher.rows(rows), say)
        right = measure.accuracy(found, np.array([row.label for row in rows]))
        about[part] = {"rows": len(rows), "accuracy": round(right, 4)}
        say(f"accuracy on the {part} rows: {right:.4f}")
    examples = [*split.train, *(Example(text, 0) for text in loose)]
    found = beliefs(teacher, teacher.rows(examples), say)
    about["minutes"] = round((time.monotonic() - began) / 60, 1)
    texts = (row.text for row in examples)
    return SoftLabels(about, dict(zip(texts, map(tuple, found.tolist()), strict=True)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Teach an encoder the training rows of a data set and write its soft labels."""
    parser = argparse.ArgumentParser(
        prog="python -m core.victims.training.teacher", description=main.__doc__
    )
    parser.add_argument("name", choices=("sst2", "mr"), help="the data set")
    parser.add_argument("--data", type=Path, required=True, help="folder with the training data")
    parser.add_argument("--model", type=Path, required=True, help="folder with an encoder")
    parser.add_argument("--out", type=Path, required=True, help="file for the soft labels")
    parser.add_argument("--sentences", type=int, default=16_000, help="of IMDB, without labels")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    try:
        folder = options.out.parent  # looked at first: what is to be written took an hour
        require(folder.is_dir(), f"There is no folder {folder}; make it, or name another file.")
        split = data.load(options.name, options.data)
        parts = (split.train, split.stop, split.held_out)
        known = (row.text for part in parts for row in part)
        loose = data.loose_sentences(options.data, options.sentences, known)
        found = soft_labels(options.name, split, loose, options.model, Lesson(), _say)
        write_soft_labels(options.out, found)
    except CoreError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    _say(f"{len(found.probabilities):,} soft labels in {options.out}")
    return 0


class _Reporter:
    """Says a line only when the last one is old."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self.say = say
        self.began = self.last = time.monotonic()

    def tell(self, line: str) -> None:
        now = time.monotonic()
        if now - self.last >= _SAID:
            self.last = now
            self.say(f"{line}, {(now - self.began) / 60:.1f} min")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
