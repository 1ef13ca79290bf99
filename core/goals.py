"""Goals: what counts as a better sentence, and as a successful one (algorithms of Table 1)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError, require
from core.objective import Bools, Floats, Goal
from core.registry import find
from core.space import Ints, Moves, SearchSpace, State
from core.tasks import Task, task_of
from core.tasks.protocol import Judge, Output, Outputs, Reference, stacked
from core.text import HIDDEN_TEXT
from core.victims.protocol import Victim

MOST_KEPT: Final = 20_000  # answers that a goal remembers


@runtime_checkable
class Bindable(Protocol):
    """A victim that can be bound to a space: states in, outputs out, no text in between."""

    def bind(self, space: SearchSpace) -> Callable[[Ints], Outputs]:
        """Prepare every choice of the space once."""
        ...


def untargeted(victim: Victim, space: SearchSpace, true_label: str | int) -> Goal:
    """Maximise 1 - P(true label); reached when another label is on top."""
    label = victim.labels[label_index(victim, true_label)]
    return task_goal(victim, space, "untargeted", (label,))


def targeted(victim: Victim, space: SearchSpace, target_label: str | int) -> Goal:
    """Maximise P(target label); reached when it is on top."""
    return task_goal(
        victim, space, "targeted", (), victim.labels[label_index(victim, target_label)]
    )


def task_goal(
    victim: Victim, space: SearchSpace, name: str, reference: Reference, target: str = ""
) -> Goal:
    """A goal of the victim's task, by its name there."""
    task = task_of(victim)
    kind = find(task.goals, name, "goal")
    start = outputs_of(victim, [space.text(space.origin)])[0] if kind.from_start else None
    judge = judge_of(task, name, reference, target, start)
    return replace(asking(victim, space, judge), measure=kind.measure)


def judge_of(
    task: Task, name: str, reference: Reference, target: str = "", start: Output | None = None
) -> Judge:
    """Scores and successes of what a victim says, without the victim.

    ``start`` is what it says about the original, which some goals are measured from.
    """
    kind = find(task.goals, name, "goal")
    require(bool(target) or not kind.needs_target, f'The goal "{name}" needs a target; name one.')
    require(not target or kind.needs_target, f'The goal "{name}" has no target; leave it out.')
    return kind.judge(reference, str(task.answer(start)) if kind.from_start else target)


def function_goal(
    f: Callable[[State], float], success: Callable[[float], bool] | None = None
) -> Goal:
    """Maximise any set function of a state; reached when ``success(value)``, by default never."""

    def ask(states: Sequence[State]) -> Floats:
        values = np.array([f(state) for state in states], dtype=np.float64)
        require(not np.isnan(values).any(), "The function gave a value that is not a number.")
        return values

    def judge(values: NDArray[Any]) -> tuple[Floats, Bools]:
        return values, np.array([reached(float(value)) for value in values], dtype=bool)

    def reached(value: float) -> bool:
        return success is not None and bool(success(value))

    return Goal(lambda moves: moves, ask, judge, lambda state: reached(float(f(state))))


def remembered(goal: Goal, space: SearchSpace) -> Goal:
    """The same goal, which asks its victim once about a state, whatever searches ask for it.

    Every search still counts its own queries; the next one on the space is only quicker.
    """
    known: dict[int, NDArray[Any]] = {}  # by Zobrist key; grows only, so that threads may share it

    def ask(moves: Moves) -> NDArray[Any]:
        keys = space.keys(moves).tolist()
        found = {key: known[key] for key in keys if key in known}
        new = {key: at for at, key in enumerate(keys) if key not in found}
        if new:
            at = np.array(list(new.values()), dtype=np.intp)
            found |= dict(zip(new, goal.ask(goal.prepare(moves[at])), strict=True))
            if len(known) < MOST_KEPT:
                known.update((key, found[key]) for key in new)
        return stacked([found[key] for key in keys])

    return replace(goal, prepare=lambda moves: moves, ask=ask)


def label_index(victim: Victim, label: str | int) -> int:
    """The index of a label given by name or index."""
    if isinstance(label, int | np.integer) and 0 <= label < len(victim.labels):
        return int(label)
    if label in victim.labels:
        return victim.labels.index(str(label))
    names = ", ".join(victim.labels)
    raise InputError(f'The victim has no label "{label}". Its labels are: {names}.')


def outputs_of(victim: Victim, texts: Sequence[str]) -> Outputs:
    """Ask a victim and check what it says."""
    return task_of(victim).checked(victim.predict(texts), len(texts))


def probabilities(victim: Victim, texts: Sequence[str]) -> Floats:
    """Ask a classifier and check that it answers with probabilities."""
    rows: Floats = outputs_of(victim, texts)
    return rows


def asking(victim: Victim, space: SearchSpace, judge: Judge) -> Goal:
    """A goal that asks a victim about states and judges what it says."""
    hidden, task = getattr(victim, "hidden_token", HIDDEN_TEXT), task_of(victim)

    def verify(state: State) -> bool:
        return bool(judge(outputs_of(victim, [space.text(state)]))[1][0])

    if isinstance(victim, Bindable):
        bound = victim.bind(space)

        def ask(states: Ints) -> Outputs:
            return task.checked(bound(states), len(states))

        ahead = bool(getattr(victim, "answers_ahead", False))
        return Goal(lambda moves: moves.matrix, ask, judge, verify, ahead=ahead)

    def prepare(moves: Moves) -> list[str]:
        return space.texts(moves, hidden)

    return Goal(
        prepare, lambda texts: task.checked(victim.predict(texts), len(texts)), judge, verify
    )
