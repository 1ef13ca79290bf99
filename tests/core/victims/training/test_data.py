"""Reading and splitting the training data."""

from pathlib import Path
from random import Random

import pytest

from core.errors import InputError
from core.victims.training import data
from core.victims.training.data import (
    Example,
    clean,
    half_rewritten,
    load,
    natural,
    plain,
    read_rows,
)


def test_brackets_and_quotes_of_the_treebank_become_marks() -> None:
    assert plain("a -lrb- bad -RRB- `` film ''") == 'a ( bad ) " film "'


def test_a_tokenised_sentence_is_written_as_people_type() -> None:
    assert natural("it 's good , is n't it ? ( yes )") == "it's good, isn't it? (yes)"


def test_markup_is_taken_out() -> None:
    assert clean("Haiti #39;s\\straits<br />&lt;b&gt; A&amp;B") == "Haiti's straits <b> A&B"


def test_about_half_of_the_rows_are_rewritten_and_always_the_same_ones() -> None:
    rows = [Example(f"a {n}", 0) for n in range(200)]
    first = half_rewritten(rows, str.upper, Random(1))
    assert first == half_rewritten(rows, str.upper, Random(1))
    assert 70 < sum(row.text.startswith("A") for row in first) < 130


@pytest.mark.parametrize("name", ["sst2", "mr", "imdb", "ag", "snli"])
def test_the_parts_of_a_split_share_no_row(data_folder: Path, name: str) -> None:
    split = load(name, data_folder)
    assert split.train
    assert split.stop
    assert split.held_out
    assert split == load(name, data_folder)
    if name != "sst2":  # its miniature repeats the training rows in the development set
        stop = {(row.context, row.text) for row in split.stop}
        held_out = {(row.context, row.text) for row in split.held_out}
        train = {(row.context, row.text) for row in split.train}
        assert not stop & held_out
        assert not (stop | held_out) & train


def test_entailment_is_split_by_premise(data_folder: Path) -> None:
    split = load("snli", data_folder)
    parts = [{row.context for row in part} for part in (split.train, split.stop, split.held_out)]
    assert not parts[0] & parts[1]
    assert not parts[0] & parts[2]
    assert not parts[1] & parts[2]


def test_news_classes_start_at_zero(data_folder: Path) -> None:
    assert {row.label for row in load("ag", data_folder).train} == {0, 1, 2, 3}


def test_labels_may_be_names_or_numbers(tmp_path: Path) -> None:
    path = tmp_path / "rows.tsv"
    path.write_text("label\ttext\n1\tfine\nnegative\tdull\n", encoding="utf-8")
    assert read_rows(path, ("negative", "positive")) == (Example("fine", 1), Example("dull", 0))


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"not a \.tsv, \.csv, \.jsonl or \.txt"):
        read_rows(tmp_path / "rows.pdf", ())


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no file .*rows\.tsv"):
        read_rows(tmp_path / "rows.tsv", ())


def test_loose_sentences_are_of_a_fair_length_and_new(data_folder: Path) -> None:
    found = data.loose_sentences(data_folder, 10_000, ())
    assert all(6 <= len(text.split()) <= 30 and "<br />" not in text for text in found)
    assert len(set(found)) == len(found)
    assert set(data.loose_sentences(data_folder, 10_000, found[:7])) == set(found[7:])
    assert data.loose_sentences(data_folder, 3, ()) == data.loose_sentences(data_folder, 3, ())
