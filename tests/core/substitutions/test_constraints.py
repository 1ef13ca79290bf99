from core.substitutions.constraints import (
    AtMost,
    MinCosine,
    Protected,
    constrain,
    part_of_speech,
    stop_words,
)
from core.substitutions.embedding import Embedding
from core.substitutions.protocol import Column, Substitute
from core.substitutions.table import SubstituteTable
from core.text import split

WORDS = split("The terrible film was so very long that we all left quite early.").words
TABLE = SubstituteTable(
    {
        "terrible": ("dreadful", "table", "xqzzy", "quickly"),
        "film": ("movie", "walk"),
        "very": ("really",),
    }
)


def column(substitution: object, word: str) -> Column:
    assert callable(substitution)
    found = substitution(WORDS)[WORDS.index(word)]
    assert isinstance(found, Column)
    return found


def forms(substitution: object, word: str) -> list[str]:
    return [substitute.word for substitute in column(substitution, word).substitutes]


def test_stop_words_are_left_alone() -> None:
    method = constrain(TABLE, stop_words)
    assert column(method, "very") == Column(note="stop word")
    assert column(method, "The").note == "not in table"
    assert forms(method, "film") == ["movie", "walk"]


def test_protected_words_are_left_alone() -> None:
    method = constrain(TABLE, Protected(["FILM"]))
    assert column(method, "film") == Column(note="protected word")
    assert forms(method, "very") == ["really"]


def test_at_most_keeps_the_first() -> None:
    assert forms(constrain(TABLE, AtMost(2)), "terrible") == ["dreadful", "table"]
    assert column(constrain(TABLE, AtMost(2)), "The").note == "not in table"
    assert column(constrain(TABLE, AtMost(0)), "film") == Column(note="limit of 0 substitutes")


def test_near_substitutes_pass_and_unknown_words_by_choice() -> None:
    assert forms(constrain(TABLE, MinCosine(0.5)), "terrible") == ["dreadful", "xqzzy"]
    assert forms(constrain(TABLE, MinCosine(0.5, unknown=False)), "terrible") == ["dreadful"]
    none = column(constrain(TABLE, MinCosine(0.999)), "very")
    assert none.note == "none with cosine 0.999 or more"


def test_the_part_of_speech_must_stay_but_nouns_may_become_verbs() -> None:
    method = constrain(TABLE, part_of_speech)
    assert "dreadful" in forms(method, "terrible")
    assert "quickly" not in forms(method, "terrible")
    assert forms(method, "film") == ["movie", "walk"]


def test_a_short_text_is_tagged_whole() -> None:
    words = ("a", "terrible", "film")
    columns = (Column(), Column((Substitute("quickly", "x"),)), Column())
    assert part_of_speech(words, columns)[1].note == "none with the same part of speech"


def test_constraints_combine() -> None:
    method = constrain(Embedding(rule="textfooler"), stop_words, part_of_speech, AtMost(3))
    assert len(forms(method, "terrible")) == 3
    assert column(method, "so").note == "stop word"
