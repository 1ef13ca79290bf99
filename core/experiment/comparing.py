"""Is one search really better? Paired tests on the same inputs, corrected for their number."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from core.experiment.metrics import Scenario, by_input, grouped, is_success
from core.experiment.records import AttackRecord
from core.experiment.results import Results
from core.statistics import LEVEL, holm, mcnemar, wilcoxon

METHOD: Final = (
    "Each search is compared with the first one of the plan on the inputs both attacked: success "
    "by McNemar's exact test, distinct queries by Wilcoxon's signed-rank test, all p-values of the "
    "experiment corrected by Holm's method. A search with several runs succeeds on an input if "
    "more than half of its runs do, and its queries there are the mean over the runs."
)


@dataclass(frozen=True)
class Comparison:
    """Two searches in a scenario, and how sure their difference is."""

    scenario: Scenario
    what: str  # "success" or "queries"
    first: str
    second: str
    inputs: int
    first_value: float  # share of successes, or mean queries
    second_value: float
    p: float
    corrected: float

    @property
    def verdict(self) -> str:
        if self.corrected >= LEVEL or self.first_value == self.second_value:
            return f"{self.first} and {self.second}: no difference found"
        more = self.first_value > self.second_value
        how = "succeeds more often than" if self.what == "success" else "needs more queries than"
        one, other = (self.first, self.second) if more else (self.second, self.first)
        return f"{one} {how} {other}"


def compare(results: Results) -> list[Comparison]:
    """The first search of the plan with each other one, in every scenario."""
    first, *others = (search.name for search in results.plan.searches)
    groups = grouped(results)
    found = [
        comparison
        for scenario in dict.fromkeys(scenario for scenario, _ in groups)
        for other in others
        for comparison in _pair(groups, scenario, first, other)
    ]
    corrected = holm([comparison.p for comparison in found])
    return [replace(each, corrected=p) for each, p in zip(found, corrected, strict=True)]


def _pair(
    groups: Mapping[tuple[Scenario, str], Sequence[AttackRecord]],
    scenario: Scenario,
    first: str,
    second: str,
) -> Iterator[Comparison]:
    """Two searches on the inputs both attacked; p-values not corrected yet."""
    pair = groups[scenario, first], groups[scenario, second]
    wins = [by_input(each, lambda record: float(is_success(record))) for each in pair]
    costs = [by_input(each, lambda record: float(record.queries)) for each in pair]
    rows = sorted(wins[0].keys() & wins[1].keys())
    if not rows:
        return
    won = [[each[row] > 0.5 for row in rows] for each in wins]
    cost = [[each[row] for row in rows] for each in costs]
    for what, values, p in (("success", won, mcnemar(*won)), ("queries", cost, wilcoxon(*cost))):
        one, other = (float(np.mean(each)) for each in values)
        yield Comparison(scenario, what, first, second, len(rows), one, other, p, p)
