"""A short question whose victim answers at once."""

from app.lattice.play import Play
from app.shared.question import Question
from core import SearchSpace
from core.goals import probabilities
from core.options import Choice
from core.spec import AttackSpec
from core.substitutions import toy as toy_words
from core.tasks import task_of
from core.victims import toy

SMALL = "I love this movie"


class Small(Question):
    """The small sentence with the toy victim, made without a page."""

    victim = toy.load()


def small(max_changed: float = 0.25) -> Question:
    space = SearchSpace.from_text(SMALL, toy_words.load())
    victim = toy.load()
    spec = AttackSpec(SMALL, "toy", Choice("toy"), Choice("ls"), max_changed=max_changed)
    start = probabilities(victim, [SMALL])[0]
    return Small(spec.settled(victim), task_of(victim), space, start, plain=space)


def play(max_changed: float = 0.25) -> Play:
    return Play(small(max_changed))
