"""A question whose victim waits, and a server on which others wait."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from app.shared import jobs, traces
from app.shared.jobs import Job
from app.shared.question import Question
from app.shared.turns import Turn, Turns, Watcher
from app.shared.visitor import Visitor
from core import SEARCHES, Attack, AttackResult, SearchSpace
from core.goals import probabilities
from core.options import Choice
from core.spec import AttackSpec
from core.substitutions import toy as toy_words
from core.tasks import task_of
from core.victims import toy
from tests.toys.racing import TEXT
from tests.toys.turns import PLENTY

ANN, BEN = Visitor("10.0.0.2", "ann"), Visitor("10.0.0.3", "ben")
ONE = replace(PLENTY, server=1)


class Gate:
    """A question whose victim answers once to each search, and then only when it is opened."""

    def __init__(self, text: str = TEXT) -> None:
        self.open, self.asked, self.answers = threading.Event(), threading.Event(), 0
        space, victim = SearchSpace.from_text(text, toy_words.load()), toy.load()
        start = probabilities(victim, [text])[0]
        spec = AttackSpec(text, "toy", Choice("toy"), Choice("ls")).settled(victim)
        self.question = Question(spec, task_of(victim), space, start)
        self.plain = spec.goal_on(victim, space)
        self.question.__dict__["goal"] = replace(self.plain, ask=self.ask)

    def ask(self, texts: Sequence[str]) -> Any:
        if texts != [TEXT]:
            self.asked.set()
            assert self.open.wait(30)
        self.answers += len(texts)
        return self.plain.ask(texts)

    def make(self, search: str = "ls", seed: int = 0, budget: int = 500) -> Callable[[], Job]:
        return lambda: traces.job(self.question, search, seed, budget)

    def alone(self, search: str = "ls", seed: int = 0, budget: int = 500) -> AttackResult:
        return Attack(self.question.space, self.plain, SEARCHES[search](), budget, seed).run()


def one_turn(monkeypatch: pytest.MonkeyPatch, name: str = "ATTACKS", before: int = 1) -> Turn:
    """A server with one turn, which is taken, and others who wait for it."""
    turns = Turns(ONE)
    monkeypatch.setattr(jobs, name, turns)
    taken = []
    for number in range(1 + before):
        taken.append(Turn())
        turns.join(taken[-1], Watcher(Visitor(f"10.1.1.{number}", f"other {number}")))
        turns.queue(taken[-1])
    return taken[0]
