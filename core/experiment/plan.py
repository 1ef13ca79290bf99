"""The plan of an experiment: what is attacked, with what, and within which limits."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import regex

from core.errors import require
from core.experiment.data import USUAL_LIMITS, Limits, Source, source_of
from core.options import Choice, configure, ignored
from core.registry import find
from core.search import SEARCHES
from core.substitutions import SUBSTITUTIONS
from core.tasks import TASKS, task_named
from core.tasks.protocol import usual_goal
from core.victims import VICTIMS

SEEDS: Final = 10  # runs of a randomised search unless the plan says otherwise, as in the paper
_CHOICES: Final = ("victims", "substitutions", "searches", "goals")


@dataclass(frozen=True)
class SearchChoice:
    """A search with its options and the seeds of its runs."""

    method: str
    options: tuple[str, ...] = ()
    seeds: tuple[int, ...] = (0,)

    @property
    def name(self) -> str:
        """How tables call it."""
        return self.choice.name

    @property
    def choice(self) -> Choice:
        """The search without its runs."""
        return Choice(self.method, self.options)


@dataclass(frozen=True)
class Plan:
    """What is attacked, with what, and within which limits."""

    name: str
    data: Source
    victims: tuple[str, ...]
    substitutions: tuple[Choice, ...]
    searches: tuple[SearchChoice, ...]
    goals: tuple[str, ...] = ()  # none: the usual one of the victims' task
    limits: Limits = USUAL_LIMITS
    proofs: float = 0.0  # seconds that each proof may take; 0: nothing is proved

    def __post_init__(self) -> None:
        if self.victims and not self.goals:
            object.__setattr__(self, "goals", (usual_goal(task_named(self.victims[0])),))
        require(
            bool(regex.fullmatch(r"[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}", self.name)),
            f'The name "{self.name}" cannot be used for a file; write letters, digits, dots and '
            "hyphens.",
        )
        for what, names in (
            ("victim", self.victims),
            ("substitution", [choice.name for choice in self.substitutions]),
            ("search", [choice.name for choice in self.searches]),
            ("goal", self.goals),
        ):
            require(bool(names), f"The plan has no {what}; name at least one.")
            twice = [name for number, name in enumerate(names) if name in names[:number]]
            require(not twice, f'The {what} "{(twice or [""])[0]}" is in the plan twice.')
        require(self.proofs >= 0, f"proofs is {self.proofs}; write true, or seconds for each.")
        for goal in self.goals:
            name, equals, target = goal.partition("=")
            known = ", ".join(f'"{each}"' for each in goal_names())
            fine = bool(target) == bool(equals) and goal_names().get(name, False) >= bool(target)
            require(
                name in goal_names() and fine,
                f'There is no goal "{goal}". Write one of {known}, or "targeted=LABEL".',
            )

    def check_names(self) -> None:
        """Refuse parts that do not exist here; results can be read without them."""
        for victim in self.victims:
            find(VICTIMS, victim, "victim")
        for choice in self.substitutions:
            find(SUBSTITUTIONS, choice.method, "substitution")
        for search in self.searches:
            configure(find(SEARCHES, search.method, "search")(), search.options)

    def notes(self) -> list[str]:
        """What a run does not heed of the plan, since it was given up."""
        return [
            f"{search.name}: {note}"
            for search in self.searches
            for note in ignored(SEARCHES[search.method], search.options)
        ]

    def as_dict(self) -> dict[str, Any]:
        """The plan as plain data, the same whether it was made here or read from a file."""
        plain: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return plain


def goal_names() -> dict[str, bool]:
    """The goals of all tasks, and whether they may name a target."""
    tasks = (make(()) for make in TASKS.values())
    return {name: kind.needs_target for task in tasks for name, kind in task.goals.items()}


def plan_of(plain: Mapping[str, Any]) -> Plan:
    """The plan that ``as_dict`` gave."""
    return Plan(
        plain["name"],
        source_of(plain["data"]),
        tuple(plain["victims"]),
        tuple(map(choice_of, plain["substitutions"])),
        tuple(search_of(each, each["seeds"]) for each in plain["searches"]),
        tuple(plain["goals"]),
        Limits(**plain["limits"]),
        plain.get("proofs", 0.0),  # plans from before have none
    )


def choice_of(plain: Mapping[str, Any]) -> Choice:
    """A substitution or a search from plain data; a plan in TOML has its options as a table."""
    method, options = plain["method"], plain.get("options", ())
    if isinstance(options, Mapping):
        options = [f"{name}={value}" for name, value in sorted(options.items())]
    return Choice(method, tuple(options), tuple(plain.get("constraints", ())))


def search_of(plain: Mapping[str, Any], seeds: Sequence[int]) -> SearchChoice:
    """A search from plain data, with its seeds."""
    choice = choice_of(plain)
    return SearchChoice(choice.method, choice.options, tuple(seeds))


def difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """What differs between two plans given as plain data, a line each; choices go by name."""
    old, new = (
        {**plan, **{kind: _by_name(plan[kind]) for kind in _CHOICES}} for plan in (before, after)
    )
    changes = _changes(old, new)
    for kind in _CHOICES:  # the first search is the one that others are compared with
        both = old[kind].keys() & new[kind].keys()
        if [each for each in old[kind] if each in both] != [
            each for each in new[kind] if each in both
        ]:
            changes.append(f"{kind} are in another order")
    return changes


def _changes(old: Mapping[str, Any], new: Mapping[str, Any], path: str = "") -> list[str]:
    changes = [f"{path}{name} was removed" for name in old if name not in new]
    changes += [f"{path}{name} was added" for name in new if name not in old]
    for name, one in old.items():
        other = new.get(name, one)
        if isinstance(one, dict) and isinstance(other, dict):
            changes += _changes(one, other, f"{path}{name}.")
        elif one != other:
            changes.append(f"{path}{name} was {one} and is {other}")
    return changes


def _by_name(choices: Sequence[Any]) -> dict[str, Any]:
    """Choices given as plain data, by the names that tables have for them."""
    return {each if isinstance(each, str) else choice_of(each).name: each for each in choices}
