"""What is certain about the inputs of a run, and how far each search is from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.experiment.metrics import Scenario, attacked, grouped, is_success
from core.experiment.records import AttackRecord, ProofRecord
from core.experiment.results import Results
from core.experiment.tables import ReportTable, plain


@dataclass(frozen=True)
class Truth:
    """The inputs of a scenario by what is certain about them."""

    scenario: Scenario
    falls: frozenset[int]  # a sentence is known that reaches the goal
    safe: frozenset[int]  # it is proved that there is none
    open: frozenset[int]
    fewest: Mapping[int, int]  # changed words that reach the goal, where none fewer do for certain

    @property
    def inputs(self) -> int:
        return len(self.falls) + len(self.safe) + len(self.open)

    @property
    def sentence(self) -> str:
        """The two sides of how many inputs fall."""
        low, high = len(self.falls), len(self.falls) + len(self.open)
        most = "exactly" if low == high else f"between {low / self.inputs:.1%} and"
        return (
            f"Of {self.inputs:,} inputs {low:,} fall, {len(self.safe):,} are proved safe and "
            f"{len(self.open):,} are open: the best possible success is {most} "
            f"{high / self.inputs:.1%}."
        )


@dataclass(frozen=True)
class Gap:
    """How far a search is from what is certain, over its runs."""

    truth: Truth
    search: str
    found: float  # inputs, the mean over the runs
    missed: float  # inputs that fall, but not to it
    above: float  # words that its successes change more than the fewest
    minimal: float  # share of them that change the fewest


def truths(results: Results) -> list[Truth]:
    """What is certain in each scenario in which something was proved."""
    proofs: dict[Scenario, list[ProofRecord]] = {}
    for proof in results.proofs:
        if proof.verdict != "error":
            scenario = Scenario(proof.victim, proof.substitution, proof.goal)
            proofs.setdefault(scenario, []).append(proof)
    swaps: dict[tuple[Scenario, int], int] = {}
    for attack in filter(is_success, results.attacks):
        key = Scenario(attack.victim, attack.substitution, attack.goal), attack.row
        swaps[key] = min(len(attack.swaps), swaps.get(key, len(attack.swaps)))
    return [
        _truth(scenario, found, {row: each for (of, row), each in swaps.items() if of == scenario})
        for scenario, found in proofs.items()
    ]


def _truth(
    scenario: Scenario, proofs: Sequence[ProofRecord], attacked_with: Mapping[int, int]
) -> Truth:
    """What proofs say, and attacks that have found what a proof had no time to find."""
    known = {proof.row: len(proof.swaps) for proof in proofs if proof.verdict == "flip"}
    for row, words in attacked_with.items():
        known[row] = min(words, known.get(row, words))
    safe = {proof.row: proof.safe for proof in proofs}
    return Truth(
        scenario,
        frozenset(known),
        frozenset(proof.row for proof in proofs if proof.verdict == "proved"),
        frozenset(p.row for p in proofs if p.verdict == "open" and p.row not in known),
        {row: words for row, words in known.items() if safe.get(row, -1) >= words - 1},
    )


def gaps(results: Results) -> list[Gap]:
    """Every search of every scenario in which something was proved."""
    by_scenario = {truth.scenario: truth for truth in truths(results)}
    return [
        _gap(by_scenario[scenario], search, attacked(records))
        for (scenario, search), records in grouped(results).items()
        if scenario in by_scenario
    ]


def _gap(truth: Truth, search: str, records: Sequence[AttackRecord]) -> Gap:
    runs = len({record.seed for record in records}) or 1
    won = [record for record in records if record.success]
    more = [len(each.swaps) - truth.fewest[each.row] for each in won if each.row in truth.fewest]
    found = len(won) / runs
    return Gap(
        truth,
        search,
        found,
        len(truth.falls) - sum(record.row in truth.falls for record in won) / runs,
        float(np.mean(more)) if more else float("nan"),
        float(np.mean(np.equal(more, 0))) if more else float("nan"),
    )


def proof_table(found: Sequence[Gap]) -> ReportTable:
    """A row for each search of each scenario."""
    rows = [
        (
            *map(plain, (*gap.truth.scenario, gap.search)),
            *(plain(f"{len(rows):,}") for rows in (gap.truth.falls, gap.truth.safe)),
            plain(f"{len(gap.truth.open):,}"),
            *(plain(f"{number:.4g}") for number in (gap.found, gap.missed)),
            plain("-" if np.isnan(gap.above) else f"{gap.above:.3f}"),
            plain("-" if np.isnan(gap.minimal) else f"{100 * gap.minimal:.1f}"),
        )
        for gap in found
    ]
    what = ("Falls", "Proved safe", "Open", "Found", "Missed", "Words above", "Fewest (%)")
    head = ("Victim", "Substitution", "Goal", "Search", *what)
    return ReportTable("What is certain, and how far each search is from it", head, tuple(rows))
