"""Training data in miniature, in the layout of the real files."""

import gzip
import json
from pathlib import Path

import pytest

from tests.toys.victim_parts import pair_rows, sentiment_rows


def _gz(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


@pytest.fixture
def data_folder(tmp_path: Path) -> Path:
    """A folder with a few rows of every data set."""
    folder = tmp_path / "data"
    rows = [(row.label, row.text) for row in sentiment_rows(40, 5)]
    tsv = ["label\tsentence", *(f"{label}\t{text}" for label, text in rows)]
    _gz(folder / "sst2" / "train_phrases.tsv.gz", tsv)
    _gz(
        folder / "sst2" / "train_sentences.txt.gz",
        [f"{n} {text} -lrb- it 's -rrb-" for n, text in rows],
    )
    (folder / "sst2" / "dev.tsv").write_text("\n".join(tsv[:21]) + "\n", encoding="utf-8")
    (folder / "mr").mkdir()
    for label, name in enumerate(("neg.txt", "pos.txt")):
        lines = [f"{text} {n} " for n, (other, text) in enumerate(rows * 40) if other == label]
        (folder / "mr" / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    many = [f"{label}\t{text}<br /><br />number {n}" for n, (label, text) in enumerate(rows * 80)]
    _gz(folder / "imdb" / "train.tsv.gz", ["label\ttext", *many])
    news = [
        f'"{n % 4 + 1}","lst","Item #39;{n}#39; {text}"' for n, (_, text) in enumerate(rows * 60)
    ]
    _gz(folder / "agnews" / "train_pool.csv.gz", news)
    names = ("contradiction", "neutral", "entailment")
    pairs = [
        (names[row.label], f"{row.context} {n % 20}", row.text)
        for n, row in enumerate(pair_rows(60, 5))
    ]
    _gz(
        folder / "snli" / "dev.tsv.gz",
        ["label\tpremise\thypothesis", *("\t".join(p) for p in pairs)],
    )
    train = [
        {"gold_label": names[row.label], "sentence1": row.context, "sentence2": row.text}
        for row in pair_rows(60, 6)
    ]
    train.append({"gold_label": "-", "sentence1": "a", "sentence2": "b"})
    train.append({"gold_label": "neutral", "sentence1": pairs[0][1], "sentence2": "It was a movie"})
    text = "\n".join(json.dumps(row) for row in train)
    (folder / "snli" / "train.jsonl").write_text(text + "\n", encoding="utf-8")
    return folder
