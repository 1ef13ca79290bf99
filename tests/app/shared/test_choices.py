"""Searches to choose from."""

from app.shared import choices
from core import SEARCHES, SearchSpace
from tests.toys.racing import asked


def test_a_search_that_cannot_run_says_why() -> None:
    small, large = asked("I love this movie").space, SearchSpace.from_choices([["a", "b"]] * 40)
    assert choices.for_space(small) == (list(SEARCHES), "")
    names, why = choices.for_space(large)
    assert "exhaustive" not in names
    assert "1,099,511,627,776 variants" in why
