"""What victims are asked to do, by name; a new task is one file and one line here."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from core.registry import find
from core.tasks.answering import Answering
from core.tasks.classification import Classification
from core.tasks.pair import Pair
from core.tasks.protocol import Task
from core.tasks.reading import Reading
from core.tasks.set_function import SetFunction
from core.tasks.translation import Translation
from core.victims import VICTIMS
from core.victims.card import task_key

TASKS: Final[dict[str, Callable[[tuple[str, ...]], Task]]] = {  # made with the victim's choices
    Classification.key: Classification,
    Pair.key: Pair,
    Answering.key: Answering,
    Reading.key: Reading,
    Translation.key: Translation,
    SetFunction.key: SetFunction,
}


def task_of(victim: object) -> Task:
    """The task of a victim that is loaded: the one it names, or classification."""
    key = getattr(victim, "task_key", Classification.key)
    return find(TASKS, key, "task")(tuple(getattr(victim, "labels", ())))


def task_of_card(card: Mapping[str, Any]) -> Task:
    """The task of a victim by its card; its choices are empty if only the victim knows them."""
    return find(TASKS, task_key(card), "task")(tuple(card.get("labels") or ()))


def task_named(victim: str) -> Task:
    """The task of a victim by its name; classification of unknown labels if it is not here."""
    return task_of_card(VICTIMS[victim].card if victim in VICTIMS else {})


__all__ = ["TASKS", "Task", "task_named", "task_of", "task_of_card"]
