"""What a task is: the meaning of what a victim says.

A task knows what stays fixed and what is attacked, when an answer is right, which goals an attack
may have, how two answers are shown beside each other, and what a rater is asked. Searches, the
objective, traces and experiments know only a ``Goal`` and a ``Task``, never labels.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.measure import SCORE, Measure
from core.objective import Bools, Floats
from core.text import Pieces

Output: TypeAlias = Any  # what a victim says about one text: probabilities, a span, a translation
Outputs: TypeAlias = NDArray[Any]  # one output for each text
Answer: TypeAlias = str | int | float  # the plain content of an output: a label, a text, a number
Reference: TypeAlias = tuple[str, ...]  # what is right: a label, one or more answers
Judge: TypeAlias = Callable[[Outputs], tuple[Floats, Bools]]  # scores and successes of outputs
_BETWEEN: Final = " | "  # several references in one text


def joined(reference: Reference) -> str:
    """What is right, in one text."""
    return _BETWEEN.join(reference)


def parted(text: str) -> Reference:
    """What is right, from the text that ``joined`` wrote or that somebody has typed."""
    return tuple(part.strip() for part in text.split(_BETWEEN) if part.strip())


def stacked(outputs: Sequence[Any]) -> Outputs:
    """Outputs of any kind as one array with a row for each."""
    if outputs and isinstance(outputs[0], np.ndarray | np.generic):
        return np.array(outputs)
    rows = np.empty(len(outputs), dtype=object)  # texts, spans: never a grid of their parts
    rows[:] = outputs
    return rows


@dataclass(frozen=True)
class Field:
    """A text that the task needs: how it is named in files and addresses, and on the screen."""

    key: str
    title: str
    example: str = ""


@dataclass(frozen=True)
class GoalKind:
    """A goal that an attack may have."""

    title: str
    score: str  # what is maximised, in words
    success: str  # when the goal is reached, in words
    reached: str  # what an attack does that reaches it: "flips the label"; empty if none ever does
    judge: Callable[[Reference, str], Judge]  # from the reference and the target, or the start
    flips_at: float | None = None  # the score at which the goal is reached, if there is one
    needs_target: bool = False
    from_start: bool = False  # measured from the victim's answer about the original
    output_at: Callable[[Reference, float], Output] | None = None  # where a score tells the output
    measure: Measure = SCORE  # how the score is called and written


@dataclass(frozen=True)
class Bar:
    """A quantity before and after an attack; a share of one unless it says otherwise."""

    title: str
    before: float
    after: float
    marked: bool = False  # what the reference names
    largest: float = 1.0  # what a whole bar stands for
    unit: str = "%"  # of the number beside it; a share is written in hundredths


@dataclass(frozen=True)
class MarkedText:
    """A text that the victim writes or points into."""

    title: str
    text: str
    marks: tuple[tuple[int, int], ...] = ()  # where each mark begins and ends


@dataclass(frozen=True)
class Shown:
    """What a page draws of two outputs."""

    bars: tuple[Bar, ...] = ()
    texts: tuple[MarkedText, ...] = ()
    said: tuple[str, str] | None = None  # before and after, where the bars do not tell it


@dataclass(frozen=True)
class RaterQuestion:
    """What a rater is asked about a text, and the answers to choose from.

    The right one is the reference. Where a reference can be any text there is ``right``, the option
    that is right for every text, which is then shown with its reference: "Is this its translation?"
    """

    question: str
    options: tuple[str, ...]
    right: str = ""

    @classmethod
    def yes_or_no(cls, question: str) -> "RaterQuestion":
        """A question about the reference, which fits the original: yes."""
        return cls(question, ("yes", "no"), "yes")


class Task(Protocol):
    """A task over the answers that one victim can give."""

    @property
    def key(self) -> str:
        """Its name in files and addresses."""
        ...

    @property
    def title(self) -> str:
        """Its name on the screen."""
        ...

    @property
    def context(self) -> tuple[Field, ...]:
        """The inputs that stay fixed while the text is attacked."""
        ...

    @property
    def attacked(self) -> Field:
        """The text that is attacked."""
        ...

    @property
    def reference(self) -> Field:
        """What is compared with the victim's answer."""
        ...

    @property
    def choices(self) -> tuple[str, ...]:
        """The references to choose from; empty where any text may be one."""
        ...

    @property
    def substitution(self) -> str:
        """Where substitutes come from if nobody says; empty: any source is as good."""
        ...

    @property
    def goals(self) -> Mapping[str, GoalKind]:
        """The goals by name, the usual one first."""
        ...

    def checked(self, outputs: object, count: int, source: str = "The victim") -> Outputs:
        """The outputs for so many texts, or an error that says what is wrong with them."""
        ...

    def answer(self, output: Output) -> Answer:
        """What the victim says, as it is written into records."""
        ...

    def right(self, answer: Answer, reference: Reference) -> bool:
        """Whether an answer is right."""
        ...

    def read(self, texts: Sequence[str]) -> Reference:
        """A reference as people write it; one that cannot be is refused."""
        ...

    def check(self, context: Mapping[str, str], reference: Reference) -> None:
        """Refuse a context that nothing can be asked about, or that the reference does not fit."""
        ...

    def fixed(self, text: Pieces, reference: Reference) -> tuple[int, ...]:
        """The words that an attack leaves as they are, by position."""
        ...

    def target(self, reference: Reference, seed: int, row: int) -> str:
        """A target for a goal that needs one: the same for every search on a row of data."""
        ...

    def plain(self, output: Output) -> Any:
        """An output as JSON can hold it."""
        ...

    def output(self, plain: Any) -> Output:
        """The output that ``plain`` wrote."""
        ...

    def shown(
        self, before: Output, after: Output, reference: Reference, context: Mapping[str, str]
    ) -> Shown:
        """Two outputs beside each other, as plain data that a page draws."""
        ...

    @property
    def question(self) -> RaterQuestion:
        """What a rater is asked about an attacked text."""
        ...


def usual_goal(task: Task, target: str = "") -> str:
    """The goal of an attack that names none: the first with a target, or the first without."""
    fitting = (name for name, kind in task.goals.items() if kind.needs_target == bool(target))
    return next(fitting, next(iter(task.goals)))
