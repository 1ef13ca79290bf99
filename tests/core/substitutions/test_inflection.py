"""Other inflections of a word."""

from core.substitutions.inflection import Inflection
from tests.toys.columns import by_word, found


def test_inflections_are_the_other_forms_with_their_tags() -> None:
    column = by_word(Inflection(), "They watched it.")["watched"]
    assert {s.word: s.reason.split()[0] for s in column.substitutes} == {
        "watching": "VBG", "watches": "VBZ", "watch": "VB",
    }  # fmt: skip
    assert found(Inflection(), "It is bad.", "bad") == ["worse", "worst"]
    assert "was" in found(Inflection(), "It is bad.", "is")
    assert by_word(Inflection(), "The film's end")["film's"].note == "possessive"


def test_inflection_notes() -> None:
    columns = by_word(Inflection(), "Xqzzy met information in Paris of 3 quickly, sadly.")
    assert columns["Paris"].note == "proper name"
    assert columns["quickly"].note == "part of speech RB"
    assert columns["information"].note in ("no other form", "")
    assert by_word(Inflection(), "a xqzzyish film")["xqzzyish"].note.startswith("LemmInflect")
