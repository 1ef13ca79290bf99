"""How robust a victim is: which inputs fall to someone, and to whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.experiment.metrics import Scenario, attacked, grouped, is_success
from core.experiment.records import AttackRecord
from core.experiment.results import Results
from core.experiment.tables import ReportTable, plain


@dataclass(frozen=True)
class Robustness:
    """The inputs of a scenario that every search has attacked, and who brought them down.

    An input falls to a search that succeeds in any of its runs. A portfolio is counted by the
    member that succeeded.
    """

    scenario: Scenario
    rows: frozenset[int]
    fallen: Mapping[str, frozenset[int]]  # by attacker

    @property
    def all_fallen(self) -> frozenset[int]:
        """The inputs that fall to someone."""
        return frozenset().union(*self.fallen.values())

    def only_fallen_to(self, attacker: str) -> frozenset[int]:
        """The inputs that fall to this attacker and to nobody else."""
        others = (rows for name, rows in self.fallen.items() if name != attacker)
        return self.fallen[attacker].difference(*others)

    @property
    def sentence(self) -> str:
        ranked = sorted(self.fallen, key=lambda name: -len(self.fallen[name]))
        parts = [f"{len(self.fallen[name]):,} to {name}" for name in ranked if self.fallen[name]]
        standing = len(self.rows) - len(self.all_fallen)
        sentence = f"Of {len(self.rows):,} inputs, {len(self.all_fallen):,} fall to someone"
        rest = f"{standing:,} withstand{'s' if standing == 1 else ''} them all."
        return f"{sentence}{': ' if parts else ''}{', '.join(parts)}. {rest}"


def robustness(results: Results) -> list[Robustness]:
    """A report for each scenario, over the inputs that all its searches have attacked."""
    found: dict[Scenario, dict[str, list[AttackRecord]]] = {}
    for (scenario, search), records in grouped(results).items():
        found.setdefault(scenario, {})[search] = attacked(records)
    return [_report(scenario, by_search) for scenario, by_search in found.items()]


def _report(scenario: Scenario, by_search: dict[str, list[AttackRecord]]) -> Robustness:
    rows = frozenset.intersection(
        *(frozenset(each.row for each in records) for records in by_search.values())
    )
    fallen: dict[str, set[int]] = {}
    for search, records in by_search.items():
        won = [each for each in records if is_success(each) and each.row in rows]
        for each in won:
            who = f"{search}: {each.member}" if each.member else search
            fallen.setdefault(who, set()).add(each.row)
        if not won:
            fallen[search] = set()
    return Robustness(scenario, rows, {who: frozenset(each) for who, each in fallen.items()})


def robustness_table(reports: Sequence[Robustness]) -> ReportTable:
    """A row for each attacker of each scenario."""
    rows = [
        (
            *map(plain, (*each.scenario, attacker)),
            plain(f"{len(fallen):,} of {len(each.rows):,}"),
            plain(f"{len(each.only_fallen_to(attacker)):,}"),
        )
        for each in reports
        for attacker, fallen in each.fallen.items()
    ]
    head = ("Victim", "Substitution", "Goal", "Attacker", "Fall to it", "To it alone")
    return ReportTable("Robustness: whom the inputs fall to", head, tuple(rows))
