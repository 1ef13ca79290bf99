"""A finished attack: rows for tables, curves for plots, files that replay without a victim."""

import io
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from core.attack import AttackResult, Trace
from core.errors import InputError
from core.objective import Candidate, Candidates, Floats, Kind, Status, Step
from core.replay import with_phases
from core.space import HIDDEN, NONE, Ints, Moves, SearchSpace, State
from core.text import MAX_WORDS
from core.untrusted import MALFORMED, TRACE, FileLimits, read_file, read_json, read_npz, reason

FORMAT = "swapscope-trace-2"
WITHOUT_PHASES = "swapscope-trace-1"  # a step had neither phase nor base
SUFFIXES = (".json", ".npz")

# The arrays of a file by what they hold: numbers for each step, for each request, and states.
_PER_STEP: Final = ("queries", "requests", "frontier_count", "tried_count", "bases_count")
_PER_REQUEST: Final = ("base", "position", "choice", "restored", "scores", "successes", "fresh")
_CANDIDATES: Final = ("current", "best", "base", "frontier")
_FRONTIER: Final = tuple(f"frontier_{part}" for part in ("state", "score", "success"))
_STATES: Final = ("bases", *(f"{name}_state" for name in _CANDIDATES))
_SCORES: Final = ("scores", *(f"{name}_score" for name in _CANDIDATES))
_SWITCHES: Final = ("successes", "fresh", *(f"{name}_success" for name in _CANDIDATES))
_ARRAYS: Final = tuple(dict.fromkeys((*_PER_STEP, *_PER_REQUEST, *_STATES, *_SCORES, *_SWITCHES)))

# Beyond what any search does; each step, and each candidate of a frontier, becomes an object.
_MOST_STEPS: Final = 20_000
_MOST_CANDIDATES: Final = 500_000
_HIGHEST: Final = 1e12  # scores beyond it cannot be drawn
_MOST_CHOICES: Final = 5_000_000  # words times the substitutes of the word that has most
_MOST_CHARACTERS: Final = 50_000_000  # of the longest sentence, times the steps that may write it
_MOST_IN_JSON: Final = 8_000_000  # bytes of memory; as JSON they are not larger than may be read


class Curve(NamedTuple):
    """The best score so far: a point for each time it rises, and one for the end."""

    queries: Ints
    requests: Ints
    best: Floats


def rows(space: SearchSpace, steps: Sequence[Step]) -> list[dict[str, Any]]:
    """One plain row a step, for tables."""
    result = []
    before = steps[0].current
    for number, step in enumerate(steps):
        result.append(
            {
                "step": number,
                "kind": step.kind,
                "change": describe(space, before.state, step.current.state),
                "score": step.current.score,
                "gain": step.current.score - before.score,
                "success": step.current.success,
                "changed": len(space.changed(step.current.state)),
                "tried": len(step.tried),
                "queries": step.queries,
                "requests": step.requests,
                "text": space.text(step.current.state),
            }
        )
        before = step.current
    return result


def describe(space: SearchSpace, before: State, after: State) -> str:
    """What a step changed, as ``love → like``."""
    return ", ".join(
        f"{column[old]} → {column[new]}"
        for column, old, new in zip(space.choices, before, after, strict=True)
        if old != new
    )


def curve(steps: Sequence[Step]) -> Curve:
    """The best score against queries and requests, exact to the single request."""
    tried = Candidates.join([step.tried for step in steps], len(steps[0].current.state))
    scores = np.where(tried.moves.hidden, -np.inf, tried.scores)
    best = np.maximum.accumulate(scores)
    queries = np.cumsum(tried.fresh, dtype=np.int32)
    requests = np.arange(1, len(tried) + 1, dtype=np.int32)
    rises = np.diff(best, prepend=-np.inf) > 0
    rises[-1:] = True
    return Curve(queries[rises], requests[rises], best[rises])


def first_success(steps: Sequence[Step], most: int) -> int | None:
    """The number of the query that first met a success with at most so many changed words."""
    asked = 0
    for step in steps:
        moves = step.tried.moves
        good = step.tried.successes & ~moves.hidden & (moves.changed <= most)
        if good.any():
            return asked + int(step.tried.fresh[: int(np.argmax(good)) + 1].sum())
        asked = step.queries
    return None


def at_queries(steps: Sequence[Step], queries: int) -> Step:
    """The step a search had reached after so many queries."""
    return next((step for step in reversed(steps) if step.queries <= queries), steps[0])


def save(trace: Trace, path: Path) -> None:
    """Write a trace as ``.json`` or ``.npz``, whole or not at all."""
    if path.suffix not in SUFFIXES:
        raise InputError(f'A trace is saved as .json or .npz, not as "{path.name}".')
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(packed(trace) if path.suffix == ".npz" else dumps(trace).encode())
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise InputError(f"Could not write {path}: {error.strerror or error}.") from error


def dumps(trace: Trace) -> str:
    """A trace as the text of a ``.json`` file."""
    header, arrays = _pack(trace)
    lists = {name: _finite(array.tolist()) for name, array in arrays.items()}
    return json.dumps({**header, "arrays": lists})


def packed(trace: Trace) -> bytes:
    """A trace as the bytes of a ``.npz`` file."""
    header, arrays = _pack(trace)
    encoded = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, header=encoded, **arrays)
    return file.getvalue()


def fits_json(trace: Trace) -> bool:
    """Whether a ``.json`` file of it can be opened again; if not, a ``.npz`` file can."""
    return trace.nbytes + trace.space.nbytes <= _MOST_IN_JSON


def load(path: Path, limits: FileLimits = TRACE) -> Trace:
    """Read a trace that ``save`` wrote; any other file is refused with a reason."""
    return loads(read_file(path, limits), str(path), limits)


def loads(data: bytes, name: str, limits: FileLimits = TRACE) -> Trace:
    """A trace from the bytes of a file with this name; what is too large is never unpacked."""
    try:
        if name.endswith(".npz"):
            arrays: dict[str, Any] = read_npz(data, name, ("header", *_ARRAYS), limits)
            header = read_json(arrays.pop("header").tobytes(), name, limits)
        else:
            header = read_json(data, name, limits)
            _demand(isinstance(header, dict), "it is no object in { }")
            arrays = header.pop("arrays")
        if header["format"] == WITHOUT_PHASES:
            header, arrays = _as_of_today(header, arrays)
        if header["format"] != FORMAT:
            other = reason(header["format"])
            raise InputError(f"{name} was written in another format: {other}.")
        return _unpack(header, {key: _array(key, arrays[key]) for key in _ARRAYS})
    except MALFORMED as error:
        raise InputError(f"{name} is not a Swapscope trace ({reason(error)}).") from error


def _finite(values: list[Any]) -> list[Any]:
    """JSON has no infinity: a state beyond the limit is written as null."""
    return [None if value == -np.inf else value for value in values]


def _array(name: str, values: list[Any] | NDArray[Any]) -> NDArray[Any]:
    """Values of a file in the type that is used here; the type is named, never found out.

    To find it out numpy would give every value of a list as much room as the longest text in it.
    Nothing is widened: so the limit of bytes in a file also holds for what is made of them.
    """
    listed = isinstance(values, list)
    least = 1 if name in _SWITCHES else 8 if name in _SCORES else 4
    wide = isinstance(values, list) or values.itemsize >= least
    _demand(wide, f"{name} of fewer bytes than Swapscope writes")
    if name in _SWITCHES:
        return np.asarray(values, dtype=bool)
    if name in _SCORES:
        scores = np.asarray(values, dtype=np.float64)
        if listed:
            scores = np.nan_to_num(scores, nan=-np.inf)  # null
        usual = np.abs(scores) <= _HIGHEST
        if name in ("scores", "frontier_score"):
            usual |= scores == -np.inf  # beyond a hard limit
        _demand(bool(usual.all()), f"{name} that no search compares")
        return scores
    numbers = np.asarray(values, dtype=np.int64 if listed else None)
    _demand(numbers.dtype.kind in "iu", f"{name} that are no whole numbers")
    fits = (numbers >= HIDDEN) & (numbers < 2**31)
    _demand(bool(fits.all()), f"{name} that are negative or too large")
    return numbers.astype(np.int32, copy=False)


def _pack(trace: Trace) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """A JSON header and flat arrays; the arrays of all steps lie one after the other."""
    steps, width = trace.result.steps, len(trace.space.choices)
    header = {
        "format": FORMAT,
        "about": dict(trace.about),
        "space": asdict(trace.space),
        "kinds": [step.kind for step in steps],
        "phases": [step.phase for step in steps],
        "result": {
            "status": trace.result.status,
            "seconds": trace.result.seconds,
            "forward_seconds": trace.result.forward_seconds,
        },
    }
    frontier = [candidate for step in steps for candidate in step.frontier]
    arrays: dict[str, NDArray[Any]] = {
        "queries": np.array([step.queries for step in steps], dtype=np.int32),
        "requests": np.array([step.requests for step in steps], dtype=np.int32),
        "frontier_count": np.array([len(step.frontier) for step in steps], dtype=np.int32),
        "tried_count": np.array([len(step.tried) for step in steps], dtype=np.int32),
        "bases_count": np.array([len(step.tried.moves.bases) for step in steps], dtype=np.int32),
        **_pack_candidates("current", [step.current for step in steps], width),
        **_pack_candidates("best", [step.best for step in steps], width),
        **_pack_candidates("base", [step.base or step.current for step in steps], width),
        **_pack_candidates("frontier", frontier, width),
    }
    tried = [step.tried for step in steps]
    for name in ("bases", "base", "position", "choice", "restored"):
        arrays[name] = np.concatenate([getattr(part.moves, name) for part in tried])
    for name in ("scores", "successes", "fresh"):
        arrays[name] = np.concatenate([getattr(part, name) for part in tried])
    return header, arrays


def _as_of_today(
    header: Mapping[str, Any], arrays: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A file of the first format as one of today in which no step tells its phase."""
    bases = {f"base_{part}": arrays[f"current_{part}"] for part in ("state", "score", "success")}
    phases = [""] * len(header["kinds"])
    return {**header, "format": FORMAT, "phases": phases}, {**arrays, **bases}


def _unpack(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Trace:
    space = _space(header["space"])
    _check(space, header, arrays)
    steps = tuple(_unpack_steps(header, arrays, len(space.choices)))
    status: Status = header["result"]["status"]
    answer = steps[-1].current
    result = AttackResult(
        answer.state,
        space.text(answer.state),
        answer.score,
        status == "success",
        steps[-1].queries,
        steps[-1].requests,
        status,
        steps,
        float(header["result"]["seconds"]),
        float(header["result"]["forward_seconds"]),
    )
    about = dict(header["about"])
    if not all(step.phase for step in steps):
        result = replace(result, steps=with_phases(space, result, about))
    return Trace(space, result, about)


def _space(columns: Mapping[str, Any]) -> SearchSpace:
    """The space of a file, with as many reasons and notes as it has choices and words."""
    choices, gaps, reasons, notes = (
        columns[name] for name in ("choices", "gaps", "reasons", "notes")
    )
    texts = [*gaps, *notes, *(text for column in (*choices, *reasons) for text in column)]
    _demand(all(isinstance(text, str) for text in texts), "words that are no texts")
    widest = max(map(len, choices), default=0)
    _demand(
        len(choices) <= MAX_WORDS and len(choices) * widest <= _MOST_CHOICES,
        "a space larger than any attack has",
    )
    _demand(
        len(notes) == len(choices) and list(map(len, reasons)) == list(map(len, choices)),
        "reasons of another length",
    )
    return SearchSpace(
        tuple(map(tuple, choices)), tuple(gaps), tuple(map(tuple, reasons)), tuple(notes)
    )


def _check(
    space: SearchSpace, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Refuse what no attack could have written; a file may come from anywhere."""
    kinds, phases, status = header["kinds"], header["phases"], header["result"]["status"]
    _demand(len(kinds) <= _MOST_STEPS, f"more than {_MOST_STEPS:,} steps")
    longest = sum(map(len, space.gaps)) + sum(max(map(len, column)) for column in space.choices)
    _demand(len(kinds) * longest <= _MOST_CHARACTERS, "sentences too long for so many steps")
    _demand(kinds[-1] == "end" and set(kinds) <= set(get_args(Kind)), "unknown steps")
    _demand(isinstance(phases, list) and len(phases) == len(kinds), "phases of another length")
    _demand(all(isinstance(phase, str) and len(phase) < 200 for phase in phases), "odd phases")
    _demand(status in get_args(Status), "unknown status")
    counts = {name: arrays[f"{name}_count"] for name in ("frontier", "tried", "bases")}
    _demand(all((count >= 0).all() for count in counts.values()), "negative counts")
    sums = {name: int(count.sum(dtype=np.int64)) for name, count in counts.items()}
    _demand(sums["frontier"] <= _MOST_CANDIDATES, f"more than {_MOST_CANDIDATES:,} candidates")
    lengths = {
        **dict.fromkeys(_ARRAYS, len(kinds)),
        **dict.fromkeys(_PER_REQUEST, sums["tried"]),
        **dict.fromkeys(_FRONTIER, sums["frontier"]),
        "bases": sums["bases"],
    }
    for name, array in arrays.items():
        shape = (lengths[name], len(space.choices)) if name in _STATES else (lengths[name],)
        empty = not array.size and not lengths[name]  # JSON cannot tell how wide nothing is
        _demand(array.shape == shape or empty, f"{name} of another length")
    flips = bool(arrays["current_success"][-1])
    _demand(flips or status not in ("success", "over_limit"), "a success that is none")
    for name in _CANDIDATES:
        _demand(_inside(arrays[f"{name}_state"], space, lowest=0), f"{name} outside the space")
    _demand(_inside(arrays["bases"], space, lowest=HIDDEN), "bases outside the space")
    for name in ("position", "restored"):
        within = (arrays[name] >= NONE) & (arrays[name] < len(space.choices))
        _demand(bool(within.all()), f"{name} outside the text")
    most = np.where(arrays["position"] == NONE, HIDDEN, space.counts[arrays["position"]])
    fits = (arrays["choice"] >= HIDDEN) & (arrays["choice"] <= most)
    _demand(bool(fits.all()), "choices outside the space")
    rows = np.repeat(counts["bases"], counts["tried"])
    _demand(bool(((arrays["base"] >= 0) & (arrays["base"] < rows)).all()), "moves without a base")
    ends = np.cumsum(counts["tried"])
    expected = np.concatenate([[0], np.cumsum(arrays["fresh"])])[ends]
    _demand(np.array_equal(arrays["requests"], ends), "requests that do not add up")
    _demand(np.array_equal(arrays["queries"], expected), "queries that do not add up")


def _demand(fine: bool, fault: str) -> None:
    if not fine:
        raise ValueError(fault)


def _inside(states: NDArray[Any], space: SearchSpace, lowest: int) -> bool:
    rows = states.reshape(-1, len(space.choices))
    return bool(((rows >= lowest) & (rows <= space.counts)).all())


def _unpack_steps(
    header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], width: int
) -> Iterator[Step]:
    current = _unpack_candidates("current", arrays)
    best = _unpack_candidates("best", arrays)
    base = _unpack_candidates("base", arrays)
    frontier = _unpack_candidates("frontier", arrays)
    bases = arrays["bases"].reshape(-1, width)
    first_frontier = first_tried = first_base = 0
    for number, (kind, phase) in enumerate(zip(header["kinds"], header["phases"], strict=True)):
        frontier_end = first_frontier + int(arrays["frontier_count"][number])
        tried = slice(first_tried, first_tried + int(arrays["tried_count"][number]))
        rows = slice(first_base, first_base + int(arrays["bases_count"][number]))
        moves = Moves(
            bases[rows],
            *(arrays[name][tried] for name in ("base", "position", "choice", "restored")),
        )
        yield Step(
            kind,
            current[number],
            Candidates(
                moves,
                *(arrays[name][tried] for name in ("scores", "successes", "fresh")),
            ),
            tuple(frontier[first_frontier:frontier_end]),
            best[number],
            int(arrays["queries"][number]),
            int(arrays["requests"][number]),
            phase,
            base[number] if phase else None,  # neither is known of a step that was not replayed
        )
        first_frontier, first_tried, first_base = frontier_end, tried.stop, rows.stop


def _pack_candidates(
    name: str, candidates: Sequence[Candidate], width: int
) -> dict[str, NDArray[Any]]:
    states = np.array([candidate.state for candidate in candidates], dtype=np.int32)
    return {
        f"{name}_state": states.reshape(-1, width),
        f"{name}_score": np.array([candidate.score for candidate in candidates]),
        f"{name}_success": np.array([candidate.success for candidate in candidates], dtype=bool),
    }


def _unpack_candidates(name: str, arrays: Mapping[str, NDArray[Any]]) -> list[Candidate]:
    states, scores, successes = (arrays[f"{name}_{part}"] for part in ("state", "score", "success"))
    rows = zip(states, scores.tolist(), successes.tolist(), strict=True)
    return [Candidate(tuple(state.tolist()), score, success) for state, score, success in rows]
