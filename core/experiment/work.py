"""The work of an experiment in pieces that any process can do, and the bench it is done on."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from threading import RLock
from typing import Any, Final, TypeAlias, TypeVar

from core.attack import Attack
from core.constraints import constrained
from core.errors import CoreError
from core.experiment.inputs import Input
from core.experiment.plan import Plan, SubstitutionChoice
from core.experiment.store import Record
from core.goals import probabilities, remembered, targeted, untargeted
from core.objective import Cancelled, Goal
from core.options import configure
from core.registry import find
from core.search import SEARCHES, finder, name_of
from core.sharing import Shared
from core.space import SearchSpace
from core.substitutions import SUBSTITUTIONS, Substitution
from core.victims import VICTIMS, Victim, with_premise

T = TypeVar("T")
Key: TypeAlias = tuple[int, str, str, str, str, int]

PARTS: Final = ("row", "victim", "substitution", "goal", "search", "seed")  # of a key
_KEPT: Final = 64  # spaces and goals, so that all searches on a sentence share them
_CHUNK: Final = 64  # inputs judged at a time


@dataclass(frozen=True)
class Judge:
    """Ask a victim about some inputs: only those it gets right are attacked."""

    victim: str
    inputs: tuple[Input, ...]


@dataclass(frozen=True)
class Item:
    """One attack."""

    input: Input
    victim: str
    substitution: str
    goal: str
    search: str
    seed: int

    @property
    def key(self) -> Key:
        """What makes it different from all other attacks of the experiment."""
        rest = (self.victim, self.substitution, self.goal, self.search, self.seed)
        return (self.input.row, *rest)

    @property
    def ground(self) -> Hashable:
        """Equal for attacks that differ only in their search: they ask about the same sentences."""
        return self.key[:-2]

    @property
    def head(self) -> Record:
        """The first fields of its record."""
        return {"kind": "result", **dict(zip(PARTS, self.key, strict=True))}


Task: TypeAlias = Judge | Item
Outcome: TypeAlias = list[Record] | CoreError


def key_of(record: Mapping[str, Any]) -> Key:
    """The key of a recorded attack."""
    row, victim, substitution, goal, search, seed = (record[part] for part in PARTS)
    return row, victim, substitution, goal, search, seed


def judging(
    victims: Iterable[str], inputs: Sequence[Input], known: set[tuple[str, int]]
) -> list[Judge]:
    """The inputs no victim was asked about yet, in chunks."""
    tasks = []
    for victim in victims:
        open_ = [each for each in inputs if (victim, each.row) not in known]
        chunks = (open_[start : start + _CHUNK] for start in range(0, len(open_), _CHUNK))
        tasks += [Judge(victim, tuple(chunk)) for chunk in chunks]
    return tasks


def items(plan: Plan, inputs: Sequence[Input]) -> Iterator[Item]:
    """Every attack of the plan; those on one sentence follow each other."""
    for each in inputs:
        for victim in plan.victims:
            for substitution in plan.substitutions:
                for goal in plan.goals:
                    for search in plan.searches:
                        for seed in search.seeds:
                            yield Item(each, victim, substitution.name, goal, search.name, seed)


def target_of(label: str, labels: Sequence[str], seed: int, row: int) -> str:
    """The label a targeted attack aims at: the same for every search on a row.

    With two labels it is the other one; entailment and contradiction aim at each other; otherwise
    it is drawn from the other labels.
    """
    opposite = {"entailment": "contradiction", "contradiction": "entailment"}.get(label)
    others = [other for other in labels if other != label]
    return opposite if opposite in others else Random(f"{seed} {row}").choice(others)


def make_substitution(choice: SubstitutionChoice) -> Substitution:
    """A substitution with the options and constraints of the plan."""
    made = configure(find(SUBSTITUTIONS, choice.method, "substitution")(), choice.options)
    return constrained(made, choice.constraints)


class Bench:
    """Victims, substitutions and spaces, each made once; used by many threads if ``shared``."""

    def __init__(self, plan: Plan, shared: bool = False) -> None:
        self.plan = plan
        self.shared = shared
        self._searches = {
            choice.name: configure(SEARCHES[choice.method](), choice.options)
            for choice in plan.searches
        }
        self._choices = {choice.name: choice for choice in plan.substitutions}
        self._victims: dict[str, Victim] = {}
        self._substitutions: dict[str, Substitution] = {}
        self._spaces: OrderedDict[Hashable, SearchSpace] = OrderedDict()
        self._goals: OrderedDict[Hashable, Goal] = OrderedDict()
        self._lock = RLock()  # a goal needs its victim

    def do(self, task: Task, cancelled: Callable[[], bool] = lambda: False) -> Outcome:
        """The records of a task; none if it was cancelled. An attack that fails has one too."""
        try:
            if isinstance(task, Judge):
                return self._judge(task)
            return self._attack(task, cancelled)
        except Cancelled:
            return []
        except Exception as error:
            said = str(error) if isinstance(error, CoreError) else repr(error)
            return CoreError(said) if isinstance(task, Judge) else [failed(task, said)]

    def close(self) -> None:
        """Stop the victims' workers."""
        for victim in self._victims.values():
            if isinstance(victim, Shared):
                victim.close()

    def attack(self, item: Item, cancelled: Callable[[], bool] = lambda: False) -> Attack:
        """The attack of an item, ready to run; it can be run again at any time."""
        limits = self.plan.limits
        space = self._space(item.input.text, item.substitution)
        return Attack(
            space,
            self._goal(item, space),
            self._searches[item.search],
            limits.budget,
            item.seed,
            limits.modification,
            limits.enforced == "constraint",
            cancelled,
        )

    def _attack(self, item: Item, cancelled: Callable[[], bool]) -> list[Record]:
        attack = self.attack(item, cancelled)
        result = attack.run()
        if result.status == "cancelled":
            return []
        victim, space = self._asked(item), attack.space
        output = int(probabilities(victim, [result.text])[0].argmax())
        found_by = finder(attack.search, result.steps)
        by = {}
        if result.success and found_by is not type(attack.search):
            by = {"member": name_of(found_by)}
        swaps = [[at, space.choices[at][result.state[at]]] for at in space.changed(result.state)]
        return [
            item.head
            | {
                "status": result.status,
                "queries": result.queries,
                "requests": result.requests,
                "words": len(space.choices),
                "substitutes": space.elements,
                "swaps": swaps,
                "start": result.steps[0].current.score,
                "score": result.score,
                "output": victim.labels[output],
                **by,
            }
        ]

    def _judge(self, task: Judge) -> list[Record]:
        victim = self._victim(task.victim)
        if any(each.premise for each in task.inputs):
            pairs = [(with_premise(victim, each.premise), each.text) for each in task.inputs]
            tops = [int(probabilities(asked, [text])[0].argmax()) for asked, text in pairs]
        else:
            tops = (
                probabilities(victim, [each.text for each in task.inputs]).argmax(axis=1).tolist()
            )
        return [
            {"kind": "judged", "victim": task.victim, "row": each.row, "label": victim.labels[top]}
            for each, top in zip(task.inputs, tops, strict=True)
        ]

    def _goal(self, item: Item, space: SearchSpace) -> Goal:
        with self._lock:
            return keep(
                self._goals, item.ground, lambda: remembered(self._new_goal(item, space), space)
            )

    def _new_goal(self, item: Item, space: SearchSpace) -> Goal:
        victim, label = self._asked(item), item.input.label
        name, _, target = item.goal.partition("=")
        if name == "untargeted":
            return untargeted(victim, space, label)
        seed = self.plan.limits.sample_seed
        return targeted(
            victim, space, target or target_of(label, victim.labels, seed, item.input.row)
        )

    def _asked(self, item: Item) -> Victim:
        return with_premise(self._victim(item.victim), item.input.premise)

    def _victim(self, name: str) -> Victim:
        with self._lock:
            if name not in self._victims:
                victim = find(VICTIMS, name, "victim")()
                self._victims[name] = Shared(victim) if self.shared else victim
            return self._victims[name]

    def _space(self, text: str, substitution: str) -> SearchSpace:
        with self._lock:  # some models behind substitutions refuse a second thread
            if substitution not in self._substitutions:
                made = make_substitution(self._choices[substitution])
                self._substitutions[substitution] = made
            made = self._substitutions[substitution]
            key = (text, substitution)
            return keep(self._spaces, key, lambda: SearchSpace.from_text(text, made))


def keep(kept: OrderedDict[Hashable, T], key: Hashable, make: Callable[[], T]) -> T:
    """What was made for a key; the first of too many is forgotten."""
    if key not in kept:
        kept[key] = make()
        if len(kept) > _KEPT:
            kept.popitem(last=False)
    return kept[key]


def failed(item: Item, said: str) -> Record:
    """The record of an attack that ended with an error; running again tries it again."""
    return item.head | {"status": "error", "error": said}
