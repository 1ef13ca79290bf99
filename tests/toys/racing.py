"""A race on a sentence, without a page."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from app.race import lanes as race
from app.race.lanes import Lane, Run
from app.shared.jobs import Job, Jobs
from app.shared.question import Question
from core import SEARCHES, Attack, AttackResult, SearchSpace, untargeted
from core.goals import probabilities
from core.options import Choice
from core.spec import AttackSpec
from core.substitutions import toy as toy_words
from core.tasks import task_of
from core.victims import toy

TEXT = "A charming and often very funny film, with a smart script and a warm, honest ending."
SEARCHES_RACED = ("ls", "pso", "ga")


def until(reached: Callable[[], object]) -> None:
    for _ in range(3_000):
        if reached():
            return
        time.sleep(0.02)
    pytest.fail("waited in vain")


def toy_attack(key: str = "ls", seed: int = 0, **options: Any) -> Attack:
    space = SearchSpace.from_text(TEXT, toy_words.load())
    goal = untargeted(toy.load(), space, "positive")
    return Attack(space, goal, SEARCHES[key](), seed=seed, **options)


def asked(text: str = TEXT) -> Question:
    space = SearchSpace.from_text(text, toy_words.load())
    victim = toy.load()
    start = probabilities(victim, [text])[0]
    spec = AttackSpec(text, "toy", Choice("toy"), Choice("ls")).settled(victim)
    found = Question(spec, task_of(victim), space, start)
    found.__dict__["victim"] = victim  # in place of the one that the server would load
    return found


def finished(question: Question, searches: Sequence[str] = SEARCHES_RACED) -> list[Lane]:
    jobs = Jobs[Job]()
    lanes: list[Lane] = []

    def over() -> bool:
        lanes[:] = race.watch(jobs, question, list(searches), 4, 500)
        return not any(lane.busy for lane in lanes)

    until(over)
    return lanes


def lane_of(key: str, results: Sequence[AttackResult]) -> Lane:
    return Lane(key, tuple(Run(n, r.status, r.steps, r.queries, r) for n, r in enumerate(results)))


SPACE = toy_attack().space
