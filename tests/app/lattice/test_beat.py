"""Who wins against a search."""

from app.lattice import beat
from core import SEARCHES
from tests.toys.small_question import play


def test_who_wins() -> None:
    mine = play(max_changed=1.0)
    result = mine.question.attack(SEARCHES["ls"]()).run()
    assert "Local search flips the label; you do not yet" in beat.verdict(mine, result)
    mine.go((0, 2, 0, 2))
    assert beat.verdict(mine, result) == "You win: you need as many words and 5 queries fewer."
    list(mine.scan())
    mine.go((0, 2, 0, 1))
    mine.go((0, 2, 0, 2))
    assert beat.verdict(mine, result) == "A draw: as many words and as many queries."
    mine.go((0, 1, 0, 1))
    mine.go((0, 2, 0, 2))
    assert beat.verdict(mine, result).startswith(
        "Local search wins: you need as many words and 1 q"
    )
