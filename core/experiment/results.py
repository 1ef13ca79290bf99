"""The results of an experiment as they are read: the plan, the inputs, and an answer for each."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.endings import TOO_MANY
from core.errors import InputError
from core.experiment.inputs import Input, Inputs, Skip
from core.experiment.plan import Plan
from core.experiment.records import (
    AttackRecord,
    Key,
    ProofRecord,
    Session,
    Swap,
    VictimJudgement,
    records_of,
)
from core.experiment.store import Contents, read
from core.text import join, split

_WHY: Final = {
    "success": "",
    "failed": "the search ended at a text that no step improves, or had no step left",
    "over_limit": f"the goal was reached, {TOO_MANY}",
    "budget": "the queries ran out",
    "skipped": "the victim's answer was at the goal before the attack",
    "error": "the attack ended with an error; running again tries it again",
    "misclassified": "the victim gets the original wrong",
}


@dataclass(frozen=True)
class Results:
    """What is known so far; ``attacks`` are in the order of the plan, whoever did them when."""

    plan: Plan
    inputs: Mapping[int, Input]
    skipped: tuple[Skip, ...]
    judged: Mapping[tuple[str, int], VictimJudgement]  # by victim and row
    attacks: tuple[AttackRecord, ...]
    sessions: tuple[Session, ...] = ()
    damaged: int = 0  # lines that were left out
    proofs: tuple[ProofRecord, ...] = ()

    def correct(self, victim: str) -> list[Input]:
        """The inputs this victim gets right, and so the ones that are attacked."""
        right = {each.row for each in self.judged.values() if each.victim == victim and each.right}
        return [each for row, each in self.inputs.items() if row in right]

    @property
    def total(self) -> int:
        """How many attacks the plan asks for, as far as the victims have been asked."""
        return self._questions * sum(len(search.seeds) for search in self.plan.searches)

    @property
    def proofs_total(self) -> int:
        """How many proofs the plan asks for, as far as the victims have been asked."""
        return self._questions if self.plan.proofs else 0

    @property
    def _questions(self) -> int:
        """How many inputs are attacked, each counted with every substitution and goal."""
        right = sum(len(self.correct(victim)) for victim in self.plan.victims)
        return right * len(self.plan.substitutions) * len(self.plan.goals)

    @property
    def finished(self) -> bool:
        """Whether every input has its answers."""
        done = sum(attack.status != "error" for attack in self.attacks)
        proved = sum(proof.verdict != "error" for proof in self.proofs)
        judged = len(self.judged) == len(self.inputs) * len(self.plan.victims)
        return judged and done == self.total and proved == self.proofs_total

    def statuses(self) -> dict[str, Counter[str]]:
        """For each victim, how often each answer was given; an input may have many answers."""
        counts = {victim: Counter[str]() for victim in self.plan.victims}
        for victim in self.plan.victims:
            known = sum(each.victim == victim for each in self.judged.values())
            wrong = known - len(self.correct(victim))
            counts[victim].update({"misclassified": wrong} if wrong else {})
        for attack in self.attacks:
            counts[attack.victim][attack.status] += 1
        return counts

    def text(self, attack: AttackRecord) -> str:
        """The final text of an attack."""
        return changed_text(self.inputs[attack.row].text, attack.swaps)

    def report(self) -> list[str]:
        """How far it is and what became of the inputs, as sentences."""
        lines = Inputs(tuple(self.inputs.values()), self.skipped).report()
        lines += [
            f"{victim}: " + ", ".join(f"{count:,} {name}" for name, count in counts.items()) + "."
            for victim, counts in self.statuses().items()
            if counts
        ]
        if self.damaged:
            lines.append(
                f"{self.damaged:,} damaged lines were left out; run it again to redo them."
            )
        done = len(self.attacks)
        state = "finished" if self.finished else "run it again to continue"
        if self.proofs_total:
            lines.append(f"{len(self.proofs):,} of {self.proofs_total:,} proofs done.")
        return [*lines, f"{done:,} of {self.total:,} attacks done; {state}."]


def why(attack: AttackRecord) -> str:
    """Why an attack did not succeed, in words; empty for a success."""
    if attack.status == "failed" and not attack.substitutes:
        return "no word of the text has a substitute"
    return _WHY[attack.status]


def changed_text(text: str, swaps: Iterable[Swap], mark: str = "{}") -> str:
    """The text with some words swapped, each written as ``mark`` says."""
    words, gaps = map(list, split(text))
    for at, word, width in sorted(swaps, reverse=True):
        words[at : at + width] = [mark.format(word)]
        del gaps[at + 1 : at + width]  # between the words that are replaced together
    return join(tuple(words), tuple(gaps))


def replaced(words: Sequence[str], swap: Swap) -> str:
    """The words of a text that a swap replaces."""
    return " ".join(words[swap.at : swap.at + swap.width])


def load(path: Path) -> Results:
    return collect(read(path), path)


def collect(contents: Contents, name: Path | str) -> Results:
    """Put the records of a file together; whatever is there twice counts once."""
    records = records_of(contents.records)
    sessions = tuple(records.of(Session))
    if not sessions:
        raise InputError(f"{name} holds no results of an experiment; name another file.")
    plan = sessions[0].plan
    inputs = {each.row: each for each in records.of(Input)}
    skipped = {each.row: each for each in records.of(Skip)}
    judged = {(each.victim, each.row): each for each in records.of(VictimJudgement)}
    attacks: dict[Key, AttackRecord] = {}
    for record in records.of(AttackRecord):
        if record.key not in attacks or attacks[record.key].status == "error":
            attacks[record.key] = record
    proofs: dict[tuple[int, str, str, str], ProofRecord] = {}
    for proof in records.of(ProofRecord):
        if proof.key not in proofs or proofs[proof.key].verdict == "error":
            proofs[proof.key] = proof
    place = _places(plan)
    return Results(
        plan,
        {row: inputs[row] for row in sorted(inputs)},
        tuple(skipped[row] for row in sorted(skipped)),
        judged,
        tuple(attacks[key] for key in sorted(attacks, key=place) if key[0] in inputs),
        sessions,
        len(contents.damaged),
        tuple(proofs[key] for key in sorted(proofs) if key[0] in inputs),
    )


def _places(plan: Plan) -> Callable[[Key], tuple[int, ...]]:
    """Where an attack stands in the order of the plan."""
    substitutions = [choice.name for choice in plan.substitutions]
    searches = [choice.name for choice in plan.searches]
    orders = [
        {name: number for number, name in enumerate(names)}
        for names in (plan.victims, substitutions, plan.goals, searches)
    ]
    seeds = {(s.name, seed): number for s in plan.searches for number, seed in enumerate(s.seeds)}

    def place(key: Key) -> tuple[int, ...]:
        row, *names, seed = key
        numbers = (order[str(name)] for order, name in zip(orders, names, strict=True))
        return (row, *numbers, seeds[str(names[-1]), seed])

    return place
