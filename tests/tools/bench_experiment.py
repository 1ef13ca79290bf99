"""The benchmark of experiments: python -m tests.tools.bench_experiment [ROUNDS [SUBSTITUTION]].

Attacks a second with one sentence after the other, with several side by side, and with one and two
processes. Each loads its victim and attacks a few sentences before the clock starts; none knows an
answer of the others. They take turns, so that a busy machine is busy for all, and what counts is
the median of the ratios within a round.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter
from typing import Any

from core.experiment.engines import Engine, Local, Pool, Workers
from core.experiment.plan import Plan
from core.experiment.plan_file import make_plan
from core.experiment.records import plain
from core.experiment.runner import read_inputs
from core.experiment.work import AttackRunner, Work, WorkOutcome, items
from tests.toys.places import ROOT

PLAN: dict[str, Any] = {
    "name": "bench",
    "victims": ["bilstm-sst2"],
    "searches": ["ls", "sbgs", "ibgs"],
    "data": {"bundled": "sentiment"},
    "limits": {"rows": 64},
}
WARM = 4  # sentences before the clock starts


class OneAfterTheOther:
    """This thread alone, asking the victim itself; searches share what it said of a sentence."""

    @contextmanager
    def workers(self, plan: Plan) -> Iterator[Workers]:
        runner = AttackRunner(plan)

        def run(tasks: Iterable[Work]) -> Iterator[tuple[Work, WorkOutcome]]:
            return ((task, runner.do(task)) for task in tasks)

        yield run


ENGINES: dict[str, Engine] = {
    "one after the other": OneAfterTheOther(),
    "16 side by side": Local(16),
    "1 process": Pool(1),
    "2 processes": Pool(2),
}
RATIOS = {
    "side by side": ("16 side by side", "one after the other"),
    "second process": ("2 processes", "1 process"),
}


def measured(engine: Engine, plan: Plan) -> tuple[float, list[str]]:
    """Finished attacks per second, and their records, sorted."""
    inputs = read_inputs(plan, ROOT).used
    with engine.workers(plan) as workers:
        list(workers(items(plan, inputs[:WARM])))
        began = perf_counter()
        done = list(workers(items(plan, inputs[WARM:])))
        rate = len(done) / (perf_counter() - began)
    records = []
    for _, outcome in done:
        assert isinstance(outcome, list)  # a failed attack has a record too
        records.append(json.dumps([plain(record) for record in outcome]))
    return rate, sorted(records)


def main(rounds: str = "5", substitution: str = "synonym") -> None:
    plan = make_plan({**PLAN, "substitutions": [substitution]})
    expected = measured(ENGINES["one after the other"], plan)[1]  # reads what all share, untimed
    rates: dict[str, list[float]] = {name: [] for name in ENGINES}
    for _ in range(int(rounds)):
        for name, engine in ENGINES.items():
            rate, records = measured(engine, plan)
            assert records == expected, f"{name} gave other records"
            rates[name].append(rate)
    ratios = {
        name: sorted(over / under for over, under in zip(rates[one], rates[other], strict=True))
        for name, (one, other) in RATIOS.items()
    }
    report = {
        "attacks": len(expected),
        "substitution": substitution,
        "same records": True,
        "per second": {name: round(median(found), 1) for name, found in rates.items()},
        "ratios": {
            name: {"median": round(median(found), 2), "all": [round(each, 2) for each in found]}
            for name, found in ratios.items()
        },
    }
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:])
