"""The tagger is read from a pickle that can hold nothing but data."""

import pickle
from pathlib import Path

import pytest

from core.substitutions import lexicon
from core.substitutions.build import sources, tagger, words
from tests.toys.tiny_wordnet import write_sources


def test_words_and_tagger_are_built_from_checked_packages(tmp_path: Path) -> None:
    unpacked = sources.unpack(tmp_path, tmp_path / "open", write_sources(tmp_path))
    counts = words.build(unpacked, tmp_path, ["extra"], {"film"})
    assert counts == {"the": 3, "film": 3, "and": 3, "paris": 3, "extra": 0}
    stored = lexicon.read(tmp_path / "words.npz")
    assert lexicon.unpack(stored["words"]) == ["and", "film", "paris", "the", "extra"]
    assert stored["capital"].tolist() == [0, 0, 219, 0, 0]
    tagger.build(unpacked, tmp_path)
    assert lexicon.read(tmp_path / "tagger.npz")["weights"].tolist() == [1500, -1000]


def test_a_pickle_with_code_is_refused() -> None:
    import io

    with pytest.raises(pickle.UnpicklingError, match="not plain data"):
        tagger.PlainUnpickler(io.BytesIO(pickle.dumps(print))).load()
