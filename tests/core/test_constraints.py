"""Constraints by name, combined with a substitution."""

from collections.abc import Sequence

import pytest

from core import Column, InputError, Substitute
from core.constraints import CONSTRAINTS, constrained, parse

WORDS = ("the", "great", "film")


def substitution(words: Sequence[str]) -> list[Column]:
    found = {"great": ("big", "superb", "quickly"), "film": ("movie",), "the": ("a",)}
    return [Column(tuple(Substitute(w, "by hand") for w in found[word])) for word in words]


def kept(*constraints: str) -> list[list[str]]:
    return [
        [substitute.word for substitute in column.substitutes]
        for column in constrained(substitution, constraints)(WORDS)
    ]


def test_without_constraints_nothing_changes() -> None:
    assert constrained(substitution, []) is substitution


@pytest.mark.parametrize(
    ("constraints", "left"),
    [
        (["stop-words"], [[], ["big", "superb", "quickly"], ["movie"]]),
        (["protected=film,THE"], [[], ["big", "superb", "quickly"], []]),
        (["at-most=1"], [["a"], ["big"], ["movie"]]),
        (["at-most=2", "stop-words"], [[], ["big", "superb"], ["movie"]]),
        (["min-cosine=0.5", "stop-words"], [[], ["big", "superb"], ["movie"]]),
    ],
)
def test_each_removes_what_it_says(constraints: list[str], left: list[list[str]]) -> None:
    assert kept(*constraints) == left


def test_part_of_speech_drops_an_adverb_for_an_adjective() -> None:
    left = kept("part-of-speech")[1]
    assert "big" in left
    assert "quickly" not in left


def test_every_constraint_is_described() -> None:
    assert all(len(entry.about) > 10 for entry in CONSTRAINTS.values())


def test_models_are_loaded_only_when_used() -> None:
    assert parse("similarity=0.7") != parse("similarity")
    assert parse("language-model=2") is not None


@pytest.mark.parametrize("text", ["nice", "at-most=few", "min-cosine=near"])
def test_wrong_constraints_are_named(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)
