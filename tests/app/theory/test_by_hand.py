"""A set function of a visitor is a question like any other."""

from app.theory import by_hand
from core import SEARCHES
from core.theory.instances import INSTANCES


def test_a_set_function_is_a_question_like_any_other() -> None:
    asked = by_hand.question(INSTANCES["goal"])
    assert asked.space.text(asked.space.origin) == asked.spec.text == "w1 w2 w3"
    result = asked.attack(SEARCHES["ls"]()).run()
    assert (result.status, result.score) == ("success", 58)
    other = by_hand.question(INSTANCES["exchange"])
    assert asked.attack_key != other.attack_key
