"""A ladder of plausibility: the strictest substitutes first, looser ones only if those fail.

At which level a sentence falls says more than whether it falls: harmless and close words keep the
meaning, looser ones may change it.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.attack import Trace
from core.errors import require
from core.options import Choice
from core.space import SearchSpace
from core.spec import AttackSpec, make_substitution
from core.substitutions.plausible import LEVELS, Plausible
from core.victims import Victim

ANY: Final = 4  # the level of every other substitution
NAMES: Final = {**LEVELS, ANY: "any"}
PLAUSIBLE: Final = "plausible"
LOOSE: Final = Choice("embedding")  # what stands for any words where nothing else is asked for
VERDICTS: Final = {
    1: "The model falls to harmless words.",
    2: "The model falls to close words. Read it: does it still say the same?",
    3: "The model falls only to words that may change the meaning. Read it.",
    ANY: "The model falls only to words that may change the meaning. Read it.",
}


@dataclass(frozen=True)
class Fall:
    """What a victim did on the ladder: a trace for each level that was tried, strictest first."""

    levels: tuple[int, ...]
    traces: tuple[Trace, ...]

    @property
    def level(self) -> int | None:
        """The level at which the victim fell, if it did."""
        return self.levels[-1] if self.traces[-1].result.success else None

    @property
    def verdict(self) -> str:
        """What this says of the victim, in words."""
        if self.level is not None:
            return VERDICTS[self.level]
        result = self.traces[-1].result
        if result.status == "skipped":
            return "Nothing to attack: the goal is reached without a change."
        name, last = NAMES[self.levels[-1]], self.levels[-1]
        return f"The model stands up to level {last} ({name}): this search found nothing."

    @property
    def queries(self) -> int:
        """Distinct texts that the victim was asked about on all levels together."""
        return len({text for trace in self.traces for text in _asked(trace)})

    @property
    def requests(self) -> int:
        """Texts that the searches asked for, repeated ones too."""
        return sum(trace.result.requests for trace in self.traces)


def level_of(choice: Choice) -> int:
    """The level of a substitution: one of ``plausible``'s, or any words."""
    if choice.method != PLAUSIBLE:
        return ANY
    named = [option.removeprefix("level=") for option in choice.options if "level=" in option]
    return int(named[-1]) if named and named[-1].isdecimal() else Plausible.level


def at_level(choice: Choice, level: int) -> Choice:
    """The substitution of a level; constraints stay, and any words come from a paper's method."""
    require(level in NAMES, f"The level is one of: {', '.join(map(str, NAMES))}.")
    if level < ANY:
        return Choice(PLAUSIBLE, (f"level={level}",), choice.constraints)
    return replace(LOOSE, constraints=choice.constraints) if choice.method == PLAUSIBLE else choice


def level_of_reason(reason: str) -> int:
    """The level of a substitute, as the beginning of its reason tells it."""
    name = reason.partition(":")[0]
    return next((level for level, known in LEVELS.items() if known == name), ANY)


def levels(space: SearchSpace) -> set[int]:
    """The levels of all substitutes of a space."""
    return {level_of_reason(reason) for column in space.reasons for reason in column[1:]}


def loosest(space: SearchSpace, state: Sequence[int]) -> int:
    """The level of the loosest substitute in a sentence; that of nothing changed is 0."""
    reasons = (space.reasons[at][state[at]] for at in space.changed(tuple(state)))
    return max(map(level_of_reason, reasons), default=0)


def climb(
    spec: AttackSpec,
    victim: Victim,
    most: int = ANY,
    cancelled: Callable[[], bool] = lambda: False,
) -> Generator[Trace, None, Fall]:
    """Attack level by level up to the loosest allowed, until one succeeds; a trace for each.

    ``victim`` knows the context already. A budget is for all levels together.
    """
    settled, fall = spec.settled(victim), Fall((), ())
    for level in [level for level in NAMES if level <= most]:
        left = None if spec.budget is None else spec.budget - fall.queries
        if left is not None and left < 1:
            break
        own = replace(settled, substitution=at_level(spec.substitution, level), budget=left)
        space = own.space(make_substitution(own.substitution))
        result = own.attack(space, own.goal_on(victim, space), cancelled).run()
        trace = Trace(space, result, own.plain())
        fall = Fall((*fall.levels, level), (*fall.traces, trace))
        yield trace
        if result.success or result.status in ("skipped", "cancelled"):
            break
    return fall


def _asked(trace: Trace) -> Iterator[str]:
    """The texts that the victim was asked about."""
    for step in trace.result.steps:
        yield from trace.space.texts(step.tried.moves)
