"""The benchmark: python -m tests.tools.bench [FILE]. It gives ratios, since machines differ."""

import json
import platform
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, product
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import torch

from core import (
    SEARCHES,
    SUBSTITUTIONS,
    VICTIMS,
    Attack,
    AttackResult,
    SearchSpace,
    Victim,
    function_goal,
    theory,
    untargeted,
)
from core.goals import Bindable
from core.objective import Floats
from core.sharing import Shared, cancellable_requests
from core.space import Ints
from core.substitutions.protocol import FILE
from core.theory.table import states_at
from core.victims import given
from core.victims.card import task_key
from tests.tools import bench_pages, bench_visitors
from tests.toys.places import ROOT
from tests.toys.spaces import logistic_case

WORDS, SUBSTITUTES, SWEEPS = 100, 40, 10
ENGINE = ((25, 10), (100, 10), (200, 10), (400, 10), (800, 40), (1_000, 80))
TEXT = (
    "Despite a few slow moments, it's a warm and surprisingly funny film that never wastes the "
    "talents of its well-chosen cast, and its quiet last scene stays with you for days."
)
OTHER = (
    "The story begins in a small town where a young teacher, tired of her job and of the endless "
    "winter, finds an old camera in the attic of a house that nobody wants to buy. She takes "
    "pictures of her neighbours, who slowly start to talk about what they have lost, and the "
    "director lets them speak without any music or sudden turns of the plot."
)
PREMISE = "Two women are walking their dogs in a park near the lake."
HYPOTHESIS = "Some people walk outside with their happy animals on a beautiful sunny afternoon."
SUBJECTS = ("The film", "This story", "The cast", "Her script", "The music", "His direction")
SAID = (
    "charming and often very funny",
    "a dull and endless mess",
    "warm, honest and moving",
    "lazy, loud and boring",
    "strange but clever",
)
OUTPUT = ROOT / "assets" / "bench" / "bench.json"


class TableVictim:
    """A victim whose forward pass is a table look-up, so that all the rest is our own overhead."""

    labels = ("same", "other")

    def __init__(self, weights: dict[str, float]) -> None:
        self.weights = weights

    def bind(self, space: SearchSpace) -> Callable[[Ints], Floats]:
        """Look up the weight of every choice once."""
        table = np.array([[self.weights[word] for word in column] for column in space.choices])
        positions = np.arange(len(space.choices))
        return lambda states: self._rows(table[positions, states].sum(axis=1))

    def predict(self, texts: Sequence[str]) -> Floats:
        """Sum the weights of the words; no sum ever reaches the decision threshold."""
        return self._rows(np.array([sum(map(self.weights.__getitem__, t.split())) for t in texts]))

    def _rows(self, sums: Floats) -> Floats:
        other = 0.25 + 0.2 * np.tanh(sums)
        return np.stack([1.0 - other, other], axis=1)


@dataclass(frozen=True)
class ByText:
    """A victim without its fast path: it is asked with texts."""

    victim: Victim

    @property
    def labels(self) -> tuple[str, ...]:
        return self.victim.labels

    def predict(self, texts: Sequence[str]) -> Floats:
        """Ask the victim."""
        return self.victim.predict(texts)


def make_space(words: int, substitutes: int) -> SearchSpace:
    """A space of made-up words."""
    letters = "abcdefghij"

    def name(position: int, choice: int) -> str:
        return "w" + "".join(letters[int(digit)] for digit in f"{position:03d}{choice:02d}")

    return SearchSpace.from_choices(
        [[name(position, choice) for choice in range(substitutes + 1)] for position in range(words)]
    )


def measure(name: str, attack: Attack) -> dict[str, Any]:
    """Run an attack and put its figures into a row."""
    result = attack.run()
    return {
        "run": name,
        "steps": len(result.steps),
        "requests": result.requests,
        "queries": result.queries,
        "seconds": round(result.seconds, 4),
        "overhead": round(result.seconds / result.forward_seconds, 3),
        "requests_per_second": round(result.requests / result.seconds),
    }


def searches() -> list[dict[str, Any]]:
    """LS, greedy, PSO and GA with a victim that costs next to nothing."""
    space = make_space(WORDS, SUBSTITUTES)
    words = [word for column in space.choices for word in column]
    weights = np.random.default_rng(0).normal(0.0, 0.01, size=len(words)).tolist()
    goal = untargeted(TableVictim(dict(zip(words, weights, strict=True))), space, "same")
    return [
        measure(f"{key}, {WORDS} x {SUBSTITUTES}, table", Attack(space, goal, SEARCHES[key]()))
        for key in ("ls", "greedy", "pso", "ga")
    ]


def engine() -> Iterator[dict[str, Any]]:
    """What swift takes for a query of a victim that costs next to nothing, as texts grow."""
    for words, substitutes in ENGINE:
        seconds = queries = 0.0
        for seed in range(3):
            space, goal = logistic_case(seed, words, substitutes, needed=words / 10)
            began = process_time()
            result = Attack(space, goal, SEARCHES["swift"](), budget=100).run()
            seconds += process_time() - began
            queries += result.queries
        yield {
            "run": f"swift, {words} x {substitutes}",
            "milliseconds_per_query": round(1_000 * seconds / queries, 3),
        }


def networks() -> Iterator[dict[str, Any]]:
    """LS with a real network, asked with texts and through its fast path."""
    space = SearchSpace.from_text(TEXT, SUBSTITUTIONS["embedding"]())
    victim = VICTIMS["bilstm-sst2"]()
    for name, asked in (("by text", ByText(victim)), ("bound", victim)):
        goal = untargeted(asked, space, "positive")
        Attack(space, goal, SEARCHES["ls"](), budget=300).run()  # warm up
        yield measure(f"ls, bilstm-sst2 {name}", Attack(space, goal, SEARCHES["ls"]()))


def spaces() -> Iterator[dict[str, Any]]:
    """How long the space of a text of 100 words takes, after warm-up, for each substitution."""
    words = (TEXT + " " + OTHER).split()
    for key, entry in SUBSTITUTIONS.items():
        if FILE in entry.card:
            continue  # as quick as its table is large
        substitution = entry()
        SearchSpace.from_text(TEXT, substitution)
        times = []
        for start in range(5):  # another text each time, so that nothing is remembered
            text = " ".join((words[start:] + words)[:100])
            began = perf_counter()
            space = SearchSpace.from_text(text, substitution)
            times.append(perf_counter() - began)
        yield {
            "run": f"space of 100 words, {key}",
            "substitutes": space.elements,
            "milliseconds": round(1_000 * sorted(times)[2], 1),
        }


def throughput() -> Iterator[dict[str, Any]]:
    """Texts a second that each classifier reads, at three batch sizes, by text and bound."""
    for key, entry in VICTIMS.items():
        if key == "toy" or entry.missing() or not entry.card.get("labels"):
            continue
        pair = bool(task_key(entry.card) == "pair")
        victim = given(entry(), {"premise": PREMISE})
        space = SearchSpace.from_text(HYPOTHESIS if pair else TEXT, SUBSTITUTIONS["embedding"]())
        for size in (1, 64, 256):
            yield {"run": f"{key}, batch {size}", **both_paths(victim, space, size)}


def both_paths(victim: Victim, space: SearchSpace, size: int) -> dict[str, float]:
    """Texts a second by text and bound, for the first one-word changes of a sentence."""
    moves = space.neighbours(space.origin)[:size]
    written, bound = untargeted(ByText(victim), space, 0), untargeted(victim, space, 0)
    by_text = rate(lambda: written(moves), len(moves))
    by_state = rate(lambda: bound(moves), len(moves))
    return {
        "texts": len(moves),  # fewer than the batch where the sentence has no more neighbours
        "by_text_per_second": round(by_text),
        "bound_per_second": round(by_state),
        "ratio": round(by_state / by_text, 2),
    }


def rate(call: Callable[[], object], size: int, seconds: float = 1.0) -> float:
    """Texts a second over about the given time, after one call to warm up."""
    call()
    began, calls = perf_counter(), 0
    while (passed := perf_counter() - began) < seconds:
        call()
        calls += 1
    return size * calls / passed


def enumeration(most: int = 200_000) -> Iterator[dict[str, Any]]:
    """A whole table of f; after each batch the victim alone gets the same states, to compare."""
    whole = SearchSpace.from_text(TEXT, SUBSTITUTIONS["embedding"]())
    sizes = product(range(1, 9), range(1, len(whole.choices)))
    spaces = (theory.trimmed(whole, *size) for size in sizes)
    space = max((one for one in spaces if one.size <= most), key=lambda one: one.size)
    states = states_at(np.arange(space.size), tuple(len(column) for column in space.choices))
    for key in ("cnn-sst2", "bilstm-sst2"):
        victim = VICTIMS[key]()
        assert isinstance(victim, Bindable)
        bound, steps = (
            victim.bind(space),
            theory.tabulate_steps(space, untargeted(victim, space, 1)),
        )
        table = alone = 0.0
        done, began = 0, perf_counter()
        for progress in steps:
            table += perf_counter() - began
            began = perf_counter()
            bound(states[done : progress.done])
            alone += perf_counter() - began
            done, began = progress.done, perf_counter()
        yield {
            "run": f"enumeration, {key}",
            "sentences": space.size,
            "victim_per_second": round(space.size / alone),
            "table_per_second": round(space.size / table),
            "ratio": round(alone / table, 2),
        }


def at_once(count: int = 8) -> dict[str, Any]:
    """Attacks on short sentences, one after the other and several at once on a shared victim."""
    source, victim = SUBSTITUTIONS["embedding"](), VICTIMS["bilstm-sst2"]()
    texts = [f"{subject} is {said}." for subject in SUBJECTS for said in SAID]
    spaces = [SearchSpace.from_text(text, source) for text in texts]
    labels = [int(row.argmax()) for row in victim.predict(texts)]

    def attacks(asked: Victim) -> list[Attack]:
        goals = map(untargeted, [asked] * len(spaces), spaces, labels)
        return [Attack(*parts, SEARCHES["ls"]()) for parts in zip(spaces, goals, strict=True)]

    def as_in_the_app(attack: Attack) -> AttackResult:
        with cancellable_requests(lambda: False):
            return attack.run()

    shared = Shared(victim)
    single, several = attacks(victim), attacks(shared)
    alone = [attack.run() for attack in single]
    ratios = []
    with ThreadPoolExecutor(count) as pool:
        for _ in range(3):
            began = perf_counter()
            for attack in single:
                attack.run()
            middle = perf_counter()
            together = list(pool.map(as_in_the_app, several))
            ratios.append((middle - began) / (perf_counter() - middle))
    shared.close()
    return {
        "run": f"ls, bilstm-sst2, {len(texts)} short sentences, {count} at once",
        "same_results_as_alone": together == alone,
        "requests_per_call": round(shared.worker.served / shared.worker.calls, 1),
        "times_the_throughput": round(sorted(ratios)[1], 2),
    }


def cold_start() -> dict[str, Any]:
    """A first attack from a cold process, the start of Python included."""
    options = ["--victim", "bilstm-sst2", "--substitution", "synonym"]
    began = perf_counter()
    subprocess.run(
        [sys.executable, "-m", "core", "attack", TEXT, *options],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return {"run": "first attack, cold process", "seconds": round(perf_counter() - began, 2)}


def memory() -> dict[str, Any]:
    """How much a trace of ten sweeps keeps."""
    space = make_space(WORDS, SUBSTITUTES)
    goal = function_goal(lambda state: float(sum(map(bool, state))))
    attack = Attack(space, goal, SEARCHES["ls"](), budget=None)
    steps = attack.steps()
    tracemalloc.start()
    kept = [next(steps) for _ in range(SWEEPS + 1)]
    size = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    return {"run": f"memory of {len(kept) - 1} sweeps", "megabytes": round(size, 2)}


def main(path: Path = OUTPUT) -> None:
    """Print the table and write it as JSON."""
    table = []
    single = (make() for make in (at_once, memory, cold_start))
    quick = chain(bench_pages.reruns(), [bench_pages.lattice()], bench_pages.slow_line())
    pages = chain(quick, bench_visitors.rows())
    engines = chain(searches(), engine(), networks(), enumeration())
    for row in chain(engines, single, spaces(), throughput(), pages):
        table.append(row)
        figures = "  ".join(f"{name} {value:,}" for name, value in row.items() if name != "run")
        print(f"{row['run']:<32}{figures}")
    path.parent.mkdir(parents=True, exist_ok=True)
    about = {
        "python": platform.python_version(),
        "torch": torch.__version__,
        "numpy": np.__version__,
    }
    path.write_text(json.dumps({"about": about, "rows": table}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
