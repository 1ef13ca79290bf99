"""The whole build, from tiny packages made here; the real ones are large."""

import gc
import zipfile
from pathlib import Path

import pytest

from core.substitutions import lexicon
from core.substitutions.build import neighbours, sources
from core.substitutions.build.__main__ import build
from tests.toys.tiny_wordnet import write_sources, write_wordnet


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_whole_build_from_tiny_packages(tmp_path: Path) -> None:
    # NLTK's reader leaves its files open; they must go here, not in a later test.
    hashes = write_sources(tmp_path)
    root = tmp_path / "two" / sources.NLTK_DATA / "corpora/wordnet"
    write_wordnet(root)
    with zipfile.ZipFile(tmp_path / "vectors.zip", "w") as zipped:
        zipped.writestr("vectors.txt", "film 1 0\nmovie 1 1\nshow 0 1")
    with zipfile.ZipFile(tmp_path / "two.whl", "w") as archive:
        archive.write(tmp_path / "vectors.zip", neighbours.VECTORS)
        for path in sorted(root.iterdir()):
            archive.write(path, path.relative_to(tmp_path / "two"))
    hashes["two.whl"] = sources.sha256(tmp_path / "two.whl")
    build(tmp_path, tmp_path / "out", hashes)
    assert not (tmp_path / "out" / "tagger.npz").exists()
    build(tmp_path, tmp_path / "out", hashes, nltk_tagger=True)
    tables = {path.stem: lexicon.read(path) for path in (tmp_path / "out").glob("*.npz")}
    assert set(tables) == {"forms", "neighbours", "sememes", "tagger", "wordnet", "words"}
    assert lexicon.unpack(tables["wordnet"]["members"]) == ["dull drab", "film movie"]
    assert "other, show" in lexicon.unpack(tables["sememes"]["labels"])
    assert "films" in lexicon.unpack(tables["forms"]["forms"])
    gc.collect()
