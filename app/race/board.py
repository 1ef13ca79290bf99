"""The board of a race: one small lattice for each search, all moved by one cursor over queries."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import streamlit as st

from app.race.lanes import UNDER_WAY, Lane
from app.shared import pickers
from app.shared.components import columns_of, component, heard, whole_number
from core import SearchSpace
from core.endings import ending
from core.objective import Step

MUCH: Final = 0.2  # of a population, for a word to be drawn

_component = component("board")


def board(data: Mapping[str, Any], *, key: str, on_move: Callable[[], None]) -> None:
    """Draw the board; where its cursor is left is found in ``st.session_state[key]["at"]``."""
    _component(data=data, key=key, on_at_change=on_move)


def opened(race: str) -> int | None:
    """Where the cursor is: where a link or the visitor has put it, or None to follow the race."""
    known = st.session_state.get("race.of")
    if known != race or pickers.came_back():
        is_link = not known or pickers.came_back()
        linked = st.query_params.get("at", "") if is_link else ""
        st.session_state["race.of"] = race
        fits = linked.isdecimal() and len(linked) < 10
        st.session_state["race.at"] = int(linked) if fits else None
    at: int | None = st.session_state["race.at"]
    return at


def moved() -> None:
    """Take over where the cursor was left."""
    st.session_state["race.at"] = whole_number(heard("race.board", "at"))


def board_data(space: SearchSpace, lanes: Sequence[Lane], limit: float) -> dict[str, Any]:
    """What the board shows at every number of queries.

    The lattices are small: they have only the words that some search has held, numbered anew.
    """
    shown = [lane for lane in lanes if lane.first.steps]
    used = held(space, shown)
    return {
        "id": str(hash((space.choices, space.gaps, tuple(lane.search for lane in lanes)))),
        "columns": columns_of(space, used),
        "gaps": space.gaps,
        "most": furthest(lanes),
        "allowed": space.allowed(limit),
        "lanes": [_lane(space, lane, used) for lane in shown],
    }


def held(space: SearchSpace, lanes: Sequence[Lane]) -> list[list[int]]:
    """For each word the original and the substitutes that a search, or much of one, has held."""
    used: list[set[int]] = [{0} for _ in space.choices]
    for step in (step for lane in lanes for step in lane.first.steps):
        for position, choice in enumerate(step.current.state):
            used[position].add(choice)
        for (position, choice), share in _crowd(step).items():
            if share >= MUCH:
                used[position].add(choice)
    return [sorted(choices) for choices in used]


def furthest(lanes: Sequence[Lane]) -> int:
    """The end of the query axis: the most queries of a run that is drawn."""
    return max((lane.first.steps[-1].queries for lane in lanes if lane.first.steps), default=1)


def _lane(space: SearchSpace, lane: Lane, used: Sequence[Sequence[int]]) -> dict[str, Any]:
    numbers = [{choice: number for number, choice in enumerate(choices)} for choices in used]
    frames = [_frame(space, step, numbers) for step in lane.first.steps]
    single, reached = len(lane.runs) == 1, lane.rules.reached
    return {
        "search": lane.search,
        "name": lane.name if single else f"{lane.name}, the first of {len(lane.runs)} seeds",
        "colour": lane.card.colour,
        "dash": lane.card.dash,
        "end": "" if lane.first.status in UNDER_WAY else lane.ending,
        "success": reached,
        "over": ending("over_limit", reached),
        "measure": lane.rules.measure.noun,
        "digits": lane.rules.measure.digits(),
        "unseen": not lane.sees_scores,  # its scores are grey: it must not see them
        "population": any(len(step.frontier) > 1 for step in lane.first.steps),
        "frames": frames,
    }


def _frame(space: SearchSpace, step: Step, numbers: Sequence[Mapping[int, int]]) -> dict[str, Any]:
    """What a search holds once a step is done, and how its population is spread over the words."""
    now = step.current
    return {
        "queries": step.queries,
        "state": [known[choice] for known, choice in zip(numbers, now.state, strict=True)],
        "score": now.score,
        "flips": now.success,
        "changed": len(space.changed(now.state)),
        "shades": {
            f"{at},{numbers[at][choice]}": round(share, 3)
            for (at, choice), share in _crowd(step).items()
            if choice in numbers[at]
        },
    }


def _crowd(step: Step) -> dict[tuple[int, int], float]:
    """The share of a population that has each substitute."""
    size = len(step.frontier)
    if size == 1:
        return {}
    words = (enumerate(member.state) for member in step.frontier)
    counts = Counter(one for member in words for one in member if one[1])
    return {one: count / size for one, count in counts.items()}
