"""The work of an experiment in pieces that any process can do, and the runner that does it."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock, RLock
from typing import Final, TypeAlias, TypeVar

from core.attack import Attack
from core.errors import CoreError
from core.experiment.inputs import Input
from core.experiment.plan import Plan
from core.experiment.records import AttackRecord, Key, ProofRecord, Record, Swap, VictimJudgement
from core.experiment.results import Results
from core.goals import outputs_of, remembered
from core.objective import Cancelled, Goal
from core.prove import Effort, claim_of, prove
from core.registry import find
from core.search import finder, name_of
from core.sharing import Shared
from core.space import SearchSpace, State
from core.spec import AttackSpec, make_substitution
from core.substitutions.protocol import Substitution
from core.tasks import Task, task_named, task_of
from core.trace import first_success
from core.victims import VICTIMS, Victim, given

T = TypeVar("T")

_KEPT: Final = 64  # spaces and goals, so that all searches on a sentence share them
_CHUNK: Final = 64  # inputs judged at a time


@dataclass(frozen=True)
class JudgeWork:
    """Ask a victim about some inputs: only those it gets right are attacked."""

    victim: str
    inputs: tuple[Input, ...]


@dataclass(frozen=True)
class WorkItem:
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
    def scoring_key(self) -> Hashable:
        """Equal for attacks that differ only in their search: they ask about the same sentences."""
        return self.key[:-2]


@dataclass(frozen=True)
class ProofWork:
    """Prove that an input cannot fall, or how few words it takes."""

    item: WorkItem  # any attack on the same question


Work: TypeAlias = JudgeWork | WorkItem | ProofWork
WorkOutcome: TypeAlias = list[Record] | CoreError


def judging(
    victims: Iterable[str], inputs: Sequence[Input], known: set[tuple[str, int]]
) -> list[JudgeWork]:
    """The inputs no victim was asked about yet, in chunks."""
    tasks = []
    for victim in victims:
        open_ = [each for each in inputs if (victim, each.row) not in known]
        chunks = (open_[start : start + _CHUNK] for start in range(0, len(open_), _CHUNK))
        tasks += [JudgeWork(victim, tuple(chunk)) for chunk in chunks]
    return tasks


def items(plan: Plan, inputs: Sequence[Input]) -> Iterator[WorkItem]:
    """Every attack of the plan; those on one sentence follow each other."""
    for each in inputs:
        for victim in plan.victims:
            for substitution in plan.substitutions:
                for goal in plan.goals:
                    for search in plan.searches:
                        for seed in search.seeds:
                            yield WorkItem(each, victim, substitution.name, goal, search.name, seed)


def spec_of(plan: Plan, given: Input, key: Key, task: Task) -> AttackSpec:
    """The attack of an input that a work item or a record names."""
    row, victim, substitution, goal, search, seed = key
    name, _, target = goal.partition("=")
    if task.goals[name].needs_target and not target:
        target = task.target(given.reference, plan.limits.sample_seed, row)
    return AttackSpec(
        given.text,
        victim,
        next(choice for choice in plan.substitutions if choice.name == substitution),
        next(choice.choice for choice in plan.searches if choice.name == search),
        task.key,
        given.context,
        given.reference,
        name,
        target,
        plan.limits.modification,
        plan.limits.enforced == "constraint",
        plan.limits.budget,
        seed,
    )


def spec_of_record(run: Results, attack: AttackRecord) -> AttackSpec:
    """The attack of a batch run that a record answers."""
    return spec_of(run.plan, run.inputs[attack.row], attack.key, task_named(attack.victim))


class AttackRunner:
    """Victims, substitutions and spaces, each made once; used by many threads if ``shared``."""

    def __init__(self, plan: Plan, shared: bool = False) -> None:
        self.plan = plan
        self.shared = shared
        self._victims: dict[str, Victim] = {}
        self._substitutions: dict[str, Substitution] = {}
        self._spaces: OrderedDict[Hashable, SearchSpace] = OrderedDict()
        self._goals: OrderedDict[Hashable, Goal] = OrderedDict()
        self._lock = RLock()  # a goal needs its victim
        self._proving = Lock()  # beside others each proof would have only a part of its seconds

    def do(self, task: Work, cancelled: Callable[[], bool] = lambda: False) -> WorkOutcome:
        """The records of a task; none if it was cancelled. An attack that fails has one too."""
        try:
            if isinstance(task, JudgeWork):
                return self._judge(task)
            if isinstance(task, ProofWork):
                return self._prove(task, cancelled)
            return self._attack(task, cancelled)
        except Cancelled:
            return []
        except Exception as error:
            message = str(error) if isinstance(error, CoreError) else repr(error)
            return CoreError(message) if isinstance(task, JudgeWork) else [failed(task, message)]

    def close(self) -> None:
        """Stop the victims' workers."""
        for victim in self._victims.values():
            if isinstance(victim, Shared):
                victim.close()

    def attack(self, item: WorkItem, cancelled: Callable[[], bool] = lambda: False) -> Attack:
        """The attack of an item, ready to run; it can be run again at any time."""
        spec = self._spec(item)
        space = self._space(spec)
        return spec.attack(space, self._goal(item, spec, space), cancelled)

    def _attack(self, item: WorkItem, cancelled: Callable[[], bool]) -> list[Record]:
        attack = self.attack(item, cancelled)
        result = attack.run()
        if result.status == "cancelled":
            return []
        victim, space = self._asked(item), attack.space
        found_by = finder(attack.search, result.steps)
        by_member = result.success and found_by is not type(attack.search)
        return [
            AttackRecord(
                *item.key,
                result.status,
                result.queries,
                result.requests,
                len(space.choices),
                space.elements,
                tuple(_swap(space, result.state, at) for at in space.changed(result.state)),
                result.steps[0].current.score,
                result.score,
                task_of(victim).answer(outputs_of(victim, [result.text])[0]),
                name_of(found_by) if by_member else "",
                first=first_success(result.steps, space.allowed(attack.max_changed)) or 0,
            )
        ]

    def _prove(self, task: ProofWork, cancelled: Callable[[], bool]) -> list[Record]:
        item, spec = task.item, self._spec(task.item)
        space, victim = self._space(spec), self._asked(item)
        whole = victim.victim if isinstance(victim, Shared) else victim  # nobody else asks it now
        with self._proving:
            effort = Effort(self.plan.proofs, cancelled=cancelled)
            proof = prove(claim_of(spec, whole, space), effort)
        if cancelled():
            return []
        state = proof.state or space.origin
        return [
            ProofRecord(
                *item.key[:-2],
                proof.verdict,
                proof.safe,
                tuple(_swap(space, state, at) for at in space.changed(state)),
                proof.sentences,
                proof.nodes,
                proof.seconds,
                proof.prover,
            )
        ]

    def _judge(self, task: JudgeWork) -> list[Record]:
        victim = self._victim(task.victim)
        meaning = task_of(victim)
        if any(each.context for each in task.inputs):
            outputs = [
                outputs_of(given(victim, each.context), [each.text])[0] for each in task.inputs
            ]
        else:
            outputs = list(outputs_of(victim, [each.text for each in task.inputs]))
        answers = map(meaning.answer, outputs)
        return [
            VictimJudgement(task.victim, each.row, answer, meaning.right(answer, each.reference))
            for each, answer in zip(task.inputs, answers, strict=True)
        ]

    def _spec(self, item: WorkItem) -> AttackSpec:
        return spec_of(self.plan, item.input, item.key, task_of(self._victim(item.victim)))

    def _goal(self, item: WorkItem, spec: AttackSpec, space: SearchSpace) -> Goal:
        def make() -> Goal:
            return remembered(spec.goal_on(self._asked(item), space), space)

        with self._lock:
            return keep(self._goals, item.scoring_key, make)

    def _asked(self, item: WorkItem) -> Victim:
        return given(self._victim(item.victim), item.input.context)

    def _victim(self, name: str) -> Victim:
        with self._lock:
            if name not in self._victims:
                victim = find(VICTIMS, name, "victim")()
                self._victims[name] = Shared(victim) if self.shared else victim
            return self._victims[name]

    def _space(self, spec: AttackSpec) -> SearchSpace:
        choice = spec.substitution
        with self._lock:  # some models behind substitutions refuse a second thread
            if choice.name not in self._substitutions:
                self._substitutions[choice.name] = make_substitution(choice)
            substitution = self._substitutions[choice.name]
            return keep(
                self._spaces,
                (spec.text, spec.reference, choice.name),
                lambda: spec.space(substitution),
            )


def _swap(space: SearchSpace, state: State, at: int) -> Swap:
    """What a state has at a position, told by the words of the text."""
    first, end = space.starts[at : at + 2]
    return Swap(first, space.choices[at][state[at]], end - first)


def keep(kept: OrderedDict[Hashable, T], key: Hashable, make: Callable[[], T]) -> T:
    """What was made for a key; the first of too many is forgotten."""
    if key not in kept:
        kept[key] = make()
        if len(kept) > _KEPT:
            kept.popitem(last=False)
    return kept[key]


def failed(item: WorkItem | ProofWork, message: str) -> Record:
    """The record of work that ended with an error; running again tries it again."""
    if isinstance(item, ProofWork):
        return ProofRecord(*item.item.key[:-2], "error", error=message)
    return AttackRecord(*item.key, "error", error=message)
