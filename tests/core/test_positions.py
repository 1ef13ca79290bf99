"""Words that are swapped together make one position."""

from collections.abc import Sequence

import pytest

from core.space import SearchSpace
from core.substitutions.protocol import Column, Substitute


def substitution(words: Sequence[str]) -> list[Column]:
    """``very funny`` may become ``hilarious`` as a whole, ``very`` and ``funny`` also alone."""
    offers = {
        "very": (Substitute("really", "alone"), Substitute("hilarious", "together", 2)),
        "funny": (Substitute("amusing", "alone"),),
        "film": (Substitute("motion picture", "of two words"),),
    }
    return [Column(offers.get(word.lower(), ())) for word in words]


def test_a_substitute_for_two_words_joins_them() -> None:
    space = SearchSpace.from_text("A Very funny  film.", substitution)
    assert space.choices == (
        ("A",),
        ("Very funny", "Really funny", "Hilarious", "Very amusing"),
        ("film", "motion picture"),
    )
    assert space.reasons[1] == ("", "alone", "together", "alone")
    assert space.text(space.origin) == "A Very funny  film."
    assert space.text((0, 2, 1)) == "A Hilarious  motion picture."
    assert space.changed((0, 2, 1)) == (1, 2)
    assert space.starts == (0, 1, 3, 4)


@pytest.mark.parametrize("text", ["very, funny", "very  funny", "very\nfunny", "so very", "very."])
def test_words_that_do_not_stand_side_by_side_stay_apart(text: str) -> None:
    space = SearchSpace.from_text(text, substitution)
    assert len(space.choices) == len(text.split())
    assert "hilarious" not in {word for column in space.choices for word in column}
    assert space.text(space.origin) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [("VERY FUNNY", "HILARIOUS"), ("Very Funny", "hilarious"), ("very funny", "hilarious")],
)
def test_capitals_are_those_of_all_the_words(text: str, written: str) -> None:
    assert written in SearchSpace.from_text(text, substitution).choices[0]
