"""Editing a search space by hand."""

import pytest

from core import InputError, SearchSpace
from core.edits import LOCKED, OWN, Edits

SPACE = SearchSpace(
    (("a",), ("good", "fine", "nice"), ("film", "movie")),
    ("", " ", " ", "."),
    (("",), ("", "synset", "synset"), ("", "near")),
    ("stop word", "", ""),
)


def test_no_edits_change_nothing() -> None:
    assert Edits().apply(SPACE) == SPACE
    assert not Edits().any


def test_a_locked_word_loses_its_substitutes_and_says_why() -> None:
    space = Edits(locked=(1,)).apply(SPACE)
    assert space.choices == (("a",), ("good",), ("film", "movie"))
    assert space.notes == ("stop word", LOCKED, "")


def test_removed_and_added_substitutes() -> None:
    edits = Edits(removed=((1, "fine"), (2, "movie"), (1, "good")), added=((0, "the"),))
    space = edits.apply(SPACE)
    assert space.choices == (("a", "the"), ("good", "nice"), ("film",))
    assert space.reasons[0] == ("", OWN)
    assert space.notes == ("", "", "")


def test_edits_of_another_sentence_are_left_out() -> None:
    assert Edits((9,), ((8, "x"),), ((7, "y"),)).apply(SPACE) == SPACE


def test_an_added_word_must_be_new_and_a_word() -> None:
    edits = Edits().add(SPACE, 1, " lovely ")
    assert edits.added == ((1, "lovely"),)
    for word, message in (("", "Type a word"), ("fine", "already"), ("a\x07b", "control")):
        with pytest.raises(InputError, match=message):
            edits.add(SPACE, 1, word)


def test_adding_what_was_removed_brings_it_back() -> None:
    removed = Edits(removed=((1, "fine"),))
    edits = removed.add(removed.apply(SPACE), 1, "fine")
    assert "fine" in edits.apply(SPACE).choices[1]


def test_an_address_gives_the_edits_back() -> None:
    edits = Edits((2,), ((1, "fine"),), ((1, "süß & <b>"),))
    assert Edits.parse(edits.text()) == edits
    assert Edits().text() == ""
    assert Edits.parse("") == Edits()


WRONG = (
    "{",
    "[]",
    '{"lock":["x"]}',
    '{"drop":[1]}',
    '{"add":7}',
    "3",
    '{"lock":[1e999]}',
    "[" * 9999,
)


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_address_is_a_sentence(text: str) -> None:
    with pytest.raises(InputError, match="open the page without them"):
        Edits.parse(text)
