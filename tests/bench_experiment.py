"""The benchmark of experiments: python -m tests.bench_experiment; ratios within one run.

Attacks a second with one sentence at a time, with several side by side, and with one and two
processes, counted from the first finished attack to the last, so that loading is left out.
"""

import json
import sys
from collections.abc import Iterable
from time import perf_counter
from typing import Any

from core.experiment.engines import Local, Pool
from core.experiment.inputs import load
from core.experiment.plan import Plan
from core.experiment.plan_file import make_plan
from core.experiment.work import Bench, Item, items

PLAN: dict[str, Any] = {
    "name": "bench",
    "victims": ["bilstm-sst2"],
    "substitutions": ["synonym"],
    "searches": ["ls", "sbgs", "ibgs"],
    "data": {"bundled": "sentiment"},
}


def rate(plan: Plan, tasks: list[Item], run: Any) -> float:
    """Finished attacks a second."""
    times = [perf_counter() for _ in run(tasks)]
    return (len(times) - 1) / (times[-1] - times[0])


def alone(plan: Plan) -> Any:
    """One sentence at a time, on this thread, without a worker for the victim."""
    bench = Bench(plan)

    def run(tasks: Iterable[Item]) -> Any:
        return (bench.do(task) for task in tasks)

    return run


def main(count: int = 64) -> None:
    plan = make_plan({**PLAN, "limits": {"rows": count}})
    inputs = load(plan.data, plan.limits, ("negative", "positive"), False, None)  # type: ignore[arg-type]
    tasks = list(items(plan, inputs.used))
    found = {"one at a time": rate(plan, tasks, alone(plan))}
    for name, engine in (
        ("16 side by side", Local(16)),
        ("1 process", Pool(1)),
        ("2 processes", Pool(2)),
    ):
        with engine.workers(plan) as workers:
            found[name] = rate(plan, tasks, workers)
    ratios = {
        "side by side": found["16 side by side"] / found["one at a time"],
        "second process": found["2 processes"] / found["1 process"],
    }
    print(json.dumps({"attacks": len(tasks), "a second": found, "ratios": ratios}, indent=1))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
