"""Numbers and sets in words."""

from app.shared import words
from core import SearchSpace


def test_numbers_and_sets_in_words() -> None:
    assert words.large(999) == "999"
    assert words.large(46_656) == "about 46.7 thousand"
    assert words.large(3_200_000_000) == "about 3.2 billion"
    assert words.large(10**40) == "about 10 to the power of 40"
    space = SearchSpace.from_choices([["a", "b"], ["c"], ["d", "e", "f"]])
    assert words.product(space) == "2 · 3 = 6"
    assert words.product(SearchSpace.from_choices([["a", "b"]] * 60)).endswith(
        "2 · … = about 1.15 quintillion"
    )
    assert words.chosen(space, (1, 0, 2)) == "{1_b, 3_f}"
    assert words.chosen(space, (0, 0, 0)) == "∅"
