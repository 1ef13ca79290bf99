"""What the page of a race shows, from its lanes: sentences, curves, tables and files."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from statistics import mean, stdev
from typing import Any, Final

import numpy as np

from app.race.lanes import UNDER_WAY, Lane
from app.shared import highlight
from app.shared.charts import GREY, Band, StepCurve
from app.shared.question import Question
from app.shared.turns import waiting_text
from core import Candidates, SearchSpace, trace
from core.objective import Floats, Step
from core.space import Ints

LEGEND: Final = (
    "Lines: the first seed. Shaded: from the 10th to the 90th percentile of the finished seeds. "
    "★ the first success that was tried: a search takes it when its step is over. "
    "Dots and the grey line: the slider's place. "
    "Below, each search shows the sentence of the last step that it had finished by then, and "
    "only the substitutes that some search has held."
)


def headline(lanes: Sequence[Lane]) -> str:
    """The race in one sentence, from the runs that are drawn."""
    won = [lane for lane in lanes if lane.first.won]
    if lanes and all(lane.first.before is not None for lane in lanes):
        return "The searches wait for their turns …"
    if not won:
        under_way = any(lane.first.status in UNDER_WAY for lane in lanes)
        return "The searches are running …" if under_way else "No search reaches the goal."
    won.sort(key=lambda lane: (lane.first.status != "success", lane.first.queries))
    parts = []
    for lane in won:
        times = lane.first.queries / won[0].first.queries
        more = "" if lane is won[0] else f", {times:.1f} times as many"
        over = lane.first.status == "over_limit"
        parts.append(
            f"{lane.name} {lane.first.queries:,}{', but too many words' if over else more}"
        )
    parts += [f"{lane.name} {lane.ending}" for lane in lanes if not lane.first.won]
    return f"Queries spent until a search {won[0].reached}: " + "; ".join(parts) + "."


def share(lane: Lane, budget: int) -> float:
    """How far a search is with all its seeds."""
    shares = [min(r.queries / budget, 1) if r.status in UNDER_WAY else 1 for r in lane.runs]
    return sum(shares) / len(shares)


def progress_text(lane: Lane) -> str:
    run, count = lane.first, len(lane.runs)
    if run.before is not None:
        text = waiting_text(run.before)
    elif run.status in UNDER_WAY:
        seen = run.steps and lane.sees_scores
        best = f", best score {run.steps[-1].best.score:.3f}" if seen else ""
        text = f"{run.queries:,} queries{best}"
    else:
        text = run.error or f"{lane.ending} with {run.queries:,} queries"
    seeds = f" · {len(lane.over)} of {count} seeds done" if count > 1 else ""
    return f"{lane.name}: {text}{seeds}"


def curves(lanes: Sequence[Lane], *, requests: bool, cursor: int) -> list[StepCurve]:
    """The best score so far of each search, with a band over its seeds."""
    result = []
    for lane in lanes:
        steps = lane.first.steps
        if not steps:
            continue
        x, best = _curve(steps, requests)
        unseen = not lane.sees_scores
        now = trace.at_queries(steps, cursor)
        result.append(
            StepCurve(
                f"{lane.name} (sees no score)" if unseen else lane.name,
                GREY if unseen else lane.card.colour,
                lane.card.dash,
                x,
                best,
                _band(lane, requests),
                _first_success(steps, requests) if lane.first.won else None,
                (now.requests if requests else now.queries, now.best.score),
                lane.reached,
            )
        )
    return result


def changes(space: SearchSpace, lanes: Sequence[Lane], *, requests: bool) -> list[StepCurve]:
    """How many words are changed in what each search holds."""
    result = []
    for lane in lanes:
        steps = lane.first.steps
        if steps:
            x = np.array([step.requests if requests else step.queries for step in steps])
            y = np.array([len(space.changed(step.current.state)) for step in steps], dtype=float)
            result.append(StepCurve(lane.name, lane.card.colour, lane.card.dash, x, y))
    return result


def end(lanes: Sequence[Lane], requests: bool) -> int:
    """Where the axis of the curves ends: at the longest run."""
    last = [run.steps[-1] for lane in lanes for run in lane.runs if run.steps]
    return max((step.requests if requests else step.queries for step in last), default=1)


def _curve(steps: Sequence[Step], requests: bool) -> tuple[Ints, Floats]:
    found = trace.curve(steps)
    return (found.requests if requests else found.queries), found.best


def _band(lane: Lane, requests: bool) -> Band | None:
    """The 10th to the 90th percentile of the finished seeds; one that has ended keeps its best."""
    found = [_curve(run.steps, requests) for run in lane.over]
    if len(found) < 3:
        return None
    x = np.unique(np.concatenate([counts for counts, _ in found]))
    table = [best[np.maximum(np.searchsorted(counts, x, "right") - 1, 0)] for counts, best in found]
    low, high = np.percentile(table, [10, 90], axis=0)
    return Band(x, low, high)


def _first_success(steps: Sequence[Step], requests: bool) -> tuple[int, float]:
    """Where the first sentence that reaches the goal was tried, and its score."""
    tried = Candidates.join([step.tried for step in steps], len(steps[0].current.state))
    at = int(np.argmax(tried.successes & ~tried.moves.hidden))
    count = at + 1 if requests else int(tried.fresh[: at + 1].sum())
    return count, float(tried.scores[at])


def table(space: SearchSpace, lanes: Sequence[Lane]) -> list[dict[str, str]]:
    """A row for each search; over several seeds the mean ± the standard deviation."""
    rows = []
    for lane in lanes:
        results = [run.result for run in lane.over if run.result]
        wins = sum(result.success for result in results)
        single = len(lane.runs) == 1
        many = f"{wins} of {len(results)} seeds"
        text = many if results else lane.ending
        rows.append(
            {
                "search": lane.name,
                "success": ("yes" if wins else text) if single else text,
                "queries": _spread([r.queries for r in results]),
                "requests": _spread([r.requests for r in results]),
                "words changed": _spread([len(space.changed(r.state)) for r in results], 1),
                "score": _spread([r.score for r in results], 3),
                "seconds": _spread([r.seconds for r in results], 2),
                "of these waiting for the victim": _spread([r.forward_seconds for r in results], 2),
            }
        )
    return rows


def table_html(rows: Sequence[Mapping[str, str]]) -> str:
    """The table with every piece of text escaped."""
    cells = [[escape(value) for value in row.values()] for row in rows]
    return highlight.table("Results", list(rows[0]), cells)


def _spread(values: Sequence[float], digits: int = 0) -> str:
    if not values:
        return ""
    if len(values) == 1:
        return f"{values[0]:,}" if isinstance(values[0], int) else f"{values[0]:,.{digits}f}"
    return f"{mean(values):,.{digits}f} ± {stdev(values):,.{digits}f}"


def results(space: SearchSpace, lanes: Sequence[Lane]) -> list[dict[str, Any]]:
    """A row for each run that has ended, for files."""
    return [
        {
            "search": lane.search,
            "seed": run.seed,
            "status": result.status,
            "queries": result.queries,
            "requests": result.requests,
            "words_changed": len(space.changed(result.state)),
            "score": result.score,
            "seconds": result.seconds,
            "victim_seconds": result.forward_seconds,
            "text": result.text,
        }
        for lane in lanes
        for run in lane.runs
        if (result := run.result)
    ]


def as_json(question: Question, runs: Sequence[Mapping[str, Any]], budget: int) -> str:
    """The race as a file: the question and every run."""
    about = replace(question.spec, budget=budget).plain()
    for chosen in ("search", "search_option", "seed"):  # each run has its own
        del about[chosen]
    return json.dumps({**about, "runs": runs}, indent=2, ensure_ascii=False)
