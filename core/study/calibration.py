"""What people say of each level: a study that asks whether two sentences say the same.

Its items are the attacks of a batch run, each at the strictest level at which its input fell. What
the study finds may be kept as the calibration, which pages show with its size and its interval.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from core.assets import data_folder
from core.errors import CoreError, InputError, require
from core.experiment.levels import levels_of
from core.experiment.records import AttackRecord
from core.experiment.results import Results
from core.experiment.work import spec_of_record
from core.ladder import NAMES
from core.narrate.words import count
from core.study import intake
from core.study.intake import Intake
from core.study.items import Item
from core.study.results import StudyResults
from core.tasks.protocol import RaterQuestion
from core.untrusted import MALFORMED, FileLimits, read_file, read_json

QUESTION: Final = RaterQuestion.yes_or_no("Do the two sentences say the same?")
LIMITS: Final = FileLimits(size=20_000, advice="keep the calibration anew, from Organise")


@dataclass(frozen=True)
class LevelRate:
    """The share of a level's items that most raters found to say the same."""

    items: int
    same: float
    low: float
    high: float


@dataclass(frozen=True)
class Calibration:
    """What a study found for each level that it has enough of for an interval."""

    study: str
    raters: int
    rates: Mapping[int, LevelRate]

    def sentence(self, level: int) -> str:
        """What it says of a level; nothing if it says nothing."""
        rate = self.rates.get(level)
        if rate is None:
            return ""
        return (
            f"People: of {rate.items} such sentences {rate.same:.0%} say the same "
            f"({rate.low:.0%} to {rate.high:.0%}; {count(self.raters, 'rater')}, {self.study})."
        )


def items_of(run: Results) -> Intake:
    """The attacks of a run with levels, each beside its original, at its strictest level."""
    levels = levels_of(run)
    require(bool(levels), "The plan of this run has no levels; write: levels = [1, 2, 3, 4].")

    def order(attack: AttackRecord) -> int:
        return levels[attack.substitution]

    taken = set[tuple[int, str]]()

    def item(attack: AttackRecord) -> list[Item]:
        require(attack.success, f"Left out: not a successful attack ({attack.status}).")
        again = (attack.row, attack.victim) in taken
        require(not again, "Left out: the input has fallen already, maybe to stricter words.")
        taken.add((attack.row, attack.victim))
        spec, text = spec_of_record(run, attack), run.text(attack)
        context = "\n".join([*spec.context.values(), f"The other sentence: {spec.text}"])
        method = NAMES[order(attack)]
        return [
            Item(
                *(text, QUESTION.right),
                method=method,
                context=context,
                victim=attack.victim,
                trace=spec.address(),
            )
        ]

    found = intake.collect(sorted(run.attacks, key=order), item, QUESTION.options)
    return replace(found, question=QUESTION)


def calibration(name: str, found: StudyResults) -> Calibration:
    """What a study says of the levels; a level needs two rated items for an interval."""
    numbers = {known: level for level, known in NAMES.items()}
    rates = {
        numbers[row.group]: LevelRate(row.rated, row.valid.value, row.valid.low, row.valid.high)
        for row in found.rows
        if row.group in numbers
        and row.valid is not None
        and row.valid.low is not None
        and row.valid.high is not None
    }
    require(bool(rates), "No level has two rated items yet, so there is nothing to keep.")
    return Calibration(name, found.raters, rates)


def file() -> Path:
    return data_folder() / "calibration.json"


def save(kept: Calibration) -> None:
    """Keep a calibration in place of the one before, whole or not at all."""
    part = file().with_name("calibration.json.part")
    part.parent.mkdir(parents=True, exist_ok=True)
    part.write_text(json.dumps(asdict(kept), ensure_ascii=False), encoding="utf-8")
    os.replace(part, file())


def load() -> Calibration | None:
    """The calibration that is kept, if there is one that can be read."""
    if not file().is_file():
        return None
    try:
        return _read(read_json(read_file(file(), LIMITS), file().name, LIMITS))
    except (CoreError, *MALFORMED):
        return None


def _read(plain: Mapping[str, Any]) -> Calibration:
    rates = {int(level): LevelRate(**rate) for level, rate in plain["rates"].items()}
    shares = [share for rate in rates.values() for share in (rate.same, rate.low, rate.high)]
    if not all(0 <= share <= 1 for share in shares) or not rates.keys() <= NAMES.keys():
        raise InputError("These are no shares of levels.")
    return Calibration(str(plain["study"]), int(plain["raters"]), rates)
