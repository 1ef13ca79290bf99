"""How the form of a word is read."""

from core.substitutions.morphology import inflect, readings
from core.substitutions.wordnet import wordnet


def test_readings_prefer_the_tag_then_the_part_of_speech() -> None:
    lexicon = wordnet().entries
    assert next(readings("walked", "VBN", lexicon)).tag == "VBN"
    assert next(readings("films", "VBZ", lexicon)).part == "v"
    assert next(readings("chilly", "RB", lexicon)).part == "a"
    assert list(readings("xqzzy", "NN", lexicon)) == []
    assert next(readings("people", "NNS", lexicon)).tag == "NNS"
    assert next(readings("men", "NNS", lexicon)).lemma == "man"
    assert inflect("walk.v", "VBG") == "walking"
    assert inflect("walk.v", "JJR") == ""
