"""The models under attack, by name."""

from core.registry import Entry
from core.victims.catalogue import bundled
from core.victims.protocol import Victim


def _toy() -> Victim:
    from core.victims import toy

    return toy.load()


VICTIMS: dict[str, Entry[Victim]] = {
    "toy": Entry(
        _toy,
        "Toy: a linear bag-of-words scorer with hand-set weights; not a trained model.",
        {"task": "sentiment", "data": "none", "labels": ("negative", "positive"), "accuracy": None},
    ),
    **bundled(),
}

__all__ = ["VICTIMS", "Victim"]
