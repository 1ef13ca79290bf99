"""A bundled study with simulated ratings, so that the results page can be seen filled."""

import time
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from sqlalchemy import insert, select, update

from core import assets
from core.study.creating import StudyPlan, create
from core.study.database import Database
from core.study.design import Design
from core.study.items import Item, source_of
from core.study.monitoring import studies
from core.study.organising import remove
from core.study.tables import Assignment, ItemRow, Rater, Rating
from core.study.wording import Wording

NAME = "Demonstration (simulated ratings)"
SEED = 11
CARELESS = 4  # this rater misses the attention checks


def plan() -> StudyPlan:
    """The items of assets/study, two methods and the originals of twelve sentences."""
    data = _data()
    methods = [method for method in data["opinions"] if method]
    items = []
    for source in data["sources"]:
        name, label = source_of(source["original"]), source["label"]
        items += [Item(source[method], label, name, method) for method in methods]
        items.append(Item(source["original"], label, name, kind="original"))
    items += [Item(**check, kind="check") for check in data["checks"]]
    items += [Item(**practice, kind="practice") for practice in data["practice"]]
    return StudyPlan(
        NAME,
        tuple(data["labels"]),
        tuple(items),
        Wording(
            title="Rating sentences about films", label_question="How does it speak of the film?"
        ),
        Design(per_item=3, raters=9, seed=SEED),
        simulated=True,
    )


def demonstrate(database: Database) -> str:
    """Create the study with its simulated ratings; one that is there already is kept."""
    for known in studies(database):
        if known.simulated and known.name == NAME:
            return known.id
    study, opinions = create(database, plan()), _data()["opinions"]
    random, now = Random(SEED), time.time()
    labels = plan().labels
    with database.writing() as session:
        rows = session.execute(
            select(Assignment, ItemRow, Rater.number)
            .join(ItemRow, ItemRow.id == Assignment.item_id)
            .join(Rater, Rater.id == Assignment.rater_id)
            .where(Assignment.study_id == study)
            .order_by(Rater.number, Assignment.position)
        ).all()
        for assignment, item, number in rows:
            label, score = _opinion(item, labels, number, opinions, random)
            session.execute(
                insert(Rating).values(
                    assignment_id=assignment.id,
                    rater_id=assignment.rater_id,
                    study_id=study,
                    label=label,
                    score=score,
                    seconds=random.lognormvariate(2.6, 0.5),
                    rated_at=now - 20 * (len(rows) - assignment.position),
                    revision=0,
                )
            )
        session.execute(
            update(Rater)
            .where(Rater.study_id == study)
            .values(name="Simulated " + Rater.name, consented_at=now, ready_at=now, seen_at=now)
        )
    return study


def _data() -> dict[str, Any]:
    """Sentences, and for each method how raters judge: chance of the true label, mean score."""
    data: dict[str, Any] = assets.read_json("study/demonstration.json")
    return data


def _opinion(
    item: ItemRow,
    labels: tuple[str, ...],
    rater: int,
    opinions: Mapping[str, Sequence[float]],
    random: Random,
) -> tuple[str, int]:
    other = random.choice([label for label in labels if label != item.label])
    if item.kind == "check":
        return other if rater == CARELESS else item.label, 4
    right, mean = opinions[item.method]
    score = round(random.gauss(mean, 0.8))
    return item.label if random.random() < right else other, min(max(score, 0), 4)


def remove_demonstration(database: Database) -> None:
    for known in studies(database):
        if known.simulated and known.name == NAME:
            remove(database, known.id)
