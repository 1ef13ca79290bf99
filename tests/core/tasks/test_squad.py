"""SQuAD's comparison, by hand and as its published evaluation does it."""

import pytest

from core.tasks.squad import exact, f1, normalised


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("The  Eiffel Tower, in Paris!", "eiffel tower in paris"),
        ("an apple a day", "apple day"),
        ("Theory of a-theism", "theory of atheism"),  # punctuation goes before articles
        ("U.S.", "us"),
        ("the", ""),
        ("«Été»", "«été»"),  # only the marks of ASCII count as punctuation
        ("don't\nstop", "dont stop"),
    ],
)
def test_normalisation(text: str, plain: str) -> None:
    assert normalised(text) == plain


@pytest.mark.parametrize(
    ("said", "right", "score"),
    [
        ("the cat sat", ["cat sat down"], 2 * (2 / 2) * (2 / 3) / (2 / 2 + 2 / 3)),
        ("cat cat sat", ["cat sat sat"], 2 / 3),  # each word as often as both have it
        ("in Paris", ["London", "Paris, France", "Paris"], 2 / 3),  # the nearest answer counts
        ("Anna", ["anna."], 1.0),
        ("Anna", ["Bruno"], 0.0),
        ("", ["Anna"], 0.0),
        ("", [""], 1.0),  # "no answer" where there is none
        ("", [], 1.0),
        ("Anna", [], 0.0),
        ("the", ["Anna"], 0.0),
        ("the", [""], 1.0),  # nothing is left of it, as in the published evaluation
        ("", ["the"], 1.0),
        ("", ["the", "Anna"], 0.0),
    ],
)
def test_f1(said: str, right: list[str], score: float) -> None:
    assert f1(said, right) == pytest.approx(score)


def test_exact_match() -> None:
    assert exact("The Eiffel Tower.", ["tower", "eiffel tower"])
    assert not exact("Eiffel", ["eiffel tower"])
    assert exact("", [])
    assert not exact("Eiffel", [])
