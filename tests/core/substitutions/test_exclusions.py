"""What never says the same."""

import pytest

from core.substitutions.exclusions import (
    is_excluded,
    is_modifying_participle,
    is_part_of_name,
    phrase_of,
)
from core.substitutions.morphology import Reading


@pytest.mark.parametrize(
    ("lemma", "part", "tag", "form"),
    [
        ("hour", "n", "NNS", "seconds"),
        ("red", "a", "JJ", "green"),
        ("two", "n", "CD", "three"),
        ("brother", "n", "NN", "cousin"),
        ("dog", "n", "NNS", "cats"),
        ("warm", "a", "JJ", "cold"),
        ("buy", "v", "VBD", "sold"),
        ("long", "a", "JJ", "short"),
    ],
)
def test_opposites_and_others_of_a_kind_are_excluded(
    lemma: str, part: str, tag: str, form: str
) -> None:
    assert is_excluded(Reading(lemma, part, tag), form)


@pytest.mark.parametrize(("lemma", "part", "form"), [("film", "n", "movie"), ("buy", "v", "got")])
def test_synonyms_are_not_excluded(lemma: str, part: str, form: str) -> None:
    assert not is_excluded(Reading(lemma, part, ""), form)


def test_a_participle_that_modifies_is_known() -> None:
    assert is_modifying_participle("stunning", "JJ")
    assert not is_modifying_participle("stunning", "VBG")
    assert not is_modifying_participle("red", "JJ")


@pytest.mark.parametrize(
    ("text", "place", "phrase"),
    [
        ("they had to stay put", 3, "stay put"),
        ("two ice creams please", 2, "ice cream"),
        ("the film was dull", 1, ""),
        ("put", 0, ""),
    ],
)
def test_a_phrase_of_wordnet_is_known(text: str, place: int, phrase: str) -> None:
    assert phrase_of(text.split(), place) == phrase


@pytest.mark.parametrize(
    ("text", "place", "part"),
    [
        ("austin powers returns", 1, True),
        ("guy ritchie returns", 0, True),
        ("his powers return", 1, False),
        ("Austin has powers", 2, False),
        ("austin returns with powers", 3, False),
    ],
)
def test_a_name_in_lower_case_is_known(text: str, place: int, part: bool) -> None:
    assert is_part_of_name(text.split(), place) == part
