"""Who wins against a search."""

from app.lattice import beat
from core import SEARCHES
from tests.toys.small_question import play


def test_who_wins() -> None:
    mine = play(max_changed=1.0)
    result = mine.question.attack(SEARCHES["ls"]()).run()
    assert beat.verdict(mine, result) == (
        "Local search flips the label; your sentence does not reach the goal. Go on swapping."
    )
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


def test_nobody_wins_with_more_words_than_allowed() -> None:
    mine = play(max_changed=0.25)
    result = mine.question.attack(SEARCHES["ls"]()).run()
    over = "flips the label, but with more words than allowed: no success"
    assert result.status == "over_limit"
    assert beat.verdict(mine, result) == (
        f"Nobody wins yet: your sentence does not reach the goal; local search {over}."
    )
    mine.go((0, 2, 0, 2))
    assert beat.verdict(mine, result).startswith(f"Nobody wins yet: your sentence {over}; ")
    assert [row["outcome"] for row in beat.rows(mine, result)] == [over, over]
