"""An attack as plain data: complete, and written and read in one way each.

The page's address, the JSON of a trace and a work item of an experiment all mean an ``AttackSpec``;
with a victim and a substitution it becomes an ``Attack``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

from core.attack import Attack, Trace
from core.constraints import constrained
from core.edits import Edits
from core.errors import InputError
from core.goals import outputs_of, task_goal
from core.objective import Goal
from core.options import DIGITS, Choice, configure
from core.registry import find
from core.search import SEARCHES
from core.space import SearchSpace
from core.substitutions import SUBSTITUTIONS
from core.substitutions.protocol import Substitution
from core.tasks import TASKS, task_named, task_of, task_of_card
from core.tasks.protocol import GoalKind, Reference, joined, usual_goal
from core.text import Pieces
from core.victims import VICTIMS, Victim, given

T = TypeVar("T")

FORMAT: Final = 2  # of the JSON; what was written before had no number and other names
BY_HAND: Final = "by hand"  # the search of who swaps words on the page
UNLIMITED: Final = 100_000  # queries, as many as Step through allows: what a page has for no budget
NO_BUDGET: Final = "none"  # in an address that says it
OLD_NAMES: Final = {"label": "reference"}  # of parameters in an address
NO_EDITS: Final = Edits()
_OPTIONS: Final = ("substitution_option", "constraint", "search_option")


@dataclass(frozen=True)
class AttackSpec:
    """What is attacked, with what, towards which goal, and within which limits.

    The task is the victim's and the goal the task's usual one unless they are named.
    """

    text: str
    victim: str
    substitution: Choice
    search: Choice
    task: str = ""
    context: Mapping[str, str] = field(default_factory=dict, hash=False)  # what stays fixed
    reference: Reference = ()  # what is right; empty: what the victim says about the text
    goal: str = ""
    target: str = ""
    max_changed: float = 0.25
    hard_limit: bool = False
    budget: int | None = None
    seed: int = 0
    edits: Edits = NO_EDITS

    def __post_init__(self) -> None:
        if not self.task:
            object.__setattr__(self, "task", task_named(self.victim).key)
        if not self.goal:
            object.__setattr__(self, "goal", self._usual_goal())

    def _usual_goal(self) -> str:
        """The goal that need not be named; none if the task is not known here."""
        return usual_goal(TASKS[self.task](()), self.target) if self.task in TASKS else ""

    @property
    def kind(self) -> GoalKind | None:
        """The goal in words; none if it is not known here."""
        return TASKS[self.task](()).goals.get(self.goal) if self.task in TASKS else None

    # The parts of the attack

    def settled(self, victim: Victim) -> "AttackSpec":
        """The same with a reference; ``victim`` knows the context already."""
        task = task_of(victim)
        reference = task.read(self.reference) if self.reference else ()
        task.check(self.context, reference)
        if not reference:
            said = task.answer(outputs_of(victim, [self.text])[0])
            reference = task.read([str(said)])
        return replace(self, task=task.key, reference=reference)

    def space(self, substitution: Substitution) -> SearchSpace:
        """The sentences the attack may write; a task may leave words alone by the reference."""
        return self.edited(SearchSpace.from_text(self.text, substitution))

    def edited(self, space: SearchSpace) -> SearchSpace:
        """A space of the text after the edits by hand, without what the task leaves alone."""
        task = find(TASKS, self.task, "task")(())
        words = Pieces(tuple(column[0] for column in space.choices), space.gaps)
        return self.edits.apply(space).without(task.fixed(words, self.reference))

    def goal_on(self, victim: Victim, space: SearchSpace) -> Goal:
        """What the attack maximises; ``victim`` knows the context already."""
        return task_goal(victim, space, self.goal, self.reference, self.target)

    def attack(
        self, space: SearchSpace, goal: Goal, cancelled: Callable[[], bool] = lambda: False
    ) -> Attack:
        """The attack on a space towards a goal."""
        search = configure(find(SEARCHES, self.search.method, "search")(), self.search.options)
        limits = (self.budget, self.seed, self.max_changed, self.hard_limit)
        return Attack(space, goal, search, *limits, cancelled)

    def prepare(
        self, victim: Victim | None = None, substitution: Substitution | None = None
    ) -> Attack:
        """The whole attack; a victim and a substitution that are given are not made again."""
        asked = given(victim or find(VICTIMS, self.victim, "victim")(), self.context)
        spec = self.settled(asked)
        space = spec.space(substitution or make_substitution(self.substitution))
        return spec.attack(space, spec.goal_on(asked, space))

    # The address of a page

    def parts(self) -> dict[str, Any]:
        """The parameters of an address by name, with the values of the inputs on the pages."""
        return {
            **{"text": self.text, "victim": self.victim, **self.context},
            **{"search": self.search.method, "seed": self.seed},
            "reference": joined(self.reference),
            **{"goal": "" if self.goal == self._usual_goal() else self.goal},
            **{"target": self.target, "words": self.substitution.method},
            "budget": self.budget or UNLIMITED,
            "limit": float(_percent(self.max_changed)),
            "hard": self.hard_limit,
        }

    def params(self, defaults: "AttackSpec | None" = None) -> dict[str, tuple[str, ...]]:
        """The parameters of an address as texts, empty where they are as in the defaults."""
        texts: dict[str, tuple[str, ...]] = {
            **{name: (str(value),) for name, value in self.parts().items()},
            **{"reference": self.reference, "edits": (self.edits.text(),)},
            "hard": ("true",) if self.hard_limit else (),
            "limit": (f"{_percent(self.max_changed):f}",),
            "budget": (str(self.budget or NO_BUDGET),),
            "search_option": self.search.options,
            "substitution_option": self.substitution.options,
            "constraint": self.substitution.constraints,
        }
        known = defaults.params() if defaults else {}
        written = {name: tuple(filter(None, values)) for name, values in texts.items()}
        return {
            name: () if known.get(name) == values else values for name, values in written.items()
        }

    def address(self) -> str:
        """The query part of an address at which the pages show this attack."""
        return urlencode(self.params(), doseq=True)

    @classmethod
    def of_address(
        cls, params: Mapping[str, Sequence[str]], defaults: "AttackSpec"
    ) -> "AttackSpec":
        """Read an address; what it does not say, or what is no value, is as in ``defaults``."""
        said = modern(params)

        def one(name: str, default: str) -> str:
            return said[name][-1] if said.get(name) else default

        def number(name: str, default: T) -> int | T:
            text = one(name, "")
            return int(text) if text.isdecimal() and len(text) <= DIGITS else default

        victim = one("victim", defaults.victim)
        victim = victim if victim in VICTIMS else defaults.victim
        task = task_of_card(VICTIMS[victim].card if victim in VICTIMS else {})
        options, constraints, search_options = (tuple(said.get(name, ())) for name in _OPTIONS)
        free = one("budget", "") == NO_BUDGET
        return cls(
            one("text", defaults.text),
            victim,
            Choice(
                one("words", task.substitution or defaults.substitution.method),
                options,
                constraints,
            ),
            Choice(_search_key(one("search", defaults.search.method)), search_options),
            task.key,
            {field.key: one(field.key, "") for field in task.context},
            tuple(said.get("reference", defaults.reference)),
            one("goal", ""),
            one("target", defaults.target),
            _share(one("limit", ""), defaults.max_changed),
            one("hard", "true" if defaults.hard_limit else "") == "true",
            None if free else number("budget", 0) or defaults.budget,
            number("seed", defaults.seed),
            Edits.parse(one("edits", "")),
        )

    # JSON

    def plain(self) -> dict[str, Any]:
        """As JSON has it: the ``about`` of a trace."""
        return {
            **{"format": FORMAT, "task": self.task, "text": self.text, "victim": self.victim},
            **{"context": dict(self.context), "reference": list(self.reference)},
            **{"goal": self.goal, "target": self.target, "edits": self.edits.text()},
            "substitution": self.substitution.method,
            "substitution_option": list(self.substitution.options),
            "constraint": list(self.substitution.constraints),
            **{"search": self.search.method, "search_option": list(self.search.options)},
            **{"seed": self.seed, "budget": self.budget},
            **{"max_changed": self.max_changed, "hard_limit": self.hard_limit},
        }

    @classmethod
    def of_plain(cls, about: Mapping[str, Any], text: str) -> "AttackSpec":
        """What ``plain`` wrote about an attack on this text, or one of the pages before it."""
        try:
            known = {key: value for key, value in about.items() if value is not None}
            return cls._read(known if "format" in known else _modern_plain(known), text)
        except (TypeError, ValueError, AttributeError) as error:
            raise InputError(f"What was attacked cannot be read ({error}).") from error

    @classmethod
    def of_trace(cls, trace: Trace) -> "AttackSpec":
        """The attack that a trace, of now or of before, is the answer to."""
        return cls.of_plain(trace.about, trace.space.text(trace.space.origin))

    @classmethod
    def _read(cls, about: Mapping[str, Any], text: str) -> "AttackSpec":
        options, constraints, search_options = (_texts(about.get(name, ())) for name in _OPTIONS)
        budget = about.get("budget")
        return cls(
            text,
            str(about.get("victim", "")),
            Choice(str(about.get("substitution", "")), options, constraints),
            Choice(str(about.get("search", "")), search_options),
            str(about.get("task", "")),
            {str(key): str(value) for key, value in about.get("context", {}).items()},
            _texts(about.get("reference", ())),
            str(about.get("goal", "")),
            str(about.get("target", "")),
            float(about.get("max_changed", cls.max_changed)),
            bool(about.get("hard_limit", False)),
            None if budget is None else int(budget),
            int(about.get("seed", 0)),
            Edits.parse(str(about.get("edits", ""))),
        )


def make_substitution(choice: Choice) -> Substitution:
    made = configure(find(SUBSTITUTIONS, choice.method, "substitution")(), choice.options)
    return constrained(made, choice.constraints)


def modern(params: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """The parameters of an address by the names of today."""
    named = {OLD_NAMES.get(name, name): value for name, value in params.items()}
    return {**named, **{name: value for name, value in params.items() if name not in OLD_NAMES}}


def _search_key(name: str) -> str:
    """A search by its key or by its title, as addresses have it."""
    return next((key for key, one in SEARCHES.items() if name in (key, one.card.title)), name)


def _percent(share: float) -> Decimal:
    """A share in hundredths, with all its digits."""
    return (100 * Decimal(str(share))).normalize()


def _share(percent: str, default: float) -> float:
    """The share that so many hundredths are."""
    try:
        share = Decimal(percent) / 100
    except InvalidOperation:
        return default
    return float(share) if share.is_finite() and share >= 0 else default


def _texts(values: Any) -> tuple[str, ...]:
    return tuple(map(str, [values] if isinstance(values, str) else values))


def _modern_plain(about: Mapping[str, Any]) -> dict[str, Any]:
    """The four ways in which pages and the command line wrote ``about`` before it had a format.

    The substitution was called ``words`` on the pages, and labels stood by name or by number.
    """
    task = task_named(str(about.get("victim", "")))
    names = {str(at): label for at, label in enumerate(task.choices)}

    def label(name: str) -> str:
        found = str(about.get(name, ""))
        return names.get(found, found) if isinstance(about.get(name), int) else found

    target, premise = label("target"), str(about.get("premise", ""))
    return {
        **about,
        **{"task": task.key, "target": target},
        "reference": [label("label")] if "label" in about else [],
        "substitution": about.get("words") or about.get("substitution", ""),
        "context": {"premise": premise} if premise else {},
    }
