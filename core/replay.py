"""Old traces do not tell their phases: their search runs again on the recorded answers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.attack import AttackResult
from core.errors import InputError, require
from core.objective import (
    INTERRUPTED,
    Bools,
    Candidates,
    Floats,
    Goal,
    Interrupted,
    Objective,
    Step,
)
from core.options import configure, settings
from core.search import SEARCHES, Search
from core.space import Moves, SearchSpace

LIMIT: Final = 0.25  # of changed words: what searches had as their own when those traces were saved
CUT_SHORT: Final = ("budget", "cancelled")  # the attack has made the last stop
LARGEST: Final = 10_000  # particles, draws and the like that a file may ask for beyond its requests


def with_phases(
    space: SearchSpace, result: AttackResult, about: Mapping[str, Any]
) -> tuple[Step, ...]:
    """The steps of a result with the phases and bases that their search gives them.

    A search that cannot be run again, or does something else now, leaves them unknown.
    """
    try:
        return tuple(_steps_again(space, result, about))
    except Exception:  # what a file from anywhere asks for may fail in any way
        return tuple(_only_interrupted(result)) if len(result.steps) > 1 else result.steps


def _steps_again(space: SearchSpace, result: AttackResult, about: Mapping[str, Any]) -> list[Step]:
    """The steps with what the search says of its own, and what the attack does of the last ones."""
    steps = result.steps
    again, ended = _run_again(space, steps, about)
    if result.status in CUT_SHORT:
        del again[len(steps) - 2 :]
    marks = [(step.phase, step.base) for step in again]
    if [step.kind for step in steps[len(again) :]] == ["stop", "end"]:
        marks.append((INTERRUPTED, again[-1].current))
    else:
        require(ended and len(again) == len(steps) - 1, "The search does something else now.")
    marks.append((f"end after {marks[-1][0]}", steps[-2].current))
    return [
        replace(step, phase=phase, base=base)
        for step, (phase, base) in zip(steps, marks, strict=True)
    ]


def _run_again(
    space: SearchSpace, steps: Sequence[Step], about: Mapping[str, Any]
) -> tuple[list[Step], bool]:
    """The first steps that are the same again, and whether the search has ended with them."""
    search, ledger = _search(about, steps[-1].requests), _ledger(space, steps, about)
    again: list[Step] = []
    try:
        for step in search(space, ledger, Random(str(about.get("seed", 0)))):
            if not _same(step, steps[len(again)]):
                return again, False
            again.append(step)
            if step.kind == "start" and step.current.success:
                break  # there is nothing to attack
    except Interrupted:
        return again, False
    return again, True


def _search(about: Mapping[str, Any], requests: int) -> Search:
    """The search with its settings, none of which makes more work than was recorded."""
    search, texts = SEARCHES[about["search"]](), about.get("search_option") or ()
    for name, value in settings(search, texts).items():
        most = max(LARGEST, requests)
        require(isinstance(value, str) or abs(value or 0) <= most, f"{name} is too large.")
    return configure(search, texts)


def _ledger(space: SearchSpace, steps: Sequence[Step], about: Mapping[str, Any]) -> Objective:
    """A ledger that knows the recorded answers, and ends where the record does."""
    end, most = steps[-1], space.allowed(about.get("max_changed", LIMIT))
    own = dict(text.split("=", 1) for text in about.get("search_option") or ())
    allowed = space.allowed(float(own.get("limit", LIMIT)))
    ledger = Objective(
        space,
        _recorded(space, steps),
        budget=end.queries,
        cancelled=lambda: ledger.requests > end.requests,
        most=most if about.get("hard_limit") else None,
        allowed=allowed,
    )
    return ledger


def _recorded(space: SearchSpace, steps: Sequence[Step]) -> Goal:
    """A goal that is answered from what a trace has tried."""
    tried = Candidates.join([step.tried for step in steps], len(space.choices))
    keys, rows = np.unique(space.keys(tried.moves), return_index=True)

    def ask(moves: Moves) -> NDArray[Any]:
        wanted = space.keys(moves)
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        if not np.array_equal(keys[at], wanted):
            raise InputError("The trace does not have this sentence.")
        return rows[at]

    def judge(found: NDArray[Any]) -> tuple[Floats, Bools]:
        return tried.scores[found], tried.successes[found]

    return Goal(lambda moves: moves, ask, judge, verify=lambda state: False)


def _same(one: Step, other: Step) -> bool:
    """Whether two steps are equal but for what old traces do not tell."""
    return replace(one, phase="", base=None) == replace(other, phase="", base=None)


def _only_interrupted(result: AttackResult) -> Sequence[Step]:
    """The steps without phases, but for one that can be known: the attack itself has made it."""
    *own, stop, end = result.steps
    if result.status in CUT_SHORT and own and stop.kind == "stop":
        stop = replace(stop, phase=INTERRUPTED, base=own[-1].current)
    return [*own, stop, end]
