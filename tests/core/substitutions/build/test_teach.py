"""Teaching the tagger, with a labeller that knows four words instead of spaCy."""

import gzip
import importlib.util
from collections.abc import Iterable
from pathlib import Path

import pytest
import regex

from core.substitutions import lexicon
from core.substitutions.build.teach import Token, align, examples, main, read, train

TAGS = {"the": "DT", "dog": "NN", "cats": "NNS", "barks": "VBZ", "sleep": "VBP", "'s": "POS"}


def label(texts: Iterable[str]) -> Iterable[list[Token]]:
    for text in texts:
        pieces = regex.finditer(r"'s|\w+", text)
        yield [Token(piece.start(), TAGS.get(piece[0].lower(), "XX")) for piece in pieces]


def test_tokens_are_aligned_by_where_they_start() -> None:
    text = "The dog's cats sleep."
    (tokens,) = label([text])
    assert align(text, tokens) == [
        ("the", "DT"), ("dog", "NN"), ("'s", "POS"), ("cats", "NNS"), ("sleep", "VBP"), (".", "."),
    ]  # fmt: skip


def test_a_hyphenated_word_takes_the_tag_of_its_last_piece() -> None:
    tokens = [Token(0, "JJ"), Token(3, "HYPH"), Token(4, "NN"), Token(8, "IN")]
    assert align("big-dog to", tokens) == [("big-dog", "NN"), ("to", "TO"), (".", ".")]


def test_words_without_a_label_are_left_out() -> None:
    assert align("??? dog", []) == [(".", ".")]
    assert list(examples(["..."], label)) == []


def test_some_texts_are_taught_in_lower_case() -> None:
    found = [sentence[0][0] for sentence in examples(["John barks"] * 60, label)]
    assert {"John", "john"} == set(found)


def test_a_taught_tagger_tags_what_it_was_taught() -> None:
    texts = ["the dog barks", "the cats sleep", "cats sleep", "dog barks"] * 5
    tagger = train(examples(texts, label), rounds=3)
    assert [tag for _, tag in tagger.tag(["the", "cats", "sleep"])] == ["DT", "NNS", "VBP"]


def test_texts_are_read_from_any_table(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1 a fine film\nno label here\n")
    (tmp_path / "b.csv").write_text('"1","x","a ""fine"" film, yes"\n')
    with gzip.open(tmp_path / "c.tsv.gz", "wt") as file:
        file.write("label\ttext\n0\tgood<br />bad\n")
    assert read(tmp_path / "a.txt") == ["a fine film", "no label here"]
    assert read(tmp_path / "b.csv") == ['a "fine" film, yes']
    assert read(tmp_path / "c.tsv.gz") == ["text", "good bad"]


def test_the_command_writes_the_weights(tmp_path: Path) -> None:
    source, target = tmp_path / "texts.txt", tmp_path / "tagger.npz"
    source.write_text("the dog barks\ncats sleep\n" * 50)
    assert main([str(source), "--words", "30", "--target", str(target)], label) == 0
    assert set(lexicon.unpack(lexicon.read(target)["classes"])) == {
        "DT", "NN", "VBZ", "NNS", "VBP", ".",
    }  # fmt: skip


def test_the_bundled_tagger_is_compared_with_the_labeller(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "texts.txt"
    source.write_text("the dog\n" * 3)
    assert main([str(source), "--check"], label) == 0
    assert capsys.readouterr().out == "1.0000\n"


@pytest.mark.skipif(importlib.util.find_spec("spacy") is not None, reason="spaCy is installed")
def test_without_spacy_the_command_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "texts.txt"
    source.write_text("the dog barks\n")
    assert main([str(source)]) == 2
    assert "pip install spacy" in capsys.readouterr().err
