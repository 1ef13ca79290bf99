"""What victims are asked to do, by name; a new task is one file and one line here."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from core.registry import find
from core.tasks.classification import Classification
from core.tasks.pair import Pair
from core.tasks.protocol import Task

TASKS: Final[dict[str, Callable[[tuple[str, ...]], Task]]] = {  # made with the victim's choices
    Classification.key: Classification,
    Pair.key: Pair,
}


def task_of(victim: object) -> Task:
    """The task of a victim that is loaded: the one it names, a pair, or classification."""
    pair = bool(getattr(victim, "needs_premise", False))
    return _task(getattr(victim, "task_key", ""), pair, getattr(victim, "labels", ()))


def task_of_card(card: Mapping[str, Any]) -> Task:
    """The task of a victim by its card; its choices are empty if only the victim knows them."""
    return _task(card.get("task_key", ""), bool(card.get("needs_premise")), card.get("labels"))


def _task(key: str, pair: bool, labels: Any) -> Task:
    name = key or (Pair.key if pair else Classification.key)
    return find(TASKS, name, "task")(tuple(labels or ()))


__all__ = ["TASKS", "Task", "task_of", "task_of_card"]
