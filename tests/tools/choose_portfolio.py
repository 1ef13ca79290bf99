"""Choose the members of ``portfolio``: python -m tests.tools.choose_portfolio DATA.

Every order of up to three searches attacks the sentences that come behind those of the measured
table, each search to its end until one succeeds within the limit. What they share is counted as
asked twice, so that an order is at least as good as shown.
"""

import argparse
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from core import SEARCHES, VICTIMS, Attack, untargeted
from core.goals import remembered
from core.search import name_of
from core.search.genetic import GeneticThenLocal
from core.search.portfolio import MEMBERS
from core.trace import first_success
from tests.tools.measure_swift import LIMIT, MOST, SEED, cases

BUDGETS = (25, 50, 100, 200, 400, 800)
SETTINGS = (  # victim, substitution, sentences in the table, sentences here at the most
    ("cnn-sst2", "embedding", 300, 100),
    ("cnn-sst2", "sememe", 300, 100),
    ("bilstm-sst2", "embedding", 300, 100),
    ("bilstm-sst2", "sememe", 300, 100),
)
CANDIDATES = {
    **{name_of(member): member for member in MEMBERS},
    "ga+ls": GeneticThenLocal(population=20, generations=10),
    **{key: SEARCHES[key]() for key in ("ibgs", "sbgs", "greedy")},
}
Times = dict[str, tuple[list[int], list[int]]]  # of each search: first success, end


def measure(data: Path) -> Times:
    """When each search first succeeds on each sentence, and when it ends."""
    times: Times = {key: ([], []) for key in CANDIDATES}
    for name, substitution, skipped, most in SETTINGS:
        victim = VICTIMS[name]()
        found = cases(data, name, victim, substitution, skipped + most)
        for space, label in list(found)[skipped:]:
            goal = remembered(untargeted(victim, space, label), space)
            for key, search in CANDIDATES.items():
                result = Attack(space, goal, search, seed=SEED, max_changed=LIMIT).run()
                first = first_success(result.steps, space.allowed(LIMIT)) or MOST + 1
                times[key][0].append(first)
                times[key][1].append(result.queries)
        print(name, substitution, len(times["swift"][0]), "sentences so far", flush=True)
    return times


def successes(times: Times, order: Sequence[str]) -> NDArray[np.float64]:
    """The share of sentences that an order of searches has won at each budget."""
    first, end = (np.array([times[key][part] for key in order]) for part in (0, 1))
    begin = np.vstack([np.zeros_like(end[:1]), np.cumsum(end, axis=0)[:-1]])
    at = np.where(first <= MOST, begin + first, np.iinfo(int).max).min(axis=0)
    return np.array([(at <= budget).mean() for budget in (*BUDGETS, np.iinfo(int).max - 1)])


def main() -> None:
    """Measure, and show the best orders and each search alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    torch.set_num_threads(1)
    times = measure(parser.parse_args().data)
    orders = [order for size in (1, 2, 3) for order in permutations(CANDIDATES, size)]
    won = {order: successes(times, order) for order in orders}
    ranked = sorted(orders, key=lambda order: (-won[order].mean(), len(order)))
    print("| searches | " + " | ".join(map(str, BUDGETS)) + " | no budget |")
    print("|" + " --- |" * (len(BUDGETS) + 2))
    for order in (*ranked[:6], *((key,) for key in CANDIDATES)):
        print(f"| {', '.join(order)} | " + " | ".join(f"{100 * x:.1f}" for x in won[order]) + " |")


if __name__ == "__main__":
    main()
