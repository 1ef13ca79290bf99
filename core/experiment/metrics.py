"""What an experiment measures: each metric with its definition, and its value for each search."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.experiment.records import AttackRecord
from core.experiment.results import Results
from core.quality import METRICS as QUALITY
from core.quality.metric import Metric
from core.statistics import Interval, bootstrap_rates, mean_sd

METRICS: Final[Mapping[str, Metric]] = {
    metric.name: metric
    for metric in (
        Metric(
            "success",
            "attacked inputs that end with the goal reached and at most the plan's share of words "
            "changed, over all attacked inputs",
            "higher",
            "%",
        ),
        Metric(
            "queries", "mean distinct texts sent to the victim, over all attacked", "lower", "texts"
        ),
        Metric(
            "requests",
            "mean texts asked for, repeated ones too, over all attacked: the paper's query number",
            "lower",
            "texts",
        ),
        Metric("queries_success", "mean distinct texts, over the successes only", "lower", "texts"),
        Metric(
            "requests_success", "mean texts asked for, over the successes only", "lower", "texts"
        ),
        Metric(
            "queries_first",
            "mean distinct texts until the first success within the limit, over the successes",
            "lower",
            "texts",
            recent=True,
        ),
        Metric("modification", "mean share of changed words, over the successes", "lower", "%"),
        Metric(
            "area",
            "area under the curve of success against the number of distinct queries, from 0 to the "
            "budget, or to the most queries of any search in the scenario; 100 would be success at "
            "once on every input",
            "higher",
            "%",
        ),
        Metric(
            "ipw",
            "increase per word: grammar errors in the changed texts minus those in the originals, "
            "summed over the successes, over the words of the originals",
            "lower",
            "errors a word",
        ),
        Metric(
            "perplexity",
            "mean over the successes of how surprised a language model is by the changed text",
            "lower",
            "",
        ),
        Metric(
            "similarity",
            "mean over the successes of the cosine between the sentence vectors of the original "
            "and the changed text",
            "higher",
            "",
        ),
    )
}
OF_QUALITY: Final = ("ipw", "perplexity", "similarity")  # these need models
ATTACKED: Final = ("success", "failed", "over_limit", "budget")  # the statuses that count


class Scenario(NamedTuple):
    """What the searches of a table have in common."""

    victim: str
    substitution: str
    goal: str


@dataclass(frozen=True)
class Value:
    """The mean over the runs, their standard deviation, and an interval over the inputs."""

    mean: float
    sd: float | None = None
    interval: Interval | None = None


@dataclass(frozen=True)
class ScenarioLine:
    """A search in a scenario: how many inputs it attacked, in how many runs, with what result."""

    scenario: Scenario
    search: str
    attacked: int
    runs: int
    statuses: Mapping[str, int]
    values: Mapping[str, Value]

    def value(self, name: str) -> Value:
        """A metric's value, unknown where the results do not tell it."""
        return self.values.get(name, Value(np.nan, None, None))


class Texts(Protocol):
    """Scores texts, such as Perplexity."""

    def scores(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """One number for each text."""
        ...


class Likeness(Protocol):
    """Scores changed texts against their originals."""

    def scores(self, originals: Sequence[str], texts: Sequence[str]) -> NDArray[np.float64]:
        """One number for each pair."""
        ...


@dataclass(frozen=True)
class Quality:
    """The models behind the three metrics of quality, and their names."""

    grammar: Texts
    perplexity: Texts
    similarity: Likeness
    about: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def load(cls) -> "Quality":
        """The default models."""
        measures = {name: QUALITY[name]() for name in ("grammar", "perplexity", "similarity")}
        about = {
            "ipw": str(QUALITY["grammar"].card["checker"]),
            "perplexity": str(QUALITY["perplexity"].card["model"]),
            "similarity": str(QUALITY["similarity"].card["model"]),
        }
        return cls(**measures, about=about)


Score: TypeAlias = tuple[float, float, float]
ScoreTable: TypeAlias = Mapping[tuple[str, str], Score]
Number: TypeAlias = Callable[[AttackRecord], float]


def lines(results: Results, quality: Quality | None = None) -> list[ScenarioLine]:
    """Every search of every scenario, in the order of the plan."""
    groups = grouped(results)
    scores = _score(results, quality) if quality else None
    most: dict[Scenario, int] = defaultdict(lambda: 1)
    for (scenario, _), records in groups.items():
        reached = max((record.queries for record in attacked(records)), default=1)
        most[scenario] = results.plan.limits.budget or max(most[scenario], reached)
    return [
        _line(results, scenario, search, records, most[scenario], scores)
        for (scenario, search), records in groups.items()
    ]


def grouped(results: Results) -> dict[tuple[Scenario, str], list[AttackRecord]]:
    """The attacks of each search in each scenario."""
    groups: dict[tuple[Scenario, str], list[AttackRecord]] = {
        (Scenario(victim, substitution.name, goal), search.name): []
        for victim in results.plan.victims
        for substitution in results.plan.substitutions
        for goal in results.plan.goals
        for search in results.plan.searches
    }
    for record in results.attacks:
        scenario = Scenario(record.victim, record.substitution, record.goal)
        groups[scenario, record.search].append(record)
    return groups


def attacked(records: Iterable[AttackRecord]) -> list[AttackRecord]:
    """Without inputs that were at the goal already, and without errors."""
    return [record for record in records if record.status in ATTACKED]


def is_success(record: AttackRecord) -> bool:
    return record.success


def success_curve(records: Sequence[AttackRecord], budget: int) -> tuple[list[int], list[float]]:
    """The share of successes within so many queries: a step for each success, from 0 to budget."""
    tried = attacked(records)
    costs = sorted(r.queries for r in tried if is_success(r) and r.queries <= budget)
    shares = [number / len(tried) for number in range(1, len(costs) + 1)]
    return [0, *costs, budget], [0.0, *shares, shares[-1] if shares else 0.0]


def by_input(records: Iterable[AttackRecord], number: Number) -> dict[int, float]:
    """A number for each input: the mean over the runs of the search."""
    values = defaultdict(list)
    for record in attacked(records):
        values[record.row].append(number(record))
    return {row: float(np.mean(each)) for row, each in values.items()}


def _line(
    results: Results,
    scenario: Scenario,
    search: str,
    records: Sequence[AttackRecord],
    most: int,
    scores: ScoreTable | None,
) -> ScenarioLine:
    tried = attacked(records)
    names = [name for name in METRICS if scores is not None or name not in OF_QUALITY]
    rows = list(dict.fromkeys(each.row for each in tried))
    runs = list(dict.fromkeys(each.seed for each in tried))
    row_at = {row: at for at, row in enumerate(rows)}
    run_at = {run: at for at, run in enumerate(runs)}
    terms = np.zeros((2, len(names), len(rows), len(runs)))
    for record in tried:
        score = _scores_of(results, record, scores)
        terms[:, :, row_at[record.row], run_at[record.seed]] = np.transpose(
            [_terms(name, record, most, score) for name in names]
        )
    over, under = terms
    values = {}
    for at, (name, interval) in enumerate(zip(names, bootstrap_rates(over, under), strict=True)):
        sums = zip(over[at].sum(axis=0).tolist(), under[at].sum(axis=0).tolist(), strict=True)
        known = [above / below for above, below in sums if below]
        if not known and METRICS[name].recent:
            continue
        mean, sd = mean_sd(known) if known else (np.nan, None)
        several = under[at].any(axis=1).sum() > 1  # one input says nothing about others
        values[name] = Value(mean, sd, interval if several else None)
    return ScenarioLine(
        scenario,
        search,
        len(rows),
        len(runs),
        dict(Counter(record.status for record in records)),
        values,
    )


def _terms(name: str, record: AttackRecord, most: int, score: Score | None) -> tuple[float, float]:
    """What an attack adds to the two sums of a metric, which is one sum by the other."""
    won = is_success(record)
    match name:
        case "success":
            return won, 1
        case "queries" | "requests":
            return getattr(record, name), 1
        case "area":
            return won * max(0, most - record.queries), most
    if not won:
        return 0, 0
    match name:
        case "queries_success" | "requests_success":
            return getattr(record, name.removesuffix("_success")), 1
        case "queries_first":
            return record.first, int(record.first > 0)  # older results do not tell it
        case "modification":
            return len(record.swaps) / record.words, 1
    assert score is not None
    value = score[OF_QUALITY.index(name)]
    if name == "ipw":
        return value, record.words
    return (0, 0) if np.isnan(value) else (value, 1)


def _scores_of(results: Results, record: AttackRecord, scores: ScoreTable | None) -> Score | None:
    if scores is None or not is_success(record):
        return None
    return scores[results.inputs[record.row].text, results.text(record)]


def _score(results: Results, quality: Quality) -> ScoreTable:
    """Errors added, perplexity and similarity of every success, each text scored once."""
    won = [record for record in results.attacks if is_success(record)]
    pairs = list(
        dict.fromkeys((results.inputs[record.row].text, results.text(record)) for record in won)
    )
    before, after = [one for one, _ in pairs], [other for _, other in pairs]
    added = quality.grammar.scores(after) - quality.grammar.scores(before)
    perplexity = quality.perplexity.scores(after)
    similarity = quality.similarity.scores(before, after)
    rows: Iterable[Any] = zip(added.tolist(), perplexity.tolist(), similarity.tolist(), strict=True)
    return dict(zip(pairs, rows, strict=True))
