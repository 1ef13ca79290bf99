"""Small studies for the tests."""

from collections.abc import Sequence
from itertools import product
from random import Random

import numpy as np

from core.study import monitoring, organising, rating
from core.study.creating import StudyPlan
from core.study.database import Database
from core.study.design import Design
from core.study.items import Item
from core.study.rating import GivenAnswer

LABELS = ("negative", "positive")


def items(sources: int = 4, methods: tuple[str, ...] = ("ls", "pso")) -> list[Item]:
    """For each source one text a method, and the original."""
    made = []
    for number in range(sources):
        label, source = LABELS[number % 2], f"s{number}"
        made += [Item(f"text {number} by {m}", label, source, m) for m in methods]
        made.append(Item(f"text {number}", label, source, kind="original"))
    return made


CHECK = Item("I hated every minute.", "negative", kind="check", score=4)
PRACTICE = Item(
    "A lovely film.", "positive", kind="practice", score=4, feedback="A person wrote it."
)


def plan(
    name: str = "A study", sources: int = 4, design: Design | None = None, extra: bool = True
) -> StudyPlan:
    """A study of a few sentences, with a check and a practice item."""
    more = [CHECK, PRACTICE] if extra else []
    return StudyPlan(name, LABELS, (*items(sources), *more), design=design or Design(2, 6, seed=1))


def tokens(database: Database, study: str) -> list[str]:
    """A link for every rater."""
    raters = monitoring.rater_progress(database, study)
    return [organising.new_link(database, rater.id) for rater in raters]


def start(database: Database, token: str) -> None:
    """Consent and read the instructions."""
    rating.consent(database, token)
    rating.ready(database, token)


def rate_all(database: Database, token: str, label: str = "positive", score: int = 3) -> int:
    """Answer everything alike; gives how many answers it took."""
    start(database, token)
    answers = 0
    while task := rating.visit(database, token).task:
        assert rating.save(database, token, task, GivenAnswer(label, score), 5.0) == "saved"
        answers += 1
    return answers


def texts(count: int) -> tuple[Item, ...]:
    """Items that a rater can tell apart."""
    return tuple(Item(f"text {n}", LABELS[n % 2], f"s{n}", "ls") for n in range(count))


def answer_of(rater: int, text: str) -> GivenAnswer:
    """An answer that can be computed again when the test looks at what was stored."""
    drawn = Random(f"{rater} {text}")
    return GivenAnswer(drawn.choice(LABELS), drawn.randrange(5))


def second_alpha(units: Sequence[Sequence[int]], level: str) -> float:
    """Alpha from the coincidence matrix, written from Krippendorff's definition."""
    values = sorted({value for unit in units for value in unit})
    at = {value: index for index, value in enumerate(values)}
    matrix = np.zeros((len(values), len(values)))
    for unit in units:
        for (i, one), (j, other) in product(enumerate(unit), repeat=2):
            if i != j:
                matrix[at[one], at[other]] += 1 / (len(unit) - 1)
    totals = matrix.sum(axis=0)
    squared = np.zeros_like(matrix)
    for i, j in product(range(len(values)), repeat=2):
        if level == "nominal":
            squared[i, j] = i != j
        elif level == "interval":
            squared[i, j] = (values[i] - values[j]) ** 2
        else:
            low, high = min(i, j), max(i, j)
            squared[i, j] = (totals[low : high + 1].sum() - (totals[i] + totals[j]) / 2) ** 2
    expected = np.outer(totals, totals) - np.diag(totals)
    observed = (matrix * squared).sum()
    return float(1 - (totals.sum() - 1) * observed / (expected * squared).sum())
