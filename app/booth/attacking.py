"""The booth's attack: the strictest words first, looser ones only if those fail."""

from dataclasses import dataclass
from typing import Final

from app.shared import choices, jobs
from app.shared.question import Question, answer
from app.shared.running import find_trace
from core import VICTIMS
from core.goals import outputs_of
from core.ladder import NAMES, PLAUSIBLE, Fall, at_level
from core.options import Choice
from core.search import DEFAULT
from core.space import State
from core.spec import AttackSpec
from core.tasks.protocol import Shown

BUDGET: Final = 5_000  # queries on each level


@dataclass(frozen=True)
class BoothFind:
    """What became of a visitor's sentence; the question is that of the last level tried."""

    question: Question
    fall: Fall

    @property
    def state(self) -> State:
        """The sentence to show: the original if the model stood."""
        fell = self.fall.level is not None
        return self.fall.traces[-1].result.state if fell else self.question.space.origin

    @property
    def text(self) -> str:
        return self.question.space.text(self.state)

    def shown(self) -> Shown:
        """What the victim says of the original and of this sentence."""
        question, spec = self.question, self.question.spec
        now = outputs_of(question.victim, [self.text])[0]
        return question.task.shown(question.start, now, spec.reference, spec.context)


def strongest() -> str:
    """The bundled victim of single sentences that judged most of its held-out rows right."""
    here = [key for key in choices.victims() if choices.victim_group(key) == "sst2"]
    return max(here, key=lambda key: float(VICTIMS[key].card["held_out"]["accuracy"]))


def attack(text: str, victim: str) -> BoothFind | None:
    """Level after level until the model falls; None while a search is running."""
    find, fall = None, Fall((), ())
    for level in NAMES:
        words = at_level(Choice(PLAUSIBLE), level)
        question = answer(AttackSpec(text, victim, words, Choice(DEFAULT)))
        jobs.keep_to(question.scoring_key, question.attack_key)
        found = find_trace("booth", question, DEFAULT, 0, BUDGET)
        if found is None:
            return None
        fall = Fall((*fall.levels, level), (*fall.traces, found))
        find = BoothFind(question, fall)
        if fall.level is not None:
            break
    return find
