"""Sentences with translations: what is read, and that nothing measured is learned."""

import gzip
from pathlib import Path

import pytest

from core.errors import InputError
from core.victims.networks.pieces import Pieces
from core.victims.training import parallel
from tests.toys.text_parts import data_folder


def test_nothing_that_measures_is_learned(tmp_path: Path) -> None:
    folder = data_folder(tmp_path)
    split = parallel.load(folder)
    measuring = {row.source for row in (*split.stop, *split.held_out)}
    assert split.train
    assert not measuring & {row.source for row in split.train}
    assert len(split.stop) == len(split.held_out) == 20


def test_the_credits_of_short_sentences_are_left_out(tmp_path: Path) -> None:
    folder = data_folder(tmp_path)
    line = "Go away!\tVa-t'en !\tCC-BY 2.0 (France)\n"
    (folder / "tatoeba" / "fra.tsv.gz").write_bytes(gzip.compress(line.encode()))
    assert parallel.Sentence("Go away!", "Va-t'en !") in parallel.load(folder).train


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no file .*val.en.gz; give the folder"):
        parallel.load(tmp_path)


def test_pieces_give_the_text_back() -> None:
    rows = [parallel.Sentence("A man's dog runs.", "Le chien d'un homme court.")] * 5
    pieces = Pieces(parallel.train_pieces(rows))
    for text in ("A man's dog runs.", "Le chien d'un homme court."):
        assert pieces.text(pieces.row(text)[:-1]) == text
