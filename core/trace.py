"""A finished attack: rows for tables, curves for plots, files that replay without a victim."""

import json
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from core.attack import AttackResult, Status
from core.errors import InputError
from core.objective import Candidate, Candidates, Floats, Kind, Step
from core.space import HIDDEN, NONE, Ints, Moves, SearchSpace, State

FORMAT = "swapscope-trace-1"
SUFFIXES = (".json", ".npz")

# What a file that is damaged, or not a trace at all, makes the readers raise.
_NOT_OURS = (
    *(ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, EOFError),
    *(NotImplementedError, RecursionError, zipfile.BadZipFile, zlib.error),
)


@dataclass(frozen=True)
class Trace:
    """A space, what happened in it, and what it was (victim, search, seed and so on)."""

    space: SearchSpace
    result: AttackResult
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def nbytes(self) -> int:
        """About the memory that its steps take; traces of one question share their space."""
        return sum(step.nbytes for step in self.result.steps)


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


def at_queries(steps: Sequence[Step], queries: int) -> Step:
    """The step a search had reached after so many queries."""
    return next((step for step in reversed(steps) if step.queries <= queries), steps[0])


def save(trace: Trace, path: Path) -> None:
    """Write a trace as ``.json`` or ``.npz``, whole or not at all."""
    if path.suffix not in SUFFIXES:
        raise InputError(f'A trace is saved as .json or .npz, not as "{path.name}".')
    part = path.with_name(path.name + ".part")
    try:
        if path.suffix == ".npz":
            header, arrays = _pack(trace)
            packed = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
            with part.open("wb") as file:
                np.savez_compressed(file, allow_pickle=False, header=packed, **arrays)
        else:
            part.write_text(dumps(trace), encoding="utf-8")
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise InputError(f"Could not write {path}: {error.strerror or error}.") from error


def dumps(trace: Trace) -> str:
    """A trace as the text of a ``.json`` file."""
    header, arrays = _pack(trace)
    lists = {name: _finite(array.tolist()) for name, array in arrays.items()}
    return json.dumps({**header, "arrays": lists})


def load(path: Path) -> Trace:
    """Read a trace that ``save`` wrote; any other file is refused with a reason."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"Could not read {path}: {error.strerror or error}.") from error
    return loads(data, str(path))


def loads(data: bytes, name: str) -> Trace:
    """A trace from the bytes of a file with this name."""
    try:
        if name.endswith(".npz"):
            with np.load(BytesIO(data), allow_pickle=False) as file:
                arrays = {key: file[key] for key in file.files if key != "header"}
                header = json.loads(file["header"].tobytes())
        else:
            header = json.loads(data.decode())
            arrays = {key: _array(values) for key, values in header.pop("arrays").items()}
        if header["format"] != FORMAT:
            raise InputError(f"{name} was written in another format: {header['format']}.")
        return _unpack(header, arrays)
    except _NOT_OURS as error:
        raise InputError(f"{name} is not a Swapscope trace ({error}).") from error


def _finite(values: list[Any]) -> list[Any]:
    """JSON has no infinity: a state beyond the limit is written as null."""
    return [None if value == -np.inf else value for value in values]


def _array(values: list[Any]) -> NDArray[Any]:
    if None in values:
        return np.nan_to_num(np.array(values, dtype=np.float64), nan=-np.inf)
    return np.array(values)


def _pack(trace: Trace) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """A JSON header and flat arrays; the arrays of all steps lie one after the other."""
    steps, width = trace.result.steps, len(trace.space.choices)
    header = {
        "format": FORMAT,
        "about": dict(trace.about),
        "space": asdict(trace.space),
        "kinds": [step.kind for step in steps],
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
        **_pack_candidates("frontier", frontier, width),
    }
    tried = [step.tried for step in steps]
    for name in ("bases", "base", "position", "choice", "restored"):
        arrays[name] = np.concatenate([getattr(part.moves, name) for part in tried])
    for name in ("scores", "successes", "fresh"):
        arrays[name] = np.concatenate([getattr(part, name) for part in tried])
    return header, arrays


def _unpack(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Trace:
    columns = header["space"]
    space = SearchSpace(
        tuple(map(tuple, columns["choices"])),
        tuple(columns["gaps"]),
        tuple(map(tuple, columns["reasons"])),
        tuple(columns["notes"]),
    )
    _check(space, header, arrays)
    steps = tuple(_unpack_steps(header["kinds"], arrays, len(space.choices)))
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
    return Trace(space, result, dict(header["about"]))


def _check(
    space: SearchSpace, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Refuse what no attack could have written; a file may come from anywhere."""
    kinds, status = header["kinds"], header["result"]["status"]
    _demand(kinds[-1] == "end" and set(kinds) <= set(get_args(Kind)), "unknown steps")
    _demand(status in get_args(Status), "unknown status")
    flips = bool(arrays["current_success"][-1])
    _demand(flips or status not in ("success", "over_limit"), "a success that is none")
    counts = {name: arrays[f"{name}_count"] for name in ("frontier", "tried", "bases")}
    _demand(all((count >= 0).all() for count in counts.values()), "negative counts")
    lengths = {
        **dict.fromkeys(("current", "best"), len(kinds)),
        "frontier": int(counts["frontier"].sum()),
    }
    for name, length in lengths.items():
        for part in ("state", "score", "success"):
            _demand(len(arrays[f"{name}_{part}"]) == length, f"{name} of another length")
        _demand(_inside(arrays[f"{name}_state"], space, lowest=0), f"{name} outside the space")
    for name in ("base", "position", "choice", "restored", "scores", "successes", "fresh"):
        _demand(len(arrays[name]) == counts["tried"].sum(), f"{name} of another length")
    _demand(len(arrays["bases"]) == counts["bases"].sum(), "bases of another length")
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
    asked = np.concatenate([[0], np.cumsum(arrays["fresh"])])[ends]
    _demand(np.array_equal(arrays["requests"], ends), "requests that do not add up")
    _demand(np.array_equal(arrays["queries"], asked), "queries that do not add up")


def _demand(fine: bool, fault: str) -> None:
    if not fine:
        raise ValueError(fault)


def _inside(states: NDArray[Any], space: SearchSpace, lowest: int) -> bool:
    rows = states.reshape(-1, len(space.choices))
    return bool(((rows >= lowest) & (rows <= space.counts)).all())


def _unpack_steps(
    kinds: Sequence[Kind], arrays: Mapping[str, NDArray[Any]], width: int
) -> Iterator[Step]:
    current = _unpack_candidates("current", arrays)
    best = _unpack_candidates("best", arrays)
    frontier = _unpack_candidates("frontier", arrays)
    bases = arrays["bases"].astype(np.int32).reshape(-1, width)
    first_frontier = first_tried = first_base = 0
    for number, kind in enumerate(kinds):
        frontier_end = first_frontier + int(arrays["frontier_count"][number])
        tried = slice(first_tried, first_tried + int(arrays["tried_count"][number]))
        rows = slice(first_base, first_base + int(arrays["bases_count"][number]))
        moves = Moves(
            bases[rows],
            *(
                arrays[name][tried].astype(np.int32)
                for name in ("base", "position", "choice", "restored")
            ),
        )
        yield Step(
            kind,
            current[number],
            Candidates(
                moves,
                arrays["scores"][tried].astype(np.float64),
                arrays["successes"][tried].astype(bool),
                arrays["fresh"][tried].astype(bool),
            ),
            tuple(frontier[first_frontier:frontier_end]),
            best[number],
            int(arrays["queries"][number]),
            int(arrays["requests"][number]),
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
    columns = (arrays[f"{name}_{part}"].tolist() for part in ("state", "score", "success"))
    return [
        Candidate(tuple(state), score, success)
        for state, score, success in zip(*columns, strict=True)
    ]
