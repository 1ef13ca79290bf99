"""Sets of semantic primitives from WordNet."""

from pathlib import Path

from core.substitutions import lexicon
from core.substitutions.build import sememes, wordnet
from tests.toys.tiny_wordnet import AWFUL, AWFULLY, BAD, MOVIE, PLAY, ROOT, SOON


def test_senses_are_described_by_what_is_above_or_around_them() -> None:
    assert sememes.primitives(MOVIE) == sememes.primitives(PLAY) == {"show.n.03", "communication"}
    assert sememes.primitives(ROOT) == {"entity.n.01", "communication"}
    assert sememes.primitives(AWFUL) == sememes.primitives(BAD) == {"bad.a.01"}
    assert sememes.primitives(AWFULLY) == {"bad.a.01"}
    assert sememes.primitives(SOON) == {"soon.r.01"}


def test_the_sememe_table(relations: wordnet.Relations, tmp_path: Path) -> None:
    described = sememes.entries(relations)
    assert described["play.n"] == [(sememes.primitives(PLAY), False)]
    sememes.save(tmp_path / "sememes.npz", "mine", described)
    stored = lexicon.read(tmp_path / "sememes.npz")
    assert lexicon.unpack(stored["source"]) == ["mine"]
    assert "communication, show" in lexicon.unpack(stored["labels"])
