"""Traces of searches on a sentence."""

from typing import Any

from core import SEARCHES, Attack, SearchSpace, untargeted
from core.attack import Trace
from core.substitutions import toy as toy_words
from core.victims import toy

SMALL = "I love this movie"
LONG = "A charming and often very funny film, with a smart script and a warm, honest ending."


def made(key: str, text: str = SMALL, **options: Any) -> Trace:
    space = SearchSpace.from_text(text, toy_words.load())
    goal = untargeted(toy.load(), space, "positive")
    result = Attack(space, goal, SEARCHES[key](), **options).run()
    return Trace(space, result, {"search": key})
