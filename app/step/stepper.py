"""Stepping through a trace in the browser: the trace as compact data, and its component."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import streamlit as st

from app.shared import choices, pickers
from app.shared.components import columns_of, component
from core import SEARCHES
from core.attack import Trace
from core.narrate import KINDS, moved
from core.objective import Candidate
from core.search.card import Card, Population
from core.space import NONE, Moves, SearchSpace, State
from core.story import (
    NarratedStep,
    certificate,
    narrate,
    outcome,
    pseudocode,
    remark,
    rules_of,
    search_of,
)

SCALE = 100_000  # gains travel as whole numbers
DETAILED = 300  # whole sentences per step, up to which each is shown in detail
REACHED = {"success": "goal reached", "over_limit": "too many words: no success"}
SHADED = 5  # substitutes of a word that a population keeps in view

UNSEEN = "This search is told no score: the scores, in grey, are for your eyes alone."

_component = component("stepper")


def stepper(data: Mapping[str, Any], *, key: str, on_step: Callable[[], None]) -> None:
    """Draw the stepper; the step that is shown is found in ``st.session_state[key]["step"]``."""
    _component(data=data, key=key, on_step_change=on_step)


def opened(data: Mapping[str, Any]) -> int:
    """The step to open at: a link's on the first visit, else where this trace was left."""
    known = st.session_state.get("step.of")
    if known != data["id"] or pickers.came_back():
        is_link = not known or pickers.came_back()
        linked = st.query_params.get("step", "") if is_link else ""
        st.session_state["step.of"] = data["id"]
        fits = linked.isdecimal() and len(linked) < 10
        st.session_state["step.at"] = int(linked) if fits else 0
    at: int = st.session_state["step.at"]
    return max(0, min(at, len(data["steps"]) - 1))


def stepper_data(trace: Trace) -> dict[str, Any]:
    """Everything the stepper shows, as plain data."""
    space, result, search = trace.space, trace.result, search_of(trace)
    rules = rules_of(trace)
    story = narrate(space, result.steps, search, result.status, rules)
    card = choices.card(search)
    climbs, population = card.compares_all, card.population
    used = {kind for one in story[1:] for kind in KINDS if len(one.tried.of(kind))}
    steps = [_step(one, population) for one in story]
    return {
        "id": f"{hash((space, search, result.state, result.queries, result.requests, len(steps)))}",
        "columns": _columns(space, story if climbs else ()),
        "gaps": space.gaps,
        "labels": [],
        "range": max((abs(gain) for gain in _singles(story).values()), default=0) if climbs else 0,
        "base": story[0].step.current.score,
        "keep": _keep(space, story, steps),
        "code": [(line.number, line.indent, line.text) for line in pseudocode(trace)],
        "title": rules.measure.title,
        "measure": rules.measure.name,
        "digits": rules.measure.digits(),
        "kinds": [kind for kind in KINDS if kind in used or (climbs and kind in KINDS[:3])],
        "population": population.shades if population else "",
        "unseen": UNSEEN if card.sees == "labels" else "",
        "steps": steps,
        "status": result.status,
        "outcome": outcome(trace),
        "certificate": certificate(space, result.steps, search, result.status),
        "complement": remark(space, result.steps, search, result.status),
        "no_guess": no_guess(card),
    }


def no_guess(card: Card) -> str:
    """Why the next move of a search cannot be predicted; empty if it can."""
    if card.compares_all:
        return ""
    titles = [one.card.title.lower() for one in SEARCHES.values() if one.card.compares_all]
    others = f"Prediction needs a search that compares every change: {' or '.join(titles)}."
    return card.no_guess or others


def _step(one: NarratedStep, population: Population | None) -> dict[str, Any]:
    step, before = one.step, one.tried.before
    data: dict[str, Any] = {
        "kind": step.kind,
        "said": one.sentence,
        "lines": one.lines,
        "state": step.current.state,
        "score": step.current.score,
        "digits": one.digits,
        "reached": REACHED.get(one.status, ""),
        "queries": step.queries,
        "requests": step.requests,
        "before": before.score,
        "moved": moved(before.state, step),
        "threshold": one.tried.threshold,
        "moves": {kind: _moves(one, kind) for kind in KINDS if len(one.tried.of(kind))},
        "chosen": _chosen(one),
    }
    if population:
        data["shades"] = _shades(step.frontier) if len(step.frontier) > 1 else {}
        own = {name for best in one.own if population.remembers for name in _names(best)}
        data["marks"] = {
            **dict.fromkeys(own, "own"),
            **dict.fromkeys(_names(step.current), "elite"),
        }
    return data


def _moves(one: NarratedStep, kind: str) -> dict[str, Any]:
    """The moves of a kind as columns; ``null`` is a gain that a hard limit forbids to know."""
    numbers = one.tried.of(kind)
    moves = one.step.tried.moves[numbers]
    gains = one.tried.gains[numbers]
    whole = np.round(np.where(np.isfinite(gains), gains, 0.0) * SCALE).astype(int).tolist()
    finite = np.isfinite(gains).tolist()
    data: dict[str, Any] = {
        "gain": [gain if known else None for gain, known in zip(whole, finite, strict=True)]
    }
    if kind == "several" or (moves.position == NONE).any():
        if len(moves) <= DETAILED:
            data["sets"] = _differences(one.tried.before.state, moves)
        return data
    data["at"] = moves.position.tolist()
    data["to"] = moves.choice.tolist()
    data["was"] = moves.bases[moves.base, moves.position].tolist()
    if (moves.restored != NONE).any():
        data["back"] = moves.restored.tolist()
    return data


def _differences(before: State, moves: Moves) -> list[list[int]]:
    """Where sentences differ from the one before: positions and choices in one flat list each."""
    rows = moves.matrix
    differs = rows != np.array(before)
    at = [np.flatnonzero(row) for row in differs]
    return [np.stack([p, row[p]], axis=1).ravel().tolist() for p, row in zip(at, rows, strict=True)]


def _chosen(one: NarratedStep) -> tuple[str, int] | None:
    """The kind of the move that was taken, and its number among the moves of this kind."""
    number = one.tried.chosen
    if number is None:
        return None
    kind = KINDS[one.tried.kinds[number]]
    return kind, int(np.searchsorted(one.tried.of(kind), number))


def _shades(members: tuple[Candidate, ...]) -> dict[str, float]:
    """The share of a population that has each substitute."""
    counts = Counter(name for one in members for name in _names(one))
    return {name: round(number / len(members), 3) for name, number in counts.items()}


def _names(candidate: Candidate) -> list[str]:
    """The lattice's names of the substitutes in a sentence."""
    return [f"{at},{choice}" for at, choice in enumerate(candidate.state) if choice]


def _columns(space: SearchSpace, story: tuple[NarratedStep, ...]) -> list[dict[str, Any]]:
    """The columns of the lattice, with what each substitute gains alone where a sweep tells."""
    gains = _singles(story)
    columns = columns_of(space)
    for at, column in enumerate(columns):
        known = [gains.get((at, choice)) for choice in range(1, len(column["choices"]))]
        if known and None not in known:
            column["gains"] = [None, *known]
    return columns


def _singles(story: tuple[NarratedStep, ...]) -> dict[tuple[int, int], float]:
    """What each substitute gains on its own, which the first sweep of a climbing search tells."""
    if len(story) < 2:
        return {}
    tried, moves = story[1].tried, story[1].step.tried.moves
    return {
        (int(moves.position[i]), int(moves.choice[i])): round(float(tried.gains[i]), 5)
        for i in tried.of("insert")
        if np.isfinite(tried.gains[i])
    }


def _keep(
    space: SearchSpace, story: tuple[NarratedStep, ...], steps: list[dict[str, Any]]
) -> list[list[int]]:
    """The substitutes that must stay in view: those taken and those a population favours."""
    keep = [{one.step.current.state[at] for one in story} for at in range(len(space.choices))]
    most: Counter[str] = Counter()
    for step in steps:
        most |= Counter(step.get("shades", {}))
    favoured: Counter[int] = Counter()
    for name, _ in most.most_common():
        at, choice = map(int, name.split(","))
        favoured[at] += 1
        if favoured[at] <= SHADED:
            keep[at].add(choice)
    return [sorted(choices) for choices in keep]
