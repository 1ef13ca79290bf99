"""Goals: what counts as a better sentence, and as a successful one (algorithms of Table 1)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError, require
from core.objective import Bools, Floats, Goal
from core.space import Ints, Moves, SearchSpace, State
from core.victims.probabilities import checked
from core.victims.protocol import Victim

Judge: TypeAlias = Callable[[Floats], tuple[Floats, Bools]]

MOST_KEPT: Final = 20_000  # answers that a goal remembers


@runtime_checkable
class Bindable(Protocol):
    """A victim that can be bound to a space: states in, probabilities out, no text in between."""

    def bind(self, space: SearchSpace) -> Callable[[Ints], Floats]:
        """Prepare every choice of the space once."""
        ...


def untargeted(victim: Victim, space: SearchSpace, true_label: str | int) -> Goal:
    """Maximise 1 - P(true label); reached when another label is on top."""
    return _classify(victim, space, away_from(label_index(victim, true_label)))


def targeted(victim: Victim, space: SearchSpace, target_label: str | int) -> Goal:
    """Maximise P(target label); reached when it is on top."""
    return _classify(victim, space, towards(label_index(victim, target_label)))


def away_from(label: int) -> Judge:
    """Scores and successes of probabilities when any other label will do."""
    return lambda rows: (1.0 - rows[:, label], rows.argmax(axis=1) != label)


def towards(label: int) -> Judge:
    """Scores and successes of probabilities when this label is wanted."""
    return lambda rows: (rows[:, label], rows.argmax(axis=1) == label)


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
        return np.array([found[key] for key in keys])

    return replace(goal, prepare=lambda moves: moves, ask=ask)


def label_index(victim: Victim, label: str | int) -> int:
    """The index of a label given by name or index."""
    if isinstance(label, int | np.integer) and 0 <= label < len(victim.labels):
        return int(label)
    if label in victim.labels:
        return victim.labels.index(str(label))
    names = ", ".join(victim.labels)
    raise InputError(f'The victim has no label "{label}". Its labels are: {names}.')


def probabilities(victim: Victim, texts: Sequence[str]) -> Floats:
    """Ask a victim and check that it answers with probabilities."""
    return checked(victim.predict(texts), len(texts), victim.labels, "The victim")


def _classify(victim: Victim, space: SearchSpace, judge: Judge) -> Goal:
    hidden = getattr(victim, "hidden_token", "[UNK]")

    def verify(state: State) -> bool:
        return bool(judge(probabilities(victim, [space.text(state)]))[1][0])

    if isinstance(victim, Bindable):
        bound = victim.bind(space)

        def ask(states: Ints) -> Floats:
            return checked(bound(states), len(states), victim.labels, "The victim")

        return Goal(lambda moves: moves.matrix, ask, judge, verify)

    def prepare(moves: Moves) -> list[str]:
        return space.texts(moves, hidden)

    return Goal(prepare, lambda texts: probabilities(victim, texts), judge, verify)
