"""The ratings that count, item by item: what all results are computed from."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy import select

from core.study.database import Database
from core.study.items import Item
from core.study.tables import Assignment, ItemRow, Rater, Rating


@dataclass(frozen=True)
class Judgement:
    """What one rater said about one item."""

    rater: str  # an id that tells raters apart
    label: str
    score: int


@dataclass(frozen=True)
class Judged:
    """An item with the judgements of all raters who count."""

    number: int
    item: Item
    judgements: tuple[Judgement, ...]

    @property
    def majority(self) -> str | None:
        """The label that more raters chose than any other; None for a tie or without ratings."""
        votes = Counter(judgement.label for judgement in self.judgements).most_common(2)
        tied = len(votes) == 2 and votes[0][1] == votes[1][1]
        return None if tied or not votes else votes[0][0]

    @property
    def tied(self) -> bool:
        """Whether raters disagree so that no label wins."""
        return bool(self.judgements) and self.majority is None

    @property
    def valid(self) -> bool:
        """Whether most raters still see the true label; a tie is no majority."""
        return self.majority == self.item.label

    @property
    def mean_score(self) -> Fraction:
        """The mean perceptibility, exactly."""
        return Fraction(sum(j.score for j in self.judgements), len(self.judgements))

    @property
    def disagreement(self) -> tuple[float, int]:
        """How split the labels are, and how far apart the scores; (0, 0) if all are alike."""
        votes = Counter(judgement.label for judgement in self.judgements)
        scores = [judgement.score for judgement in self.judgements]
        return 1 - max(votes.values()) / len(scores), max(scores) - min(scores)


def judged_items(database: Database, study: str) -> list[Judged]:
    """The adversarial and original items of a study, with the ratings that count."""
    with database.reading() as session:
        items = session.scalars(
            select(ItemRow).where(ItemRow.study_id == study).order_by(ItemRow.number)
        ).all()
        rows = session.execute(
            select(Assignment.item_id, Rater.id, Rating.label, Rating.score)
            .join(Rating, Rating.assignment_id == Assignment.id)
            .join(Rater, Rater.id == Assignment.rater_id)
            .where(Assignment.study_id == study, Rater.excluded == "")
            .order_by(Rater.number)
        )
        judgements_of: dict[str, list[Judgement]] = {}
        for item, rater, label, score in rows:
            judgements_of.setdefault(item, []).append(Judgement(rater, label, score))
        every = [(row, row.item()) for row in items]
    return [
        Judged(row.number, item, tuple(judgements_of.get(row.id, ())))
        for row, item in every
        if item.is_judged
    ]


def rated(items: Sequence[Judged]) -> list[Judged]:
    """Only the items that somebody judged."""
    return [item for item in items if item.judgements]
