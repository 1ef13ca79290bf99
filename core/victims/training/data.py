"""Read the training data of the victims and split it into training, stopping and held-out rows."""

import csv
import gzip
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final, TextIO, cast

from core.errors import InputError
from core.victims.recipes import LABELS

SPLIT_SEED: Final = 20_221


@dataclass(frozen=True)
class Example:
    """A text with its class; entailment has a premise too."""

    text: str
    label: int
    context: str = ""  # the premise of a pair
    soft: tuple[float, ...] = ()  # probabilities to learn instead of the class


@dataclass(frozen=True)
class Split:
    """Rows to train on, rows to stop and calibrate on, and rows kept only to measure on."""

    train: tuple[Example, ...]
    stop: tuple[Example, ...]
    held_out: tuple[Example, ...]
    note: str


_MARKS: Final = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "``": '"', "''": '"'}
_JOINED: Final = re.compile(r" (n't|'(?:s|d|m|ll|re|ve)\b|[.,;:!?%)\]])", re.IGNORECASE)
_OPENING: Final = re.compile(r"([(\[$]) ")
_ENTITY: Final = re.compile(r" ?&?#39;")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?]) +")


def plain(text: str) -> str:
    """Undo the treebank's names of brackets and quotes."""
    return " ".join(_MARKS.get(word.lower(), word) for word in text.split())


def natural(text: str) -> str:
    """Write a tokenised sentence as people type it: ``it 's good .`` becomes ``it's good.``"""
    return _OPENING.sub(r"\1", _JOINED.sub(r"\1", text))


def clean(text: str) -> str:
    """Take markup out of reviews and news: line breaks, character entities, backslashes."""
    text = _ENTITY.sub("'", text.replace("<br />", " ").replace("\\", " "))
    return " ".join(text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").split())


def half_rewritten(
    rows: Iterable[Example], rewrite: Callable[[str], str], rng: Random
) -> tuple[Example, ...]:
    """Rewrite every second row on average, so that a victim knows both ways of writing."""
    return tuple(
        replace(row, text=rewrite(row.text)) if rng.random() < 0.5 else row for row in rows
    )


def read_rows(path: Path, labels: Sequence[str]) -> tuple[Example, ...]:
    """Read a file of rows by its kind: tsv with a header, csv, jsonl, or ``label text`` lines."""
    name = path.name.removesuffix(".gz")
    kind = _READERS.get(name.rpartition(".")[2])
    if kind is None:
        raise InputError(f"{path} is not a .tsv, .csv, .jsonl or .txt file; give one of these.")
    if not path.is_file():
        raise InputError(f"There is no file {path}; give the folder with the data by --data.")
    with (
        gzip.open(path, "rt", encoding="utf-8")
        if path.suffix == ".gz"
        else path.open(encoding="utf-8") as lines
    ):
        return tuple(kind(cast(TextIO, lines), labels))


def _label(value: str, labels: Sequence[str]) -> int:
    return labels.index(value) if value in labels else int(value)


def _tsv(lines: TextIO, labels: Sequence[str]) -> Iterable[Example]:
    next(lines)
    for line in lines:
        label, *texts = line.rstrip("\n").split("\t")
        yield Example(texts[-1].strip(), _label(label, labels), texts[0] if len(texts) > 1 else "")


def _csv(lines: TextIO, labels: Sequence[str]) -> Iterable[Example]:
    for row in csv.reader(lines):
        yield Example(row[-1].strip(), int(row[0]) - 1)  # classes are numbered from 1


def _txt(lines: TextIO, labels: Sequence[str]) -> Iterable[Example]:
    for line in lines:
        label, text = line.strip().split(" ", 1)
        yield Example(text, _label(label, labels))


def _jsonl(lines: TextIO, labels: Sequence[str]) -> Iterable[Example]:
    for line in lines:
        row = json.loads(line)
        if row["gold_label"] in labels:  # "-" marks pairs without agreement
            yield Example(row["sentence2"], labels.index(row["gold_label"]), row["sentence1"])


_READERS: Final[Mapping[str, Callable[[TextIO, Sequence[str]], Iterable[Example]]]] = {
    "tsv": _tsv,
    "csv": _csv,
    "txt": _txt,
    "jsonl": _jsonl,
}


def unique(rows: Iterable[Example]) -> tuple[Example, ...]:
    """Drop rows whose texts are there already."""
    return tuple({(row.context, row.text): row for row in rows}.values())


def _cut(rows: Sequence[Example], stop: int, held_out: int) -> tuple[Sequence[Example], ...]:
    """Shuffle and cut off the rows to stop on and to measure on."""
    shuffled = list(rows)
    Random(SPLIT_SEED).shuffle(shuffled)
    rest = stop + held_out
    return shuffled[rest:], shuffled[:stop], shuffled[stop:rest]


def _cut_by_premise(rows: Sequence[Example]) -> tuple[list[Example], list[Example]]:
    """Two halves that share no premise."""
    premises = list(dict.fromkeys(row.context for row in rows))
    Random(SPLIT_SEED).shuffle(premises)
    first = set(premises[: len(premises) // 2])
    return [r for r in rows if r.context in first], [r for r in rows if r.context not in first]


def _sst2(folder: Path) -> Split:
    def read(name: str) -> tuple[Example, ...]:
        rows = read_rows(folder / "sst2" / name, LABELS["sst2"])
        return tuple(replace(row, text=plain(row.text)) for row in rows)

    train = unique((*read("train_phrases.tsv.gz"), *read("train_sentences.txt.gz")))
    dev = read("dev.tsv")
    note = "development set: even rows stop training and set the temperature, odd rows are held out"
    return Split(half_rewritten(train, natural, Random(SPLIT_SEED)), dev[::2], dev[1::2], note)


def _mr(folder: Path) -> Split:
    rows = []
    for label, name in enumerate(("neg.txt", "pos.txt")):
        lines = (folder / "mr" / name).read_text(encoding="utf-8").splitlines()
        rows += [Example(line.strip(), label) for line in lines]
    train, stop, held_out = _cut(unique(rows), 600, 600)
    rewritten = half_rewritten(train, natural, Random(SPLIT_SEED))
    return Split(rewritten, tuple(stop), tuple(held_out), "600 + 600 random rows stop and measure")


def _imdb(folder: Path) -> Split:
    rows = unique(read_rows(folder / "imdb" / "train.tsv.gz", LABELS["imdb"]))
    train, stop, held_out = _cut(rows, 1_000, 2_000)
    rewritten = half_rewritten(train, clean, Random(SPLIT_SEED))
    return Split(
        rewritten, tuple(stop), tuple(held_out), "1,000 + 2,000 random rows stop and measure"
    )


def _ag(folder: Path) -> Split:
    rows = unique(read_rows(folder / "agnews" / "train_pool.csv.gz", LABELS["ag"]))
    train, stop, held_out = _cut(rows, 800, 1_200)
    rewritten = half_rewritten(train, clean, Random(SPLIT_SEED))
    return Split(
        rewritten, tuple(stop), tuple(held_out), "800 + 1,200 random rows stop and measure"
    )


def _snli_dev(folder: Path) -> tuple[list[Example], list[Example]]:
    """The development set cut in two: rows to stop on, and rows to measure on."""
    return _cut_by_premise(read_rows(folder / "snli" / "dev.tsv.gz", LABELS["snli"]))


def _snli(folder: Path) -> Split:
    train = read_rows(folder / "snli" / "train.jsonl", LABELS["snli"])
    stop, held_out = _snli_dev(folder)
    premises = {row.context for row in (*stop, *held_out)}
    apart = tuple(row for row in train if row.context not in premises)
    note = "the development set cut in two by premise: one half stops, the other is held out"
    return Split(apart, tuple(stop), tuple(held_out), note)


_SPLITS: Final[Mapping[str, Callable[[Path], Split]]] = {
    "sst2": _sst2,
    "mr": _mr,
    "imdb": _imdb,
    "ag": _ag,
    "snli": _snli,
}


def loose_sentences(folder: Path, count: int, known: Iterable[str]) -> tuple[str, ...]:
    """Sentences of 6 to 30 words out of the IMDB training reviews, without a label.

    Those that are ``known`` are left out, so that no row that measures a victim comes in.
    """
    reviews = read_rows(folder / "imdb" / "train.tsv.gz", LABELS["imdb"])
    cut = (part for row in reviews for part in _SENTENCE_END.split(clean(row.text)))
    apart = set(known)
    found = [s for s in dict.fromkeys(cut) if 6 <= len(s.split()) <= 30 and s not in apart]
    return tuple(Random(SPLIT_SEED).sample(found, min(count, len(found))))


def load(name: str, folder: Path) -> Split:
    """The rows of a data set, always split in the same way."""
    return _SPLITS[name](folder)


def held_out(name: str, folder: Path) -> tuple[Example, ...]:
    """The rows of a data set that are kept to measure on; SNLI's need no training rows."""
    return tuple(_snli_dev(folder)[1]) if name == "snli" else load(name, folder).held_out
