"""Words and capitals, counted."""

from core.substitutions.build import words


def test_words_and_capitals_are_counted() -> None:
    every, inside, capital = words.count(["We saw Rose. Rose saw US. NATO saw rose."])
    assert every["rose"] == 3
    assert (inside["rose"], capital["rose"]) == (2, 1)
    assert inside["us"] == 0
