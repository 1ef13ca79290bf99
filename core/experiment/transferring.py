"""Transfer: do the adversarial examples of one victim deceive others?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import require
from core.experiment.metrics import Scenario, grouped, is_success
from core.experiment.results import Results
from core.experiment.tables import Part, Table, plain
from core.goals import label_index, probabilities
from core.registry import find
from core.victims import VICTIMS, Victim, with_premise


@dataclass(frozen=True)
class Transfer:
    """How often a victim is right about examples that were made for another one."""

    scenario: Scenario
    search: str
    to: str
    examples: int
    accuracy: float  # lower means that they transfer better; not a number without examples
    before: float  # on the originals of the same examples


def transfer(results: Results, victims: Sequence[str]) -> list[Transfer]:
    """Ask other victims about the successes of every search, its runs together."""
    found = []
    for name in dict.fromkeys(victims):
        victim = find(VICTIMS, name, "victim")()
        for (scenario, search), records in grouped(results).items():
            if scenario.victim == name:
                continue
            won = [record for record in records if is_success(record)]
            inputs = [results.inputs[record["row"]] for record in won]
            labels = [each.label for each in inputs]
            premises = [each.premise for each in inputs]
            after = _right(victim, premises, [results.text(record) for record in won], labels)
            before = _right(victim, premises, [each.text for each in inputs], labels)
            found.append(Transfer(scenario, search, name, len(won), after, before))
    require(bool(found), "The examples were made for this victim; name another one.")
    return found


def transfer_table(found: Sequence[Transfer]) -> Table:
    """Accuracies as in the paper: the lowest of each transfer is the best."""
    rows = []
    for each in found:
        rivals = [
            one.accuracy
            for one in found
            if (one.scenario, one.to) == (each.scenario, each.to) and not np.isnan(one.accuracy)
        ]
        best = len(rivals) > 1 and each.accuracy == min(rivals)
        victim, substitution, goal = each.scenario
        what = (f"{victim} ⇒ {each.to}", substitution, goal, each.search, f"{each.examples:,}")
        numbers = (Part(_percent(each.accuracy), best),), (Part(_percent(each.before)),)
        rows.append((*map(plain, what), *numbers))
    head = ("Transfer", "Substitution", "Goal", "Search", "Examples", "Accuracy (%)", "Before (%)")
    return Table("Accuracy on transferred examples; lower transfers better", head, tuple(rows))


def _right(
    victim: Victim, premises: Sequence[str], texts: Sequence[str], labels: Sequence[str]
) -> float:
    """The share of texts that the victim gives their label."""
    if not texts:
        return float("nan")
    wanted = [label_index(victim, label) for label in labels]
    if any(premises):
        pairs = zip(premises, texts, strict=True)
        tops = [probabilities(with_premise(victim, p), [text])[0].argmax() for p, text in pairs]
    else:
        tops = list(probabilities(victim, texts).argmax(axis=1))
    return float(np.mean([top == label for top, label in zip(tops, wanted, strict=True)]))


def _percent(share: float) -> str:
    return "-" if np.isnan(share) else f"{100 * share:.2f}"
