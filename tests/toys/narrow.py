"""A trace of zeros that take a byte each in its file, and many times that once they are read."""

import io
import json

import numpy as np

from core import SearchSpace, trace
from core.attack import AttackResult, Trace
from core.objective import Candidate, Candidates, Step
from core.space import Moves

STATES = ("current", "best", "base", "frontier")


def narrow_trace(steps: int, words: int, frontier: int) -> bytes:
    """An npz file with so many steps, words, and members of a population in the first step."""
    space = SearchSpace.from_choices([["a"]] * words)
    here, none = Candidate(space.origin, 0.0, False), np.zeros(0, bool)
    tried = Candidates(Moves.of([], words), np.zeros(0), none, none)
    step = Step("end", here, tried, (here,), here, 0, 0, "end", here)
    result = AttackResult(here.state, "", 0.0, False, 0, 0, "failed", (step,))
    with np.load(io.BytesIO(trace.packed(Trace(space, result)))) as file:
        arrays = {name: file[name] for name in file.files}
    header = json.loads(arrays.pop("header").tobytes())
    header |= {"kinds": ["end"] * steps, "phases": ["end"] * steps}
    rows = {name: 0 if len(array) == 0 else steps for name, array in arrays.items()}
    rows |= {f"frontier_{part}": frontier for part in ("state", "score", "success")}
    for name, array in arrays.items():
        arrays[name] = np.zeros((rows[name], *array.shape[1:]), np.int8)
    arrays["frontier_count"] = np.zeros(steps, np.int32)
    arrays["frontier_count"][0] = frontier
    told = np.frombuffer(json.dumps(header).encode(), np.uint8)
    packed = io.BytesIO()
    np.savez_compressed(packed, allow_pickle=False, header=told, **arrays)
    return packed.getvalue()
