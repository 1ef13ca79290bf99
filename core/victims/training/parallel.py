"""Sentences with their translations, and the pieces that words are cut into."""

import gzip
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.errors import InputError
from core.victims.networks.seq2seq import MARKS

PIECES: Final = 4_000  # in the vocabulary that both languages share


@dataclass(frozen=True)
class Sentence:
    """A sentence with its translation."""

    source: str
    target: str


@dataclass(frozen=True)
class ParallelSplit:
    """Rows to train on, rows to stop on, and rows kept only to measure on."""

    train: tuple[Sentence, ...]
    stop: tuple[Sentence, ...]
    held_out: tuple[Sentence, ...]
    note: str = "validation set: even rows stop training, odd rows are held out"


def load(folder: Path) -> ParallelSplit:
    """Captions of Multi30k, and short sentences of Tatoeba to train on."""
    val = _captions(folder, "val")
    apart = {row.source for row in val}
    train = (*_captions(folder, "train"), *_tatoeba(folder / "tatoeba" / "fra.tsv.gz"))
    kept = tuple(row for row in dict.fromkeys(train) if row.source not in apart)
    return ParallelSplit(kept, val[::2], held_out(folder))


def held_out(folder: Path) -> tuple[Sentence, ...]:
    """The rows that are kept to measure on."""
    return _captions(folder, "val")[1::2]


def _lines(path: Path) -> list[str]:
    if not path.is_file():
        raise InputError(f"There is no file {path}; give the folder with the data by --data.")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [line.rstrip("\n") for line in lines]


def _captions(folder: Path, part: str) -> tuple[Sentence, ...]:
    texts = [_lines(folder / "multi30k" / f"{part}.{language}.gz") for language in ("en", "fr")]
    return tuple(Sentence(*pair) for pair in zip(*texts, strict=True))


def _tatoeba(path: Path) -> tuple[Sentence, ...]:
    return tuple(Sentence(*line.split("\t")[:2]) for line in _lines(path))


def train_pieces(rows: Iterable[Sentence]) -> Any:
    """A vocabulary of frequent parts of words (byte-pair encoding), for both languages."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE(unk_token=MARKS[1]))
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Metaspace(), pre_tokenizers.Punctuation()]
    )
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.BpeTrainer(
        vocab_size=PIECES, min_frequency=3, special_tokens=list(MARKS), show_progress=False
    )
    tokenizer.train_from_iterator((t for row in rows for t in (row.source, row.target)), trainer)
    return tokenizer
