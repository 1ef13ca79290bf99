"""Set functions by hand: small instances, each made to show one thing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, cast

import numpy as np

from core.attack import Attack
from core.errors import InputError, require
from core.goals import task_goal
from core.measure import SET_FUNCTION
from core.narrate import Rules
from core.objective import Floats, Step
from core.search import name_of
from core.search.local import LocalSearch
from core.space import HIDDEN, Exchange, SearchSpace
from core.story import narrate
from core.tasks.set_function import LARGEST, SetFunction
from core.theory.matroid import Chosen, PartitionMatroid, SetKind, SetStep, local_search

FULL = SET_FUNCTION.largest
OWN = "your own"


@dataclass(frozen=True)
class Instance:
    """A value from 0 to 100 for every feasible set of a partition matroid."""

    title: str
    lesson: str
    matroid: PartitionMatroid
    values: Mapping[Chosen, float]
    hidden: tuple[float, ...] = ()  # the value with each word hidden; else that of the original
    goal: float | None = None  # a value above which a search has reached what it wants

    def __post_init__(self) -> None:
        for chosen in self.matroid.sets():
            value = self.values.get(chosen)
            name = self.matroid.name(chosen)
            require(value is not None, f"The set {name} has no value; give it one.")
            require(
                value is not None and 0 <= value <= FULL,
                f"The value of {name} is {value}; it must lie between 0 and 100.",
            )
        require(self.goal is None or 0 <= self.goal <= FULL, "The goal must lie within 0 and 100.")

    def f(self, chosen: Chosen) -> float:
        """The value of a feasible set."""
        return self.values[chosen]

    @cached_property
    def space(self) -> SearchSpace:
        """The instance as a sentence, where every d_i is 1."""
        return self.matroid.space()

    @cached_property
    def victim(self) -> "SetFunctionVictim":
        """A victim that reads that sentence and says f."""
        space, origin = self.space, self.space.origin
        values_of = {}
        for index in np.ndindex(*(len(column) + 1 for column in space.choices)):
            state = tuple(choice + HIDDEN for choice in index)  # a hidden word is no substitute
            chosen = self.matroid.chosen(tuple(max(choice, 0) for choice in state))
            values_of[space.text(state)] = self.f(chosen)
        for position, value in enumerate(self.hidden):
            values_of[space.text((*origin[:position], HIDDEN, *origin[position + 1 :]))] = value

        return SetFunctionVictim(values_of)


@dataclass(frozen=True)
class SetFunctionVictim:
    """Says the value of f for each of its sentences."""

    values: Mapping[str, float]
    labels: ClassVar[tuple[str, ...]] = ()
    task_key: ClassVar[str] = SetFunction.key

    def predict(self, texts: Sequence[str]) -> Floats:
        """f of each sentence."""
        return np.array([self.values[text] for text in texts], dtype=np.float64)


def local_steps(instance: Instance, exchange: Exchange) -> tuple[list[SetStep], list[str]]:
    """Local search on an instance to its own end, and each step in words.

    It is the search of the attacks, with its words, wherever the instance is a sentence.
    """
    matroid = instance.matroid
    if not matroid.is_sentence:
        return list(local_search(matroid, instance.f, exchange=exchange)), []
    space = instance.space
    goal = task_goal(instance.victim, space, LARGEST, ())
    result = Attack(space, goal, LocalSearch(exchange=exchange), max_changed=1.0).run()
    rules = Rules(measure=SET_FUNCTION, reached="")
    story = narrate(space, result.steps, name_of(LocalSearch), result.status, rules)[:-1]
    return [_set_step(matroid, one.step) for one in story], [one.sentence for one in story]


def _set_step(matroid: PartitionMatroid, step: Step) -> SetStep:
    """A step of an attack as a step on sets."""
    kind = cast(SetKind, step.kind)
    tried = tuple((kind, matroid.chosen(one.state), one.score) for one in step.tried)
    return SetStep(kind, matroid.chosen(step.current.state), step.current.score, tried)


def instance(
    title: str,
    lesson: str,
    blocks: str,
    f: Callable[[Chosen], float],
    limit: int = 1,
    hidden: tuple[float, ...] = (),
    goal: float | None = None,
) -> Instance:
    """An instance from blocks written as ``a1 a2 | b1``, with the same limit for each of them."""
    columns = tuple(tuple(block.split()) for block in blocks.split("|"))
    matroid = PartitionMatroid(columns, tuple(min(limit, len(column)) for column in columns))
    values = {chosen: float(f(chosen)) for chosen in matroid.sets()}
    return Instance(title, lesson, matroid, values, hidden, goal)


def sums(
    base: float, singles: Mapping[str, float], pairs: Mapping[str, float] | None = None
) -> Callable[[Chosen], float]:
    """A base value, a value for each element, and one for each pair ``x y`` that is together."""

    def f(chosen: Chosen) -> float:
        together = [v for pair, v in (pairs or {}).items() if chosen.issuperset(pair.split())]
        return base + sum(singles[e] for e in chosen) + sum(together)

    return f


def listed(values: Mapping[str, float]) -> Callable[[Chosen], float]:
    """A value for each set, written as ``a1 b1``."""
    sets = {frozenset(names.split()): value for names, value in values.items()}
    return sets.__getitem__


def _two_hills(chosen: Chosen) -> float:
    high = len(chosen & {"a2", "b2", "c2"})
    return 35 - 5 * high if "a1" in chosen else (0, 34, 67, 100)[high]


def _cover(chosen: Chosen) -> float:
    covers = {"a1": "pqr", "a2": "rst", "b1": "pq", "b2": "stu", "c1": "vw", "c2": "uvq"}
    return 10.0 * len(set("".join(covers[e] for e in chosen)))


def _cut(chosen: Chosen) -> float:
    edges = {("a", "b"): 30, ("b", "c"): 20, ("c", "d"): 25, ("a", "d"): 10, ("a", "c"): 15}
    return sum(weight for ends, weight in edges.items() if len(chosen.intersection(ends)) == 1)


_E1 = {"a1": 12, "a2": 8, "b1": 10, "b2": 5, "b3": 2, "c1": 6}
_E1_PAIRS = {"a2 b1": 15, "a1 b1": -3, "a1 c1": -3}

INSTANCES: dict[str, Instance] = {
    "exchange": instance(
        "E1: exchange matters",
        "Greedy keeps a1 and ends at 32; local search exchanges it for a2 and reaches 49.",
        "a1 a2 | b1 b2 b3 | c1",
        sums(10, _E1, _E1_PAIRS),
    ),
    "deletion": instance(
        "E2: deletion matters",
        "Greedy ends at 30; local search deletes its first word again and reaches 40. (Exchanges "
        "between two words get there without the deletion.)",
        "a | b | c",
        listed(
            {"": 10, "a": 20, "b": 15, "c": 14, "a b": 25, "a c": 22, "b c": 40, "a b c": 30}
        ),
    ),
    "complement": instance(
        "E3: the complement wins",
        "Local search stops at 30; what it did not choose is worth 50.",
        "a1 a2 | b1 b2",
        listed(
            {
                "": 10, "a1": 20, "a2": 5, "b1": 18, "b2": 5,
                "a1 b1": 30, "a1 b2": 12, "a2 b1": 12, "a2 b2": 50,
            }
        ),
    ),
    "ties": instance(
        "E4: ties",
        "Two first moves are equally good; the first in order wins.",
        "a1 a2 | b1 b2",
        listed(
            {
                "": 10, "a1": 20, "a2": 15, "b1": 15, "b2": 20,
                "a1 b1": 21, "a1 b2": 20, "a2 b1": 30, "a2 b2": 26,
            }
        ),
    ),
    "four": instance(
        "E5: four words",
        "Greedy ends at 31; one exchange on the way brings local search to 43.",
        "a1 | b1 b2 | c1 c2 | d1 d2 d3",
        sums(
            5,
            {"a1": 4, "b1": 9, "b2": 7, "c1": 6, "c2": 3, "d1": 8, "d2": 8, "d3": 1},
            {"b1 d1": -6, "b2 d2": 5, "b2 c2": 9, "a1 d2": -2, "c2 d2": 4, "c1 d1": 2},
        ),
    ),
    "additive": instance(
        "E6: additive",
        "Every element counts for itself: greedy, local search and the optimum agree.",
        "a1 a2 | b1 b2 | c1 c2",
        sums(10, {"a1": 10, "a2": 5, "b1": 8, "b2": 4, "c1": 6, "c2": 1}),
    ),
    "stuck": instance(
        "E7: stuck at 35 of 100",
        "Local search takes the best first move and stops at 35; the optimum is 100.",
        "a1 a2 a3 | b1 b2 b3 | c1 c2 c3",
        _two_hills,
    ),
    "goal": instance(
        "E8: with a goal",
        "E1 with a higher start: the search wants f above 50, and a hidden word has a value too.",
        "a1 a2 | b1 b2 b3 | c1",
        sums(25, _E1, _E1_PAIRS),
        hidden=(30, 45, 28),
        goal=50,
    ),
    "cover": instance(
        "Monotone submodular",
        "Each element covers some letters. On feasible sets f never falls and gains shrink; "
        "counting infeasible sets as 0 breaks both.",
        "a1 a2 | b1 b2 | c1 c2",
        _cover,
    ),
    "cut": instance(
        "Submodular, every set feasible",
        "The cut of a small graph: one element a block, so Corollary 1 really applies.",
        "a | b | c | d",
        _cut,
    ),
    "two": instance(
        "Two of each block",
        "The general problem of the paper, d_i = 2: local search exchanges a1 for a2 and ends with "
        "two elements of each block.",
        "a1 a2 a3 | b1 b2 b3",
        sums(
            5,
            {"a1": 20, "a2": 15, "a3": 12, "b1": 18, "b2": 10, "b3": 8},
            {"a1 a2": -15, "a2 a3": 12, "a1 b1": -10, "a3 b2": 9, "a2 b2": 8},
        ),
        limit=2,
    ),
}  # fmt: skip


def written(one: Instance) -> str:
    """An instance with every d_i = 1 in one line: its blocks, the values of its sets, its goal."""
    blocks = "|".join(map(" ".join, one.matroid.blocks))
    values = " ".join(f"{one.f(chosen):g}" for chosen in one.matroid.sets())
    return f"{blocks}={values}" + ("" if one.goal is None else f">{one.goal:g}")


def parse(line: str) -> Instance:
    """The instance of such a line; one of those above where it is the same."""
    try:
        names, numbers = line.split("=")
        numbers, _, above = numbers.partition(">")
        values = list(map(float, numbers.split()))
        goal = float(above) if above else None
    except ValueError as error:
        raise InputError("This is no set function; copy the whole link.") from error
    blocks = tuple(tuple(block.split()) for block in names.split("|"))
    matroid = PartitionMatroid(blocks, (1,) * len(blocks))
    require(
        matroid.size == len(values),
        f"The set function has {matroid.size:,} feasible sets and {len(values):,} values.",
    )
    of_sets = dict(zip(matroid.sets(), values, strict=True))
    own = Instance(OWN, "From a link.", matroid, of_sets, goal=goal)
    # links of before did not tell the goal
    alike = (own, *(replace(own, goal=one.goal) for one in INSTANCES.values() if goal is None))
    lines = set(map(written, alike))
    return next((one for one in INSTANCES.values() if written(one) in lines), own)
