"""Which rows of which data are attacked, and how far an attack on them may go."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias, get_args

from core.errors import require
from core.registry import find
from core.tasks.answering import Answering
from core.tasks.classification import Classification
from core.tasks.pair import Pair
from core.tasks.translation import Translation

Enforced: TypeAlias = Literal["post-check", "constraint"]
ColumnName: TypeAlias = str | int  # a name of the header; a number from 1 if there is none
MOST_LABELS: Final = 20  # a column with more values holds no labels
BUNDLED: Final = {  # sentences that come with the project, and their task
    "sentiment": Classification.key,
    "news": Classification.key,
    "entailment": Pair.key,
    "opinions": Classification.key,
    "headlines": Classification.key,
    "pairs": Pair.key,
    "questions": Answering.key,
    "captions": Translation.key,
}


@dataclass(frozen=True)
class FileRow:
    """What the file says, unchecked."""

    text: Any
    reference: Any
    context: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Source:
    """Where the rows come from, and which columns and labels are meant."""

    file: str = ""
    parallel: str = ""  # a file with the reference of each line of the other one
    bundled: str = ""
    held_out: str = ""  # rows of a data set that no bundled victim was trained on
    hub: str = ""
    subset: str = ""
    split: str = "test"
    text: ColumnName = "text"
    reference: ColumnName = "label"
    context: tuple[tuple[str, ColumnName], ...] = ()  # a field of the task, and its column
    labels: tuple[tuple[str, str], ...] = ()  # what the file says, and the victim's name for it

    def __post_init__(self) -> None:
        require(
            sum(map(bool, (self.file, self.bundled, self.held_out, self.hub))) == 1,
            "The data needs exactly one of file, bundled, held_out and hub.",
        )
        require(
            bool(self.file) or not self.parallel,
            "parallel is a second file, beside file: its lines are the references.",
        )
        if self.bundled:
            find(BUNDLED, self.bundled, "bundled data set")

    @property
    def name(self) -> str:
        """What it is, in words."""
        named = self.file or self.hub or f"the bundled {self.bundled} sentences"
        return f"held-out rows of {self.held_out}" if self.held_out else named


@dataclass(frozen=True)
class Limits:
    """Which inputs are attacked, and how far an attack may go."""

    shortest: int = 10
    longest: int = 100
    modification: float = 0.25
    enforced: Enforced = "post-check"
    budget: int | None = None
    rows: int | None = None
    sample_seed: int = 0

    def __post_init__(self) -> None:
        require(
            1 <= self.shortest <= self.longest,
            f"words is [{self.shortest}, {self.longest}]; give the fewest words, at least 1, and "
            "the most.",
        )
        require(
            0 <= self.modification <= 1,
            f"modification is {self.modification}; it is a share of the words, from 0 to 1.",
        )
        require(
            self.enforced in get_args(Enforced),
            f'enforced is "{self.enforced}"; write "post-check" or "constraint".',
        )
        for name, value in (("budget", self.budget), ("rows", self.rows)):
            require(value is None or value >= 1, f"{name} is {value}; it must be at least 1.")

    @property
    def rule(self) -> str:
        """How many words a success may change, and when that is looked at."""
        when = "kept to during" if self.enforced == "constraint" else "checked at the end of"
        share = f"at most {100 * self.modification:g} % of the words changed"
        return f"A success has {share}, {when} the search ({self.enforced})."


USUAL_LIMITS: Final = Limits()


def source_of(plain: Mapping[str, Any]) -> Source:
    """A source from plain data; older ones say label and premise for reference and context."""
    new = {key: value for key, value in plain.items() if key not in ("label", "premise")}
    if "label" in plain:
        new["reference"] = plain["label"]
    context = dict(new.get("context", ()))
    if plain.get("premise"):
        context["premise"] = plain["premise"]
    labels = tuple(map(tuple, new.get("labels", ())))
    return Source(**{**new, "labels": labels, "context": tuple(context.items())})
