"""The ladder of plausible swaps."""

import re

import pytest

from core.errors import InputError
from core.space import SearchSpace
from core.substitutions.plausible import Plausible
from core.substitutions.protocol import Column
from core.text import split

TEXT = "A charming film, but the kids thought the plot was thin, although everybody liked it."


def columns(text: str, level: int) -> dict[str, Column]:
    words = split(text).words
    return dict(zip(words, Plausible(level)(words), strict=True))


def names(column: Column) -> list[str]:
    return [one.word for one in column.substitutes]


def test_harmless_swaps_say_why() -> None:
    found = columns(TEXT, 1)
    assert "movie" in names(found["film"])
    assert "children" in names(found["kids"])
    assert names(found["although"]) == ["though"]
    assert all(
        one.reason.startswith("harmless: ")
        for column in found.values()
        for one in column.substitutes
    )


@pytest.mark.parametrize("level", [2, 3])
def test_a_level_holds_the_stricter_ones(level: int) -> None:
    narrow, wide = columns(TEXT, level - 1), columns(TEXT, level)
    for word, column in narrow.items():
        assert names(wide[word])[: len(column.substitutes)] == names(column)
    assert sum(len(c.substitutes) for c in wide.values()) > sum(
        len(c.substitutes) for c in narrow.values()
    )
    reasons = {one.reason.partition(":")[0] for c in wide.values() for one in c.substitutes}
    assert reasons == {"harmless", "close", "near"} - ({"near"} if level == 2 else set())


def test_the_sense_of_the_sentence_decides() -> None:
    office = columns("The manager praised her staff for their hard work.", 2)
    path = columns("He leaned on a wooden staff while he climbed the rocky path.", 2)
    assert "personnel" in names(office["staff"])
    assert "personnel" not in names(path["staff"])


def test_an_article_is_swapped_with_its_word() -> None:
    space = SearchSpace.from_text("He had an ingenious idea.", Plausible(3))
    assert "a clever" in space.choices[2]
    assert all(re.match(r"a [^aeio]|an [aeio]", phrase) for phrase in space.choices[2])


@pytest.mark.parametrize(
    ("text", "word", "swap"),
    [
        ("The kids enjoyed it and the critics enjoyed the plot.", "enjoyed", "took pleasure in"),
        ("He was essentially right.", "essentially", "in essence"),
        ("It was a very funny film.", "a very funny", "a hilarious"),
        ("She turned down the offer.", "turned down", "rejected"),
    ],
)
def test_several_words_are_swapped_as_a_whole(text: str, word: str, swap: str) -> None:
    space = SearchSpace.from_text(text, Plausible(2))
    assert any(column[0] == word and swap in column for column in space.choices)
    assert space.text(space.origin) == text


def test_a_particle_does_not_come_before_a_pronoun() -> None:
    assert "worked out" in names(columns("They solved the problem.", 2)["solved"])
    assert "worked out" not in names(columns("They solved it.", 2)["solved"])


def test_hard_exclusions_hold_for_close_and_near_swaps() -> None:
    found = columns("It lasts two full hours and the striker saw a stunning red car.", 3)
    hours = {"seconds", "minutes", "milliseconds", "days"}
    assert hours.isdisjoint(names(found["hours"]))
    assert "shocking" not in names(found["stunning"])
    assert {"green", "blue", "yellow"}.isdisjoint(names(found["red"]))


def test_a_fixed_phrase_stays() -> None:
    found = columns("It is an old love story.", 3)
    assert found["story"] == Column(note='part of "love story"')


def test_names_and_numbers_stay() -> None:
    found = columns("Smith met 12 children in Paris.", 3)
    assert [found[word].note for word in ("Smith", "12")] == ["proper name", "number"]


def test_other_levels_are_refused() -> None:
    with pytest.raises(InputError, match="The level is 1"):
        Plausible(4)


def test_words_of_an_entry_of_several_words_are_swapped_together_only() -> None:
    found = columns("A very funny comedy made us laugh, a bit long, and he came back.", 2)
    assert (found["bit"].note, found["back"].note) == ('part of "a bit"', 'part of "come back"')
    assert "amusing" in names(found["funny"])


def test_a_word_that_stays_has_no_close_words_either() -> None:
    found = columns("austin powers flounders", 3)
    assert found["powers"] == Column(note="proper name")
