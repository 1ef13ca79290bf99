"""The booth's attack: the strictest words first, looser ones only if those fail."""

from dataclasses import dataclass
from typing import Final

from app.shared import choices, jobs
from app.shared.question import Question, answer
from app.shared.running import find_trace
from core import VICTIMS, AttackResult
from core.goals import outputs_of
from core.options import Choice
from core.search import DEFAULT
from core.space import State
from core.spec import AttackSpec
from core.substitutions.plausible import LEVELS
from core.tasks.protocol import Shown

BUDGET: Final = 5_000  # queries on each level
VERDICTS: Final = {
    0: "The model stands: not one of our words changes its mind.",
    1: "The model falls to harmless words.",
    2: "The model falls to close words. Read it: does it still say the same?",
    3: "The model falls only to words that may change the meaning. Read it.",
}


@dataclass(frozen=True)
class BoothFind:
    """What became of a visitor's sentence: the level at which the model fell, 0 if it stood."""

    question: Question
    result: AttackResult
    level: int
    queries: int  # of all levels together

    @property
    def state(self) -> State:
        """The sentence to show: the original if the model stood."""
        return self.result.state if self.level else self.question.space.origin

    def shown(self) -> Shown:
        """What the victim says of the original and of this sentence."""
        question, spec = self.question, self.question.spec
        now = outputs_of(question.victim, [question.space.text(self.state)])[0]
        return question.task.shown(question.start, now, spec.reference, spec.context)


def strongest() -> str:
    """The bundled victim of single sentences that judged most of its held-out rows right."""
    here = [key for key in choices.victims() if choices.victim_group(key) == "sst2"]
    return max(here, key=lambda key: float(VICTIMS[key].card["held_out"]["accuracy"]))


def attack(text: str, victim: str) -> BoothFind | None:
    """Level after level until the model falls; None while a search is running."""
    queries = 0
    for level in LEVELS:
        words = Choice("plausible", (f"level={level}",))
        question = answer(AttackSpec(text, victim, words, Choice(DEFAULT)))
        jobs.keep_to(question.scoring_key, question.attack_key)
        found = find_trace("booth", question, DEFAULT, 0, BUDGET)
        if found is None:
            return None
        queries += found.result.queries
        if found.result.status == "success":
            return BoothFind(question, found.result, level, queries)
    return BoothFind(question, found.result, 0, queries)
