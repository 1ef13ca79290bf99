"""Attacks on four texts as an experiment writes them down, and measures that count."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.experiment.inputs import Input
from core.experiment.records import AttackRecord, Swap, VictimJudgement
from core.experiment.results import Results
from tests.toys.experiment import plan

TWELVE = "one two three four five six seven eight nine ten eleven twelve"


TEXTS = (TWELVE, TWELVE.removesuffix(" twelve"), TWELVE + " more", TWELVE + " and more")


def record(
    row: int, search: str, status: str, queries: int, swaps: int = 0, seed: int = 0
) -> AttackRecord:
    return AttackRecord(
        *(row, "toy", "toy", "untargeted", search, seed, status),
        queries,
        queries * 2,
        words=len(TEXTS[row - 1].split()),
        substitutes=3,
        swaps=tuple(Swap(at, f"x{at}") for at in range(swaps)),
        start=0.1,
        score=0.9,
        answer="negative",
        first=queries // 2 if status == "success" else 0,
    )


def results(*attacks: AttackRecord, **changes: Any) -> Results:
    what = plan(
        **{"searches": ["ls", {"method": "pso", "seeds": 2}], "goals": ["untargeted"], **changes}
    )
    inputs = {row: Input(row, text, ("positive",)) for row, text in enumerate(TEXTS, start=1)}
    return Results(
        what,
        inputs,
        (),
        {("toy", row): VictimJudgement("toy", row, "positive", True) for row in inputs},
        attacks,
    )


LS = (
    record(1, "ls", "success", 10, swaps=3),
    record(2, "ls", "over_limit", 20, swaps=3),
    record(3, "ls", "success", 30, swaps=1),
    record(4, "ls", "budget", 40),
)


PSO = (
    *(record(row, "pso", "success", 50, swaps=2, seed=0) for row in (1, 2, 3, 4)),
    *(record(row, "pso", "failed", 100, seed=1) for row in (2, 4)),
    *(record(row, "pso", "success", 100, swaps=2, seed=1) for row in (1, 3)),
    record(4, "pso", "error", 0, seed=2),
)


class Letters:
    """Counts the letter x: errors of a text that can be counted by hand."""

    def scores(self, texts: Sequence[str]) -> NDArray[np.float64]:
        assert len(set(texts)) == len(texts)
        return np.array([float(text.count("x")) for text in texts])


class Surprise:
    """exp of the mean surprise of a model that knows two words: one, p = 1/2, and all else, 1/8."""

    def scores(self, texts: Sequence[str]) -> NDArray[np.float64]:
        surprise = [[np.log(2) if w == "one" else np.log(8) for w in t.split()] for t in texts]
        return np.array([np.exp(np.mean(each)) for each in surprise])
