from pathlib import Path

import numpy as np
import pytest

from core.errors import ResourceMissingError
from core.substitutions import lexicon
from core.substitutions.vocabulary import is_name, is_plain, is_stop_word, usage


def test_texts_survive_packing() -> None:
    texts = ["naïve", "", "well-made", "can't"]
    assert lexicon.unpack(lexicon.pack(texts)) == texts
    assert lexicon.unpack(lexicon.pack([])) == []


def test_starts_of_rows() -> None:
    assert lexicon.starts([2, 0, 3]).tolist() == [0, 2, 2, 5]


def test_a_missing_table_names_the_file_and_the_fix(tmp_path: Path) -> None:
    with pytest.raises(ResourceMissingError, match=r"words\.npz is missing; rebuild it with `"):
        lexicon.read(tmp_path / "words.npz")


@pytest.mark.parametrize("content", [b"", b"no zip at all", b"PK\x03\x04 cut off"])
def test_a_damaged_table_names_the_file_and_the_fix(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "words.npz"
    path.write_bytes(content)
    with pytest.raises(ResourceMissingError, match=r"words\.npz is damaged; rebuild it"):
        lexicon.read(path)


def test_a_table_cut_short_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "words.npz"
    lexicon.write(path, numbers=np.arange(10_000))
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ResourceMissingError, match="damaged"):
        lexicon.read(path)


def test_a_table_with_pickled_objects_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "words.npz"
    np.savez(path, allow_pickle=True, words=np.array([{"a": 1}], dtype=object))
    with pytest.raises(ResourceMissingError, match="damaged"):
        lexicon.read(path)


def test_what_is_missing_is_named_with_the_fix() -> None:
    assert lexicon.missing(["wordnet"], ["numpy"]) == ""
    assert "nonsense.npz is missing; rebuild it" in lexicon.missing(["nonsense"], [])
    assert lexicon.missing([], ["no_such_package"]).endswith("`pip install no_such_package`.")


def test_bundled_tables_are_small() -> None:
    sizes = {path.name: path.stat().st_size for path in lexicon.FOLDER.glob("*.npz")}
    assert len(sizes) == 8
    assert max(sizes.values()) < 8_000_000
    assert sum(sizes.values()) < 25_000_000


def test_frequent_words_come_first() -> None:
    words = list(usage())
    assert words[0] == "the"
    assert usage()["film"].rank < usage()["cinematography"].rank


def test_names_are_known_without_capitals() -> None:
    assert all(is_name(word) for word in ("john", "London", "spielberg", "american"))
    assert not any(is_name(word) for word in ("film", "marvel", "hood", "qwrtz"))
    assert is_plain("Terrible")
    assert not is_plain("Paris")


def test_stop_words_with_either_apostrophe() -> None:
    assert all(is_stop_word(word) for word in ("The", "don't", "DON’T", "'s", "’s", "n't"))
    assert not is_stop_word("film")
