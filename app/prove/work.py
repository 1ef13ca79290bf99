"""A proof in the background: what it has come to, and the looks that are drawn."""

from functools import partial
from typing import Final

from app.prove import sentences
from app.shared import jobs, running
from app.shared.jobs import Computation
from app.shared.question import Question
from core.errors import CoreError
from core.prove import Claim, Effort, Look, Proof, ProofStep, claim_of, proving

PURPOSE: Final = "prove"
SECONDS: Final = 20.0
DRAWN: Final = 120  # looks, at most


class ProofTask(Computation[ProofStep, Proof]):
    """A proof that goes on while somebody looks; of its steps only the newest is kept."""

    def __init__(self, claim: Claim) -> None:
        super().__init__(proving(claim, Effort(SECONDS)), jobs.PROOFS)
        self.looks: list[Look] = []  # the first ones at as many changed words as now

    def add(self, step: ProofStep) -> None:
        """Keep what is told and what is drawn."""
        if self.last is not None and self.last.words != step.words:
            self.looks = []
        if len(self.looks) < DRAWN:
            self.looks.append(step.look)
        self._steps[:] = [step]


def begin(question: Question) -> None:
    """Start the proof of a question, unless it is known or on its way."""
    make = partial(ProofTask, claim_of(question.spec, question.victim, question.space))
    jobs.session_jobs(PURPOSE).begin(_key(question), make).wait(running.MOMENT)


def forget(question: Question) -> None:
    """Let the proof of a question be made anew."""
    jobs.session_jobs(PURPOSE).forget(_key(question))


def task_on(question: Question) -> ProofTask | None:
    """The proof of a question, if this visitor has asked for it."""
    task: ProofTask | None = jobs.session_jobs(PURPOSE).get(_key(question))
    if task is not None and task.error:
        forget(question)
        raise CoreError(task.error)
    return task


def watch(question: Question) -> None:
    """Show how far the proof of a question is, until it is over."""
    tell = partial(_progress, question)
    running.watch(PURPOSE, _key(question), tell, name="prove.stop", stop="Stop the proof")


def _progress(question: Question, task: ProofTask) -> tuple[float, str]:
    step = task.last
    most = max(1, question.space.allowed(question.spec.max_changed))
    return (step.words / (most + 1), sentences.progress(step)) if step else (0.0, "Proving …")


def _key(question: Question) -> tuple[object, str]:
    return question.attack_key, PURPOSE
