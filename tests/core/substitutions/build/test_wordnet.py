"""Which senses and words of WordNet become entries."""

from pathlib import Path

from core.substitutions import lexicon
from core.substitutions.build import wordnet
from tests.toys.tiny_wordnet import MOVIE, RUDE, Synset


def test_indecent_senses_and_words_are_left_out(relations: wordnet.Relations) -> None:
    assert RUDE not in relations.synsets
    assert relations.banned == {"slurword"}
    assert ("slurword", "n") not in relations.senses
    assert wordnet.is_indecent(Synset("x.n.01", "n", "obscene word for it", {}))


def test_only_ordinary_words_become_entries(relations: wordnet.Relations) -> None:
    assert ("movie", "n") in relations.senses
    assert not {("motion_picture", "n"), ("Hollywood", "v")} & relations.senses.keys()
    assert "play" in relations.ordinary
    assert "thing" not in relations.ordinary


def test_usual_senses_and_parts_of_speech(relations: wordnet.Relations) -> None:
    assert [usual for _, usual in relations.usual("play", "n")] == [1.0, 0.2]
    assert [usual for _, usual in relations.usual("thing", "n")] == [1.0]
    assert relations.share("play", "v") == 1.0
    assert relations.share("play", "n") == 6 / 40
    assert relations.share("thing", "n") == 1.0


def test_a_gloss_is_cut_at_a_word() -> None:
    assert wordnet.short("(film) a short one") == "a short one"
    assert wordnet.short("(only this)") == "(only this)"
    long = wordnet.short(MOVIE.gloss)
    assert long.endswith(" …")
    assert len(long) <= wordnet.GLOSS + 2


def test_the_wordnet_table(relations: wordnet.Relations, tmp_path: Path) -> None:
    wordnet.save(relations, tmp_path / "wordnet.npz")
    stored = lexicon.read(tmp_path / "wordnet.npz")
    assert "play.v" in lexicon.unpack(stored["entries"])
    assert lexicon.unpack(stored["members"])[0] == "movie motion_picture"
    assert len(stored["senses"]) == stored["starts"][-1]
