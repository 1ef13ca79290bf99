"""The shared words and the readers that turn texts into ids."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from core.errors import ResourceMissingError
from core.victims import words as shared
from core.victims.networks.characters import SIZE, Characters
from core.victims.words import PAD, UNKNOWN, Words, build, load, quantise, restore, save
from tests.toys.victim_parts import tiny_words


def test_reads_a_text_as_its_words_and_gaps_in_order() -> None:
    words = tiny_words()
    expected = [
        words.ids[w] for w in ("it", "'s", "a", "good", "film", ",", "is", "n't", "it", "?")
    ]
    assert words.text_ids("It's a GOOD film, isn't it?") == expected


def test_reads_an_unknown_compound_as_its_parts() -> None:
    words = tiny_words()
    assert words.word_ids("well-made") == (words.ids["well"], words.ids["made"])
    assert words.word_ids("well-zzz") == (words.ids["well"], UNKNOWN)
    assert words.word_ids("zzz") == (UNKNOWN,)


def test_reads_a_long_run_of_a_mark_as_the_mark() -> None:
    words = tiny_words()
    assert words.text_ids("film!!!!") == [words.ids["film"], words.ids["!"]]
    assert words.text_ids("film ~~~") == [words.ids["film"], UNKNOWN]


def test_reads_a_hidden_word_as_one_unknown_word() -> None:
    words = tiny_words()
    assert words.text_ids("a [UNK] film") == [words.ids["a"], UNKNOWN, words.ids["film"]]
    assert words.hidden_ids == (UNKNOWN,)


def test_remembers_only_so_many_words(monkeypatch: pytest.MonkeyPatch) -> None:
    words = tiny_words()
    monkeypatch.setattr(shared, "REMEMBERED", 1)  # the hidden word is there already
    assert words.word_ids("good") == words.word_ids("good")
    assert "good" not in words._known


def test_reads_characters_with_a_hidden_word_as_one_unknown_one() -> None:
    reader = Characters()
    assert reader.text_ids("Ab é") == [*reader.word_ids("ab "), UNKNOWN]
    assert reader.text_ids("a [UNK]!") == [*reader.word_ids("a "), UNKNOWN, *reader.gap_ids("!")]
    assert max(reader.word_ids('abc xyz 0189 -,;.!?:"{}')) < SIZE


def test_quantising_keeps_vectors_within_half_a_step() -> None:
    vectors = np.random.default_rng(0).normal(size=(20, 10)).astype(np.float32)
    vectors[0] = 0
    codes, scales = quantise(vectors)
    step = np.abs(vectors).max(axis=1, keepdims=True) / 127
    assert np.all(np.abs(restore(codes, scales) - vectors) <= 0.6 * step + 1e-7)


def test_build_keeps_frequent_words_data_words_and_extra_words() -> None:
    glove = {
        w: np.full(2, n, dtype=np.float32) for n, w in enumerate(["the", "not", "rare", "odd"])
    }
    counts = {"rare": 3, "odd": 1, "n't": 20, "off-the": 16, "q": 15, "zz": 2}
    built = build(glove, counts, ["odd", "unheard"], frequent=1)
    assert built.words == ("the", "rare", "odd", "n't", "off-the", "q")
    assert built.vectors[built.ids["n't"]].tolist() == [1, 1]  # starts as "not"
    assert built.vectors[built.ids["off-the"]].tolist() == [0, 0]  # the mean of its known parts
    assert built.vectors[[PAD, UNKNOWN]].tolist() == [[0, 0], [0, 0]]
    assert built.vectors[built.ids["q"]].tolist() == [0, 0]


def test_saved_words_are_loaded_again(tmp_path: Path) -> None:
    words = tiny_words()
    save(words, tmp_path)
    loaded = load(tmp_path)
    assert loaded.words == words.words
    assert np.abs(loaded.vectors - words.vectors).max() < 0.05


@pytest.mark.parametrize("name", ["words.txt", "words.safetensors"])
def test_a_missing_file_is_named_with_the_command(tmp_path: Path, name: str) -> None:
    save(tiny_words(), tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(ResourceMissingError, match=rf"{name} is missing.*core\.victims\.words"):
        load(tmp_path)


def test_a_damaged_table_is_named_with_the_command(tmp_path: Path) -> None:
    save(tiny_words(), tmp_path)
    (tmp_path / "words.safetensors").write_bytes(b"not a table at all")
    with pytest.raises(ResourceMissingError, match=r"words\.safetensors is damaged"):
        load(tmp_path)


def test_a_list_that_does_not_fit_the_table_is_refused(tmp_path: Path) -> None:
    save(tiny_words(), tmp_path)
    (tmp_path / "words.txt").write_text("the\nfilm\n", encoding="utf-8")
    with pytest.raises(ResourceMissingError, match="does not fit"):
        load(tmp_path)


def test_the_script_builds_from_glove_and_data(tmp_path: Path, data_folder: Path) -> None:
    table = {"dimensions": 2, "vectors": {w: [1.0, 2.0, 9.0] for w in ("the", "film", "movie")}}
    (tmp_path / "glove.json").write_text(json.dumps(table), encoding="utf-8")
    (data_folder / "counterfit").mkdir()
    with gzip.open(data_folder / "counterfit" / "counterfitted_neighbors.json.gz", "wt") as file:
        json.dump({"movie": ["film"]}, file)
    out = tmp_path / "out"
    shared.main(
        ["--glove", str(tmp_path / "glove.json"), "--data", str(data_folder), "--out", str(out)]
    )
    built = load(out)
    assert isinstance(built, Words)
    assert {"the", "film", "movie"} <= set(built.words)
    assert built.vectors.shape[1] == 2
