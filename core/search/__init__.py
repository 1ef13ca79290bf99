"""The searches, by the papers' abbreviations; the card of each says everything else about it."""

from collections.abc import Sequence

from core.objective import Step
from core.search.baselines import Exhaustive, RandomSearch
from core.search.block_bayes import BlockBayes
from core.search.card import Card
from core.search.genetic import Genetic, GeneticThenLocal
from core.search.hqa import HqaAttack
from core.search.label import LabelSearch
from core.search.local import Greedy, LocalSearch
from core.search.portfolio import Portfolio
from core.search.protocol import Search, UnknownSearch
from core.search.ranked import ImportanceGreedy, SaliencyGreedy
from core.search.sequential import SequentialGreedy
from core.search.swarm import ParticleSwarm, SwarmThenLocal
from core.search.swift import Swift
from core.search.texthacker import TextHacker

SEARCHES: dict[str, type[Search]] = {
    "ls": LocalSearch,
    "greedy": Greedy,
    "pso": ParticleSwarm,
    "ga": Genetic,
    "sbgs": SaliencyGreedy,
    "sgs": SequentialGreedy,
    "ibgs": ImportanceGreedy,
    "random": RandomSearch,
    "exhaustive": Exhaustive,
    "swift": Swift,
    "ls-label": LabelSearch,
    "pso+ls": SwarmThenLocal,
    "ga+ls": GeneticThenLocal,
    "portfolio": Portfolio,
    "bba": BlockBayes,
    "hqa": HqaAttack,
    "texthacker": TextHacker,
}

DEFAULT = "ls"  # where nobody has chosen a search
COMPARED = ("ls", "greedy", "pso", "ga")  # where several are compared and nobody has chosen


def search_named(key: str) -> type[Search]:
    """The search of this name; if there is none, one that is known by its steps alone."""
    return SEARCHES.get(key, UnknownSearch)


def name_of(search: Search | type[Search]) -> str:
    """The name of a search in the registry, or its title if it is not there."""
    kind = search if isinstance(search, type) else type(search)
    return next((key for key, known in SEARCHES.items() if known is kind), kind.card.title)


def finder(search: Search, steps: Sequence[Step]) -> type[Search]:
    """The search that found the answer: itself, or one that it is composed of."""
    found = next(step for step in steps if step.current == steps[-1].current)
    return search.maker(found)[0]


def registered(keys: tuple[str, ...]) -> list[str]:
    """Those of some searches that are there."""
    return [key for key in keys if key in SEARCHES]


__all__ = [
    "COMPARED",
    "DEFAULT",
    "SEARCHES",
    "Card",
    "Search",
    "UnknownSearch",
    "finder",
    "name_of",
    "registered",
    "search_named",
]
