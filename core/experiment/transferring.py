"""Transfer: do the adversarial examples of one victim deceive others?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import require
from core.experiment.inputs import Input
from core.experiment.metrics import Scenario, grouped, is_success
from core.experiment.results import Results
from core.experiment.tables import Part, ReportTable, plain
from core.goals import outputs_of
from core.registry import find
from core.tasks import task_of
from core.victims import VICTIMS, Victim, given


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
            inputs = [results.inputs[record.row] for record in won]
            after = _right(victim, inputs, [results.text(record) for record in won])
            before = _right(victim, inputs, [each.text for each in inputs])
            found.append(Transfer(scenario, search, name, len(won), after, before))
    require(bool(found), "The examples were made for this victim; name another one.")
    return found


def transfer_table(found: Sequence[Transfer]) -> ReportTable:
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
    return ReportTable(
        "Accuracy on transferred examples; lower transfers better", head, tuple(rows)
    )


def _right(victim: Victim, inputs: Sequence[Input], texts: Sequence[str]) -> float:
    """The share of texts that the victim gets right."""
    if not texts:
        return float("nan")
    task = task_of(victim)
    if any(each.context for each in inputs):
        pairs = zip(inputs, texts, strict=True)
        outputs = [outputs_of(given(victim, each.context), [text])[0] for each, text in pairs]
    else:
        outputs = list(outputs_of(victim, texts))
    answers = map(task.answer, outputs)
    return float(
        np.mean([task.right(a, each.reference) for a, each in zip(answers, inputs, strict=True)])
    )


def _percent(share: float) -> str:
    return "-" if np.isnan(share) else f"{100 * share:.2f}"
