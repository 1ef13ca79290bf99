"""What adversarial training did to a victim: accuracy, success and queries, before and after."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil, sqrt
from typing import Any, Final

import numpy as np

from core.experiment.metrics import ATTACKED, is_success
from core.experiment.records import AttackRecord
from core.experiment.results import Results
from core.experiment.tables import ReportTable, plain
from core.statistics import LEVEL, Interval, bootstrap, holm, mcnemar

_CERTAIN: Final = 1.96  # standard errors on each side of a 95 % interval
_FOUND: Final = 0.84  # and more, with which a drop is found in four of five tries


@dataclass(frozen=True)
class Side:
    """The attacks of one search on a victim."""

    attacked: int
    success: float  # not a number where nothing was attacked, as the means
    queries: float
    requests: float


@dataclass(frozen=True)
class BeforeAfter:
    """A search against the victim before and after, and the drop over rows both get right."""

    search: str
    before: Side
    after: Side
    both: int
    drop: Interval
    p: float  # McNemar's test
    corrected: float  # for how many searches there are (Holm)

    @property
    def verdict(self) -> str:
        """What can be said about the drop."""
        if self.corrected >= LEVEL:
            return "no difference found"
        return "fewer successes" if self.drop.value > 0 else "more successes"

    @property
    def rows_needed(self) -> int | None:
        """Rows that both get right, with which such a drop is found in four of five tries."""
        if not self.both or not self.drop.value:
            return None
        error = (self.drop.high - self.drop.low) / (2 * _CERTAIN)
        spread = error * sqrt(self.both)  # of a single row
        return ceil(((_CERTAIN + _FOUND) * spread / self.drop.value) ** 2)


@dataclass(frozen=True)
class Crafting:
    """How the adversarial examples were made."""

    substitution: str
    search: str
    seed: int
    wanted: int
    drawn: int  # training rows
    attacked: int  # of these, the ones that the victim gets right
    added: int
    control: bool = False  # the same rows were added as they were, without the attack

    @property
    def what(self) -> str:
        """What joined the training rows."""
        return "unattacked rows, as a control," if self.control else "adversarial examples"


@dataclass(frozen=True)
class Report:
    """A victim before and after adversarial training."""

    victim: str
    hardened: str
    method: str
    crafting: Crafting
    training_rows: int
    split: str
    held_out: int
    accuracy_before: float
    accuracy_after: float
    drops: tuple[BeforeAfter, ...]
    out: str = ""
    proofs: tuple[str, ...] = ()  # what is certain before and after, a sentence each

    @classmethod
    def of_plain(cls, data: Mapping[str, Any]) -> "Report":
        """What ``python -m core harden --json`` has printed."""
        drops = tuple(
            BeforeAfter(
                each["search"],
                Side(**each["before"]),
                Side(**each["after"]),
                each["both"],
                Interval(**each["drop"]),
                each["p"],
                each["corrected"],
            )
            for each in data["drops"]
        )
        return cls(
            **{
                **data,
                "crafting": Crafting(**data["crafting"]),
                "drops": drops,
                "proofs": tuple(data.get("proofs", ())),
            }
        )

    def lines(self) -> list[str]:
        """The report for a terminal."""
        crafting = self.crafting
        examples = (
            f"{self.victim}: {crafting.added:,} {crafting.what} "
            f"({crafting.substitution}, {crafting.search}, seed {crafting.seed}) joined "
            f"{self.training_rows:,} training rows; {crafting.wanted:,} were wanted, "
            f"{crafting.drawn:,} rows drawn, {crafting.attacked:,} attacked."
        )
        return [
            *([examples] if crafting.wanted else []),
            f"It was {self.method} ({self.split}).",
            f"Accuracy on {self.held_out:,} held-out rows: {self.accuracy_before:.1%} before, "
            f"{self.accuracy_after:.1%} after.",
            "",
            self.table().text(),
            "",
            *map(_judgement, self.drops),
            *self.proofs,
            f"The hardened victim is in {self.out}." if self.out else "It is not kept: no --out.",
        ]

    def table(self) -> ReportTable:
        """Success and queries of each search, before and after."""
        head = ("Search", "Victim", "Attacked", "Success (%)", "Queries", "Requests")
        rows = [
            tuple(map(plain, (each.search, name, *_numbers(side))))
            for each in self.drops
            for name, side in ((self.victim, each.before), (self.hardened, each.after))
        ]
        return ReportTable("Attacks on held-out rows that the victim gets right", head, tuple(rows))


def drops(results: Results) -> tuple[BeforeAfter, ...]:
    """Each search on the victim before, the plan's first, and on the one after."""
    found = [_drop(results, search.name) for search in results.plan.searches]
    corrected = holm([each.p for each in found])
    return tuple(replace(each, corrected=p) for each, p in zip(found, corrected, strict=True))


def _drop(results: Results, search: str) -> BeforeAfter:
    sides = [_attacks(results, victim, search) for victim in results.plan.victims]
    before, after = sides
    both = [row for row in before if row in after]
    won = [[is_success(side[row]) for row in both] for side in sides]
    falls = np.subtract(*np.array(won, dtype=np.float64))
    p = mcnemar(*won)
    return BeforeAfter(search, _side(before), _side(after), len(both), bootstrap(falls), p, p)


def _attacks(results: Results, victim: str, search: str) -> dict[int, AttackRecord]:
    """The attacks that count, by row."""
    return {
        each.row: each
        for each in results.attacks
        if (each.victim, each.search) == (victim, search) and each.status in ATTACKED
    }


def _side(attacks: Mapping[int, AttackRecord]) -> Side:
    if not attacks:
        return Side(0, float("nan"), float("nan"), float("nan"))
    columns = [(is_success(each), each.queries, each.requests) for each in attacks.values()]
    return Side(len(attacks), *map(float, np.mean(columns, axis=0)))


def _numbers(side: Side) -> tuple[str, ...]:
    means = (100 * side.success, 2), (side.queries, 1), (side.requests, 1)
    return (f"{side.attacked:,}", *(f"{mean:.{digits}f}" for mean, digits in means))


def _judgement(each: BeforeAfter) -> str:
    return (
        f"{each.search}: {each.verdict} over the {each.both:,} rows that both get right (drop "
        f"{each.drop.value:.1%}, 95 % interval {each.drop.low:.1%} to {each.drop.high:.1%}, "
        f"McNemar p = {each.p:.3g}, corrected {each.corrected:.3g})."
    )
