"""The searches, by the papers' abbreviations."""

from core.search.baselines import Exhaustive, RandomSearch
from core.search.genetic import Genetic, GeneticThenLocal
from core.search.label import LabelSearch
from core.search.local import Greedy, LocalSearch
from core.search.portfolio import Portfolio
from core.search.protocol import Search
from core.search.ranked import ImportanceGreedy, SaliencyGreedy
from core.search.sequential import SequentialGreedy
from core.search.swarm import ParticleSwarm, SwarmThenLocal
from core.search.swift import Swift

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
}

# The searches that draw at random, so that a seed makes a difference to them.
RANDOMISED = ("pso", "ga", "random", "ls-label", "pso+ls", "ga+ls", "portfolio")

# The searches that are told only the victim's top label, never a probability.
LABEL_ONLY = tuple(key for key, search in SEARCHES.items() if hasattr(search, "label_only"))

__all__ = ["LABEL_ONLY", "RANDOMISED", "SEARCHES", "Search"]
