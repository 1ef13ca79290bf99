"""Adversarial training: craft examples on training rows, train with them, attack again.

As in the paper, the adversarial examples are as many as a share of the training rows (8 %), they
join the training rows with their true labels, and what is gained is the drop in success of the
attacks on rows that were used neither to train nor to stop.
"""

import json
import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal, TypeAlias, TypeVar

import numpy as np

from core.errors import CoreError, InputError, require
from core.experiment import inputs, runner
from core.experiment.data import FileRow, Limits, Source
from core.experiment.engines import Local
from core.experiment.hardened import Crafting, Report, drops
from core.experiment.inputs import Input
from core.experiment.metrics import is_success
from core.experiment.plan import Plan, SearchChoice
from core.experiment.proofs import truths
from core.experiment.results import Results
from core.experiment.runner import RunProgress
from core.generators import follow, mapped
from core.options import Choice
from core.prove.claim import SECONDS
from core.registry import Entry, find
from core.search import DEFAULT
from core.spec import make_substitution
from core.tasks import Task, task_named
from core.victims import VICTIMS, words
from core.victims.card import WEIGHTS, read_card, write_card
from core.victims.recipes import RECIPES, Recipe
from core.victims.training import data
from core.victims.training.data import Example, Split
from core.victims.training.measure import accuracy, predict_rows

T = TypeVar("T")
Stage: TypeAlias = Literal["craft", "train", "attack"]

SHARE: Final = 0.08  # of the training rows, as in the paper, like the three below
SEMEME: Final = Choice("sememe")
SEARCH: Final = SearchChoice(DEFAULT)
LIMITS: Final = Limits()
STAGES: Final = {
    "craft": "crafting examples on training rows",
    "train": "training with them",
    "attack": "attacking held-out rows, before and after",
}
ANEW: Final = "trained anew from the start of its recipe"
CERTIFIED: Final = "trained further so that proofs succeed, by the worst that swaps could do"
FURTHER: Final = "trained further, not anew, since the rows are few"
_BUNDLED: Final = {
    **dict.fromkeys(("sst2", "mr", "imdb"), "sentiment"),
    "ag": "news",
    "snli": "entailment",
}
_TRIES: Final = 3  # rows drawn at most for each example that is wanted
_EPOCHS: Final = 5  # of training further
_SLOWER: Final = 0.3  # its rate, as a share of the recipe's
_RESULTS: Final = "attacks.results.jsonl"


@dataclass(frozen=True)
class HardeningTask:
    """What is hardened, with which examples, and which attacks judge it.

    ``folder`` holds the data that the victims are trained on, and training starts anew. Without
    it the victim is trained further on the rows of ``source``.
    """

    victim: str
    folder: Path | None = None
    source: Source | None = None  # the bundled sentences of the victim's task if not said
    base: Path = Path()  # file names of the source are relative to it
    share: float = SHARE
    substitution: Choice = SEMEME
    search: SearchChoice = SEARCH
    attackers: tuple[SearchChoice, ...] = ()  # the search that crafts, if not said
    limits: Limits = LIMITS
    rows: int | None = None  # most held-out rows that are attacked
    seed: int = 0
    out: Path | None = None
    certify: bool = False  # train for proofs instead of with adversarial examples
    control: bool = False  # train with the same rows unattacked: what more training alone does

    def __post_init__(self) -> None:
        find(VICTIMS, self.victim, "victim")
        require(
            self.victim in RECIPES,
            f'"{self.victim}" cannot be trained again, since it has no recipe; choose one of: '
            f"{', '.join(RECIPES)}.",
        )
        require(
            0 < self.share <= 1,
            f"The share is {self.share}; it is a part of the training rows, above 0 and at most 1.",
        )
        require(
            not self.certify or self.recipe.network == "cnn",
            f'"{self.victim}" cannot be trained for proofs; choose a word-CNN, such as cnn-sst2.',
        )
        require(self.rows is None or self.rows >= 1, f"rows is {self.rows}; it must be at least 1.")
        require(
            self.folder is None or self.source is None,
            "Give the folder of the training data or the rows of a plan, not both.",
        )
        require(
            self.out is None or (self.out.parent.is_dir() and not self.out.exists()),
            f"The hardened victim cannot be written to {self.out}; name a new folder inside one "
            "that exists.",
        )

    @property
    def recipe(self) -> Recipe:
        return RECIPES[self.victim]

    @property
    def command(self) -> str:
        """What to type to make the hardened victim again."""
        rows = "--data DIR " if self.folder else "--plan PLAN " if self.source else ""
        how = f"--substitution {self.substitution.method} --search {self.search.method}"
        how += " --certify" if self.certify else ""
        what = f"{self.victim} {rows}{how} --share {self.share:g} --seed {self.seed}"
        return f"python -m core harden {what}{' --control' if self.control else ''} --out DIR"

    @property
    def task(self) -> Task:
        return task_named(self.victim)

    @property
    def searches(self) -> tuple[SearchChoice, ...]:
        """The searches that attack before and after, each once."""
        return tuple({each.name: each for each in self.attackers or (self.search,)}.values())

    def plan(self, name: str, victims: Sequence[str], searches: Sequence[SearchChoice]) -> Plan:
        """Attacks on rows that stand in a file of this name."""
        seeded = tuple(replace(search, seeds=(self.seed,)) for search in searches)
        context = tuple((field.key, field.key) for field in self.task.context)
        source = Source(file=f"{name}.jsonl", context=context)
        limits = replace(self.limits, rows=None)
        return Plan(name, source, tuple(victims), (self.substitution,), seeded, limits=limits)


@dataclass(frozen=True)
class HardeningProgress:
    """What is going on and how far it is."""

    stage: Stage
    done: float
    total: float
    message: str

    @property
    def about(self) -> str:
        """What is going on, in words."""
        return f"{STAGES[self.stage]}: {self.message}"


@dataclass(frozen=True)
class Crafted:
    """Adversarial examples with their true labels, and what they took."""

    examples: tuple[Example, ...] = ()
    drawn: int = 0
    attacked: int = 0


def shuffled(rows: Sequence[T], seed: int) -> list[T]:
    """All rows in a random order, the same for the same seed."""
    return Random(seed).sample(rows, len(rows))


def wanted(share: float, rows: int) -> int:
    """How many examples a share of the training rows is; at least one."""
    return max(1, round(share * rows))


def cut(rows: Sequence[Example], seed: int) -> Split:
    """Half of the rows to train, an eighth to stop, the rest to attack; premises stay together."""
    groups: dict[str, list[Example]] = {}
    for row in rows:
        groups.setdefault(row.context or row.text, []).append(row)
    order = shuffled(list(groups.values()), seed)
    half = len(order) // 2
    rest = half + -(-len(order) // 8)
    train, stop, held_out = (
        tuple(row for group in part for row in group)
        for part in (order[:half], order[half:rest], order[rest:])
    )
    require(
        bool(train and stop and held_out),
        f"{len(rows):,} rows are too few to train, to stop and to attack on; give more.",
    )
    note = f"{len(train):,} rows train, {len(stop):,} stop, {len(held_out):,} are held out"
    return Split(train, stop, held_out, note)


def load_split(task: HardeningTask) -> Split:
    """Rows to train on, to stop on and to attack; the same for the same seed."""
    if task.folder is not None:
        try:
            return data.load(task.recipe.data, task.folder)
        except OSError as error:
            raise InputError(
                f"The training data in {task.folder} cannot be read ({error.strerror}: "
                f"{error.filename}); give the folder that python -m core.victims.training.train "
                "takes."
            ) from error
    source = task.source or Source(bundled=_BUNDLED[task.recipe.data])
    labels = task.recipe.labels
    found = inputs.load(source, task.limits, task.task, task.base)
    return cut([_example(each, labels) for each in found.used], task.seed)


def usable(task: HardeningTask, examples: Sequence[Example]) -> list[Example]:
    """The rows that may be attacked: within the limits, each text once."""
    labels = task.recipe.labels
    rows = (FileRow(each.text, labels[each.label], {"premise": each.context}) for each in examples)
    plan = task.plan("rows", (task.victim,), task.searches)
    found = inputs.choose(rows, plan.data, plan.limits, task.task)
    return [_example(each, labels) for each in found.used]


def gentle(recipe: Recipe, rows: int) -> Recipe:
    """A recipe to train further on few rows: small batches, a lower rate, few epochs."""
    batch = min(recipe.batch, max(4, rows // 16))
    rate = recipe.rate * _SLOWER
    return replace(
        recipe, epochs=_EPOCHS, batch=batch, rate=rate, checks=1, patience=_EPOCHS, mean_keeps=0.0
    )


def for_proofs(recipe: Recipe) -> Recipe:
    """A recipe to train further on the worst that swaps could do."""
    return replace(recipe, epochs=_EPOCHS, batch=32, checks=1, patience=_EPOCHS, mean_keeps=0.0)


def harden(
    task: HardeningTask, watch: Callable[[HardeningProgress], object] = lambda step: None
) -> Report:
    return follow(steps(task), watch)


def steps(task: HardeningTask) -> Generator[HardeningProgress, None, Report]:
    """The same as steps of progress; nothing is kept unless it comes to its end."""
    for searches in ((task.search,), task.searches):
        runner.check(task.plan("check", (task.victim,), searches))
    split = load_split(task)
    name = _free_name(f"{task.victim}-hardened")
    with _workplace(task.out) as work:
        if task.certify:
            crafted, grown = Crafted(), replace(split, train=tuple(usable(task, split.train)))
        else:
            crafted = yield from _craft(task, split, work)
            grown = replace(split, train=(*split.train, *crafted.examples))
        card = yield from _train(task, grown, name, work)
        with _registered(name, work, card):
            results = yield from _attack(task, split, name, work)
            before, after = (_accuracy(each, split) for each in (task.victim, name))
        report = Report(
            task.victim,
            name,
            CERTIFIED if task.certify else FURTHER if task.folder is None else ANEW,
            Crafting(
                task.substitution.name,
                task.search.name,
                task.seed,
                0 if task.certify else wanted(task.share, len(split.train)),
                crafted.drawn,
                crafted.attacked,
                len(crafted.examples),
                task.control,
            ),
            len(split.train),
            split.note,
            len(split.held_out),
            before,
            after,
            drops(results),
            str(task.out or ""),
            tuple(truth.sentence for truth in truths(results)),
        )
        if task.out is not None:
            _keep(report, {**card, "command": task.command}, work, task.out)
    return report


def _craft(
    task: HardeningTask, split: Split, work: Path
) -> Generator[HardeningProgress, None, Crafted]:
    """Attack rows one after the other until there are enough examples, or no rows left to draw."""
    count, labels = wanted(task.share, len(split.train)), task.recipe.labels
    yield HardeningProgress("craft", 0, count, f"choosing from {len(split.train):,} rows")
    order = shuffled(usable(task, split.train), task.seed)[: _TRIES * count]
    found = Crafted()
    while len(found.examples) < count and found.drawn < len(order):
        have = len(found.examples)
        rows = order[found.drawn : found.drawn + count - have]  # so that there are never too many
        plan = task.plan(f"craft-{found.drawn}", (task.victim,), (task.search,))

        def report(at: RunProgress, have: int = have) -> HardeningProgress:
            message = f"{have + at.successes:,} of {count:,} examples" + _rate(at)
            return HardeningProgress("craft", have + at.successes, count, message)

        results = yield from mapped(_attacks(plan, rows, labels, work), report)
        won = [each for each in results.attacks if is_success(each)]
        sources = [results.inputs[each.row] for each in won]
        if not task.control:
            pairs = zip(sources, won, strict=True)
            sources = [replace(source, text=results.text(each)) for source, each in pairs]
        crafted = [_example(source, labels) for source in sources]
        found = Crafted(
            (*found.examples, *crafted),
            found.drawn + len(rows),
            found.attacked + len(results.attacks),
        )
    require(
        bool(found.examples),
        f"No attack succeeded on {found.drawn:,} training rows, so there is nothing to train with; "
        "choose another substitution or search.",
    )
    return found


def _train(
    task: HardeningTask, split: Split, name: str, work: Path
) -> Generator[HardeningProgress, None, dict[str, Any]]:
    """Train anew, or the victim's own weights a little further; the card of what comes out."""
    from core.experiment.certifying import Certifying
    from core.victims.networks.registry import kind_of
    from core.victims.networks.weights import restored_network
    from core.victims.training.train import train_steps

    recipe, start = task.recipe, None
    kind = kind_of(recipe.network)
    shared = words.load() if kind.reads_words else None
    if task.folder is None or task.certify:
        home = words.ASSETS / task.victim
        size, options = len(recipe.labels), read_card(home)["options"]
        start = restored_network(home / WEIGHTS, kind, size, options, shared)
        recipe = for_proofs(recipe) if task.certify else gentle(recipe, len(split.train))
    fit = None
    if task.certify:
        substitution = make_substitution(task.substitution)
        fit = Certifying(substitution, task.limits.modification).fit
    training = train_steps(
        name,
        recipe,
        split,
        folder=work,
        words=shared,
        words_folder=words.ASSETS,
        start=start,
        fit=fit,
    )
    return (
        yield from mapped(training, lambda at: HardeningProgress("train", at.done, 1.0, at.message))
    )


def _attack(
    task: HardeningTask, split: Split, name: str, work: Path
) -> Generator[HardeningProgress, None, Results]:
    """Attack the held-out rows with both victims in one experiment."""
    rows = shuffled(usable(task, split.held_out), task.seed)[: task.rows]
    plan = task.plan("attacks", (task.victim, name), task.searches)
    plan = replace(plan, proofs=SECONDS if task.certify else 0.0)

    def report(at: RunProgress) -> HardeningProgress:
        return HardeningProgress(
            "attack", at.done, at.total, f"{at.done:,} of {at.total:,} attacks" + _rate(at)
        )

    return (yield from mapped(_attacks(plan, rows, task.recipe.labels, work), report))


def _attacks(
    plan: Plan, rows: Sequence[Example], labels: Sequence[str], work: Path
) -> Generator[RunProgress, None, Results]:
    """Run a plan on rows that are written to its file first."""
    lines = ({"text": row.text, "label": labels[row.label], "premise": row.context} for row in rows)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (work / plan.data.file).write_text(text, encoding="utf-8")
    return runner.steps(plan, work / f"{plan.name}.results.jsonl", work, Local())


def _keep(report: Report, card: dict[str, Any], work: Path, out: Path) -> None:
    """Put the victim with its card and the attacks in their place, all at once."""
    home = work / report.hardened
    about = f"{card['about']}; hardened with {report.crafting.added:,} {report.crafting.what}"
    write_card(home, {**card, "about": about, "hardening": asdict(report)})
    os.replace(work / _RESULTS, home / _RESULTS)
    os.replace(home, out)


@contextmanager
def _workplace(out: Path | None) -> Iterator[Path]:
    """A folder for all that is written, removed at the end, on the disk where the victim goes."""
    try:
        with TemporaryDirectory(prefix=".hardening-", dir=out and out.parent) as folder:
            yield Path(folder)
    except OSError as error:
        raise CoreError(
            f"The work could not be written ({error.strerror}: {error.filename}); make room, or "
            "name another folder."
        ) from error


@contextmanager
def _registered(name: str, folder: Path, card: dict[str, Any]) -> Iterator[None]:
    """The trained victim can be attacked under its name as long as the context lasts."""
    from core.victims.neural import load

    VICTIMS[name] = Entry(lambda: load(name, folder, words.ASSETS), card["about"], card)
    try:
        yield
    finally:
        del VICTIMS[name]


def _free_name(name: str) -> str:
    """The name, or one like it if somebody has such a victim already."""
    return name if name not in VICTIMS else _free_name(f"{name}-again")


def _accuracy(victim: str, split: Split) -> float:
    labels = np.array([row.label for row in split.held_out])
    return accuracy(predict_rows(VICTIMS[victim](), split.held_out), labels)


def _example(each: Input, labels: Sequence[str]) -> Example:
    return Example(each.text, labels.index(each.reference[0]), each.context.get("premise", ""))


def _rate(at: RunProgress) -> str:
    return f", {at.rate:.3g} attacks per second" if at.rate else ""
