"""Every kind of file, read as rows."""

import csv
import gzip
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas
import pytest

from core import InputError, ResourceMissingError
from core.experiment.data import Limits, Source
from core.experiment.inputs import Input, Inputs, load
from core.tasks.answering import Answering
from core.tasks.translation import Translation
from tests.toys.rows import BAD, GOOD, read

NUMBERED = (("0", "negative"), ("1", "positive"))
WANTED = (Input(1, GOOD, ("positive",)), Input(2, BAD, ("negative",)))


def test_every_kind_of_file_gives_the_same_inputs(tmp_path: Path) -> None:
    rows = [{"id": "a", "y": 1, "x": GOOD}, {"id": "b", "y": 0, "x": BAD}]
    table = pandas.DataFrame(rows)
    table.to_csv(tmp_path / "rows.csv", index=False)
    table.to_csv(tmp_path / "rows.tsv", index=False, sep="\t")
    table.to_json(tmp_path / "rows.jsonl", orient="records", lines=True)
    table.astype({"y": "float64"}).to_parquet(tmp_path / "rows.parquet")
    with gzip.open(tmp_path / "rows.csv.gz", "wb") as file:
        file.write((tmp_path / "rows.csv").read_bytes())
    for name in ("rows.csv", "rows.tsv", "rows.jsonl", "rows.parquet", "rows.csv.gz"):
        source = Source(file=name, text="x", reference="y", labels=NUMBERED)
        assert read(tmp_path, source) == Inputs(WANTED, ()), name


def test_columns_are_named_by_numbers_where_there_is_no_header(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f'"2","lst","{GOOD}"\n"1","lst","{BAD}"\n', encoding="utf-8")
    source = Source(
        file="a.csv", text=3, reference=1, labels=(("1", "negative"), ("2", "positive"))
    )
    assert read(tmp_path, source).used == WANTED


def test_quotes_mean_nothing_in_a_tsv_and_something_in_a_csv(tmp_path: Path) -> None:
    text = f'"{GOOD}'
    (tmp_path / "a.tsv").write_text(f"label\ttext\npositive\t{text}\n", encoding="utf-8")
    assert read(tmp_path, Source(file="a.tsv")).used == (Input(1, text, ("positive",)),)
    with (tmp_path / "a.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["label", "text"], ["positive", text + "\nand more"]])
    assert read(tmp_path, Source(file="a.csv")).used[0].text == text + "\nand more"


@pytest.mark.parametrize(
    ("name", "content", "source", "words"),
    [
        ("a.csv", b"label,text\n", {"text": "txt"}, 'no column in a.csv called "txt". Did you'),
        ("a.csv", b"", {}, "no column in a.csv called"),
        ("a.csv", b"a,b\n", {"text": 0, "reference": 1}, "columns count from 1"),
        ("a.xlsx", b"", {}, "no kind of data file"),
        ("a.csv.gz", b"not an archive", {}, "cannot be read"),
        ("a.parquet", b"not parquet", {}, "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(
    tmp_path: Path, name: str, content: bytes, source: dict[str, Any], words: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError) as caught:
        read(tmp_path, Source(file=name, **source))
    assert words in str(caught.value)


def test_a_parquet_file_without_the_column_and_a_missing_file(tmp_path: Path) -> None:
    pandas.DataFrame({"text": [GOOD]}).to_parquet(tmp_path / "a.parquet")
    with pytest.raises(InputError, match='no column called "label"'):
        read(tmp_path, Source(file="a.parquet"))
    with pytest.raises(InputError, match="There is no data file"):
        read(tmp_path, Source(file="b.parquet"))


def test_broken_lines_and_values_that_are_no_text(tmp_path: Path) -> None:
    lines = ["{", "[1]", '{"text": "a"}', '{"text": null, "label": "positive"}', "", "3"]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    found = read(tmp_path, Source(file="a.jsonl"))
    assert [(skip.row, skip.reason, skip.detail) for skip in found.skipped] == [
        (1, "broken", "not JSON"),
        (2, "broken", "not a row"),
        (3, "broken", 'no "label"'),
        (4, "empty", ""),
        (5, "broken", "not a row"),
    ]


class HubTable(list[dict[str, Any]]):
    """What ``datasets`` gives: rows with features; the real package is not installed here."""

    column_names = ("sentence", "label")

    def __init__(self, rows: list[dict[str, Any]], names: list[str]) -> None:
        super().__init__(rows)
        self.features = {"label": type("ClassLabel", (), {"names": names})()}


def test_a_hub_data_set_is_read_by_class_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str | None, str]] = []

    def load_dataset(name: str, subset: str | None, split: str) -> HubTable:
        asked.append((name, subset, split))
        if name == "org/none":
            raise ConnectionError("no route")
        rows = [{"sentence": GOOD, "label": 1}, {"sentence": BAD, "label": -1}]
        return HubTable(rows, ["negative", "positive"])

    package = ModuleType("datasets")
    vars(package).update(load_dataset=load_dataset)
    monkeypatch.setitem(sys.modules, "datasets", package)
    found = read(tmp_path, Source(hub="org/set", split="validation", text="sentence"))
    assert asked == [("org/set", None, "validation")]
    assert found.used == WANTED[:1]
    assert found.skipped[0].detail == '"-1"'
    with pytest.raises(ResourceMissingError, match=r"cannot be loaded \(no route\)"):
        read(tmp_path, Source(hub="org/none"))
    with pytest.raises(InputError, match='no column called "text"'):
        read(tmp_path, Source(hub="org/set"))


def test_without_the_package_a_hub_data_set_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(ResourceMissingError, match="pip install datasets"):
        read(tmp_path, Source(hub="org/set"))


PARAGRAPH: Mapping[str, Any] = {
    "context": "The mill was sold to Anna. The bridge was built by Bruno.",
    "qas": [
        {
            "question": "Who built the bridge that the people of the village use every day?",
            "answers": [{"text": "Bruno", "answer_start": 51}, {"text": "by Bruno"}],
        },
        {
            "question": "Who sold the bridge that the people of the village use every day?",
            "answers": [],
            "plausible_answers": [{"text": "Bruno"}],
            "is_impossible": True,
        },
    ],
}


def squad(path: Path, *paragraphs: Mapping[str, Any]) -> None:
    data = {"version": "v2.0", "data": [{"title": "Mills", "paragraphs": list(paragraphs)}]}
    path.write_bytes(gzip.compress(json.dumps(data).encode()))


def squad_source(reference: str) -> Source:
    columns = (("passage", "passage"),)
    return Source(file="dev.json.gz", text="question", reference=reference, context=columns)


def test_questions_of_squad_with_and_without_answers(tmp_path: Path) -> None:
    squad(tmp_path / "dev.json.gz", PARAGRAPH)
    found = load(squad_source("answers_or_none"), Limits(), Answering(), tmp_path)
    assert [each.reference for each in found.used] == [("Bruno", "by Bruno"), ("no answer",)]
    assert {each.context["passage"] for each in found.used} == {PARAGRAPH["context"]}
    answerable = load(squad_source("answers"), Limits(), Answering(), tmp_path)
    assert answerable.used == found.used[:1]
    (left_out,) = answerable.skipped
    assert (left_out.row, left_out.reason) == (2, "label")


def test_an_answer_that_is_not_in_its_passage_is_left_out(tmp_path: Path) -> None:
    question = {**PARAGRAPH["qas"][0], "answers": [{"text": "Clara"}]}
    squad(tmp_path / "dev.json.gz", {**PARAGRAPH, "qas": [question]})
    (skip,) = load(squad_source("answers"), Limits(), Answering(), tmp_path).skipped
    assert skip.reason == "unfit"
    assert skip.detail.startswith('The answer "Clara" is not in the passage')


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{}", b'{"data": 3}', b'{"data": [{"paragraphs": [{"qas": [{}]}]}]}', b"\xff"],
)
def test_other_json_is_no_file_of_squad(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "dev.json.gz").write_bytes(gzip.compress(content))
    with pytest.raises(InputError, match=r"dev\.json is not a file of SQuAD"):
        load(squad_source("answers"), Limits(), Answering(), tmp_path)


def test_parallel_sentences(tmp_path: Path) -> None:
    (tmp_path / "a.en").write_text(f"{GOOD}\n\n{BAD}\n", encoding="utf-8")
    (tmp_path / "a.fr.gz").write_bytes(gzip.compress(b"Bien.\nVide.\nMal !\n"))
    source = Source(file="a.en", parallel="a.fr.gz")
    found = load(source, Limits(), Translation(), tmp_path)
    assert found.used == (Input(1, GOOD, ("Bien.",)), Input(3, BAD, ("Mal !",)))
    assert [skip.reason for skip in found.skipped] == ["empty"]


def test_parallel_files_of_other_lengths_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.en").write_text(f"{GOOD}\n{BAD}\n", encoding="utf-8")
    (tmp_path / "a.fr").write_text("Bien.\n", encoding="utf-8")
    source = Source(file="a.en", parallel="a.fr")
    with pytest.raises(InputError, match=r"a\.fr has fewer lines than a\.en; they belong"):
        load(source, Limits(), Translation(), tmp_path)
    with pytest.raises(InputError, match="There is no data file"):
        load(Source(file="a.en", parallel="b.fr"), Limits(), Translation(), tmp_path)
    with pytest.raises(InputError, match="parallel is a second file, beside file"):
        Source(bundled="captions", parallel="a.fr")
