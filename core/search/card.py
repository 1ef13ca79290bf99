"""What a search says about itself: pages, command line, narration and plans read only this."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

# Searches had a limit of their own once; old links, plans and results still name it.
OWN_LIMIT: Final[Mapping[str, str]] = {"limit": "the attack's own limit of changed words counts"}


class PseudocodeLine(NamedTuple):
    """A numbered line of pseudocode, with the phases of the search in which it runs."""

    number: int
    indent: int
    text: str
    phases: frozenset[str]


@dataclass(frozen=True)
class Population:
    """What to know of a search that holds many sentences at a time."""

    shades: str  # what shades and rings of the lattice mean
    remembers: bool = False  # whether each member keeps the best sentence it has had


@dataclass(frozen=True)
class Card:
    """A search in words and colours, and what can be known of it before it runs."""

    title: str = ""
    story: str = ""  # one line that goes on after the title and a colon
    colour: str = "#6b7280"
    dash: str = "solid"
    sees: Literal["scores", "labels"] = "scores"
    randomised: bool = False  # it draws at random, so that a seed makes a difference
    pseudocode: tuple[PseudocodeLine, ...] = ()
    compares_all: bool = False  # it compares every change, so that its next move can be predicted
    no_guess: str = ""  # why there is nothing to predict, if there is a reason of its own
    must_beat: Literal["nothing", "current", "original"] = "nothing"  # to be taken as a move
    population: Population | None = None
    largest: int | None = None  # sentences of the largest space it takes
    beside_paper: str = ""  # what to know when its figures stand beside the paper's

    @property
    def about(self) -> str:
        """Title and story in one line."""
        return f"{self.title}: {self.story}"

    def takes(self, size: int) -> bool:
        """Whether it can search a space of so many sentences."""
        return self.largest is None or size <= self.largest

    def active_lines(self, phase: str, kind: str) -> tuple[int, ...]:
        """The lines that run in a phase; if none names the phase, those that name the step's kind.

        So a line needs to name phases only where steps of one kind do different things.
        """
        for name in (phase, kind):
            if found := tuple(line.number for line in self.pseudocode if name in line.phases):
                return found
        return ()


def pseudocode(text: str, after: Sequence[PseudocodeLine] = ()) -> tuple[PseudocodeLine, ...]:
    """Read one line of pseudocode per line; after "#" stand the phases in which it runs.

    Two spaces of indent are one level; a line that begins with a dash is there for the eye.
    """
    lines = []
    for number, line in enumerate(text.strip("\n").splitlines(), start=len(after) + 1):
        code, _, phases = line.partition("#")
        named = frozenset(name.strip() for name in phases.split(",") if name.strip())
        lines.append(
            PseudocodeLine(number, (len(code) - len(code.lstrip())) // 2, code.strip(), named)
        )
    return (*after, *lines)
