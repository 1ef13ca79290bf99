"""What the page of a race shows, from its lanes: sentences, curves, tables and files."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from math import inf
from statistics import median
from typing import Any, Final

import numpy as np

from app.race.lanes import UNDER_WAY, Lane
from app.shared import highlight
from app.shared.charts import GREY, Band, StepCurve
from app.shared.question import Question
from app.shared.turns import waiting_text
from core import Candidates, SearchSpace, ladder, trace
from core.endings import ending
from core.narrate.words import count
from core.objective import Floats, Step
from core.space import Ints

RECORDED: Final = "recorded"
MEDIANS: Final = "Of several seeds the median is given, and in brackets the least and the most."
LEGEND: Final = (
    "Lines: the first seed. Shaded: from the 10th to the 90th percentile of the finished seeds. "
    "★ the first success that was tried: a search takes it when its step is over. "
    "Dots and the grey line: the slider's place. "
    "Below, each search shows the sentence of the last step that it had finished by then, and "
    "only the substitutes that some search has held."
)


def headline(lanes: Sequence[Lane]) -> str:
    """The race in one sentence, once all seeds of all searches have ended."""
    if lanes and all(lane.first.before is not None for lane in lanes):
        return "The searches wait for their turns …"
    if any(lane.busy for lane in lanes):
        return "The searches are running …"
    rules = lanes[0].rules
    if not rules.reached:
        found = [f"{lane.name} {_best(lane) or lane.ending}" for lane in lanes]
        return f"The largest {rules.measure.title} found: {'; '.join(found)}."
    if not any(lane.wins for lane in lanes):
        return "No search reaches the goal."
    ranked = sorted(lanes, key=_needed)
    standings = [f"{lane.name} {_standing(lane, _needed(ranked[0]))}" for lane in ranked]
    return f"Queries spent until a search {rules.reached}: {'; '.join(standings)}."


def _needed(lane: Lane) -> float:
    """The median of the queries until success; a seed without success needs more than any other."""
    return median(run.queries if run.won else inf for run in lane.runs) if lane.complete else inf


def _standing(lane: Lane, least: float) -> str:
    """The queries of a search until success, beside the least that any needed."""
    seeds, won, needed = len(lane.runs), len(lane.wins), _needed(lane)
    if not lane.complete or (seeds == 1 and not won):
        return lane.ending
    if needed == inf:
        return f"succeeds with {won} of {count(seeds, 'seed')}"
    more = f", {needed / least:.1f} times as many" if needed > least else ""
    if won == seeds:
        return _spread([run.queries for run in lane.wins]) + more
    return f"{needed:,.0f} with {won} of {count(seeds, 'seed')}{more}"


def _best(lane: Lane) -> str:
    """The values that a search has ended with; nothing before all seeds have ended."""
    look = "{:g}" if lane.rules.measure.as_it_is else "{:.3f}"
    return _spread([run.result.score for run in lane.ended if run.result], look)


def share(lane: Lane, budget: int) -> float:
    """How far a search is with all its seeds."""
    shares = [min(r.queries / budget, 1) if r.status in UNDER_WAY else 1 for r in lane.runs]
    return sum(shares) / len(shares)


def progress_text(lane: Lane) -> str:
    """How far a search is; what became of it only once all its seeds have ended."""
    run, several = lane.first, len(lane.runs) > 1
    if lane.complete:
        text = _of_all_seeds(lane) if several else f"{lane.ending} with {_queries(lane)}"
        return f"{lane.name}: {text}"
    parts = []
    if run.before is not None:
        parts = [waiting_text(run.before)]
    elif run.status in UNDER_WAY:
        best = run.steps[-1].best.score if run.steps and lane.sees_scores else None
        told = "" if best is None else f", best {lane.rules.measure.told(best)}"
        parts = [f"{count(run.queries, 'query')}{told}"]
    elif not lane.busy:
        broken = next(run for run in lane.runs if not run.over)
        parts = [broken.error or ending(broken.status)]
    if several:
        parts.append(f"{len(lane.over)} of {len(lane.runs)} seeds done")
    return f"{lane.name}: {' · '.join(parts)}"


def _of_all_seeds(lane: Lane) -> str:
    """What became of all seeds: how many succeed, and with how many queries."""
    rules, seeds = lane.rules, count(len(lane.runs), "seed")
    if not rules.reached:
        return f"{lane.ending} with {seeds}, {rules.measure.noun} {_best(lane)}"
    queries = _spread([run.queries for run in lane.wins])
    return f"{rules.reached} with {len(lane.wins)} of {seeds}" + (
        f", {queries} queries" if queries else ""
    )


def _queries(lane: Lane) -> str:
    return count(lane.first.queries, "query", "queries")


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
                _first_success(lane, requests) if lane.first.won else None,
                (now.requests if requests else now.queries, now.best.score),
                lane.rules.reached,
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


def _first_success(lane: Lane, requests: bool) -> tuple[int, float]:
    """Where the first success was tried, and its score."""
    steps = lane.first.steps
    tried = Candidates.join([step.tried for step in steps], len(steps[0].current.state))
    within = tried.moves.changed <= lane.rules.allowed
    at = int(np.argmax(tried.successes & within & ~tried.moves.hidden))
    number = at + 1 if requests else int(tried.fresh[: at + 1].sum())
    return number, float(tried.scores[at])


def table(space: SearchSpace, lanes: Sequence[Lane]) -> list[dict[str, str]]:
    """A row for each search, once all its seeds have ended: medians over them, least to most."""
    rows = []
    for lane in lanes:
        results = [run.result for run in lane.ended if run.result]
        seeds = f"{len(lane.wins if results else lane.over)} of {len(lane.runs)} seeds"
        seeds += "" if results else " done"
        single = "yes" if lane.wins else lane.ending
        waiting = [r.forward_seconds for r in results]
        rows.append(
            {
                "search": lane.name,
                "success": single if len(lane.runs) == 1 else seeds,
                "queries": _spread([r.queries for r in results]),
                "requests": _spread([r.requests for r in results]),
                "words changed": _spread([len(space.changed(r.state)) for r in results], "{:g}"),
                **_by_level(space, lane),
                lane.rules.measure.title.lower(): _best(lane),
                "seconds": _seconds(lane, [r.seconds for r in results]),
                "of these waiting for the victim": _seconds(lane, waiting),
            }
        )
    return rows


def _by_level(space: SearchSpace, lane: Lane) -> dict[str, str]:
    """How many seeds succeed with words up to each level, where the substitutes have levels."""
    levels = ladder.levels(space)
    if levels <= {ladder.ANY}:
        return {}
    won = [ladder.loosest(space, run.result.state) for run in lane.wins if run.result]
    return {
        f"with {ladder.NAMES[level]} words": f"{sum(found <= level for found in won)}"
        for level in sorted(levels)
    }


def table_html(rows: Sequence[Mapping[str, str]]) -> str:
    """The table with every piece of text escaped."""
    cells = [[escape(value) for value in row.values()] for row in rows]
    return highlight.table("Results", list(rows[0]), cells)


def _seconds(lane: Lane, seconds: Sequence[float]) -> str:
    """Times that were measured here; those of a recording are another machine's."""
    return RECORDED if any(run.recorded for run in lane.runs) else _spread(seconds, "{:,.2f}")


def _spread(values: Sequence[float], look: str = "{:,.0f}") -> str:
    """The median of values, and from the least to the most where they differ."""
    if not values:
        return ""
    middle, least, most = (look.format(f(values)) for f in (median, min, max))
    return middle if least == most else f"{middle} ({least} to {most})"


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
            "seconds": None if run.recorded else result.seconds,
            "victim_seconds": None if run.recorded else result.forward_seconds,
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
