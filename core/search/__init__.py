"""The searches, by the papers' abbreviations."""

from core.search.baselines import Exhaustive, RandomSearch
from core.search.genetic import Genetic
from core.search.local import Greedy, LocalSearch
from core.search.protocol import Search
from core.search.ranked import ImportanceGreedy, SaliencyGreedy
from core.search.sequential import SequentialGreedy
from core.search.swarm import ParticleSwarm

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
}

__all__ = ["SEARCHES", "Search"]
