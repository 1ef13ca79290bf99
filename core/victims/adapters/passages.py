"""An answering victim the other way round: the question stays fixed and the passage is attacked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.registry import Entry
from core.victims.protocol import Victim, given

ENDING = "-passage"  # of its name, behind that of the answering victim


@dataclass(frozen=True, eq=False)
class PassageVictim:
    """Answers one question from each of many passages."""

    victim: Victim
    question: str = ""
    labels: ClassVar[tuple[str, ...]] = ()
    task_key: ClassVar[str] = "reading"

    def given(self, context: Mapping[str, str]) -> "PassageVictim":
        """The same victim with its question."""
        return replace(self, question=context["question"])

    def predict(self, texts: Sequence[str]) -> NDArray[Any]:
        """An answer from each passage."""
        rows = np.empty(len(texts), dtype=object)
        for at, text in enumerate(texts):
            rows[at] = given(self.victim, {"passage": text}).predict([self.question])[0]
        return rows


def reading(entries: Mapping[str, Entry[Victim]]) -> dict[str, Entry[Victim]]:
    """The answering victims among these, with their passages attacked."""

    def turned(entry: Entry[Victim]) -> Entry[Victim]:
        card = {**entry.card, "task_key": PassageVictim.task_key}
        about = f"{entry.about}; the passage is attacked"
        return Entry(lambda **options: PassageVictim(entry(**options)), about, card, entry.missing)

    return {
        f"{name}{ENDING}": turned(entry)
        for name, entry in entries.items()
        if entry.card.get("task_key") == "answering"
    }
