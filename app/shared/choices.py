"""Which searches there are to choose from, and which of them pages begin with."""

from typing import Final

from core import SEARCHES, SearchSpace
from core.search import Card, search_named

RACE: Final = ("ls", "pso", "ga")
EXPERIMENT: Final = ("ls", "greedy", "pso")
LANDSCAPE: Final = "pso"  # whose way through the landscape is drawn


def card(search: str) -> Card:
    """What a search says about itself; a blank card for one that is not known here."""
    return search_named(search).card


def title(search: str) -> str:
    return card(search).title or search


def for_space(space: SearchSpace) -> tuple[list[str], str]:
    """The searches that can run on a space, and why one cannot."""
    cards = {key: search.card for key, search in SEARCHES.items()}
    why = (
        f"{card.title} is out: this sentence has {space.size:,} variants, and it stops at "
        f"{card.largest:,}."
        for card in cards.values()
        if not card.takes(space.size)
    )
    return [key for key, card in cards.items() if card.takes(space.size)], " ".join(why)


def for_any_space() -> list[str]:
    """The searches that can run on sentences of any length."""
    return [key for key, search in SEARCHES.items() if search.card.largest is None]
