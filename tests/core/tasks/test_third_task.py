"""A task that exists only in this file goes through the whole house without touching it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from core import SEARCHES, SUBSTITUTIONS, VICTIMS, trace
from core.errors import require
from core.experiment import runner
from core.experiment.engines import Local
from core.experiment.metrics import lines
from core.experiment.plan_file import make_plan
from core.experiment.results import load
from core.experiment.tables import detail_table
from core.registry import Entry
from core.sharing import Shared
from core.spec import AttackSpec, Choice
from core.study.attacks import from_run, from_traces
from core.tasks import TASKS, task_of
from core.tasks.protocol import (
    Bar,
    Bools,
    Field,
    Floats,
    GoalKind,
    Judge,
    Outputs,
    RaterQuestion,
    Reference,
    Shown,
)
from core.trace import Trace

TEXT = "A charming and often very funny film, with a smart script and a warm, honest ending."
POSITIVE = ("charming", "funny", "smart", "warm", "honest")


@dataclass(frozen=True)
class Counting:
    """The victim says a number; the reference is a number; far from it is good."""

    choices: tuple[str, ...] = ()

    key: ClassVar[str] = "count"
    title: ClassVar[str] = "Counting"
    context: ClassVar[tuple[Field, ...]] = (Field("unit", "What is counted"),)
    attacked: ClassVar[Field] = Field("text", "The text to count in")
    reference: ClassVar[Field] = Field("reference", "The right number", "3")

    @property
    def goals(self) -> Mapping[str, GoalKind]:
        return {"miscount": GoalKind("another number", "how far off", "3 off", self._off)}

    @staticmethod
    def _off(reference: Reference, target: str) -> Judge:
        def judge(outputs: Outputs) -> tuple[Floats, Bools]:
            off = np.abs(outputs.astype(np.float64) - int(reference[0]))
            return off, off >= 3

        return judge

    def checked(self, outputs: object, count: int, source: str = "The victim") -> Outputs:
        return np.asarray(outputs)

    def answer(self, output: Any) -> int:
        return int(output)

    def right(self, answer: Any, reference: Reference) -> bool:
        return answer == int(reference[0])

    def read(self, texts: Sequence[str]) -> Reference:
        require(texts[0].isdecimal(), "The number must be a number.")
        return (texts[0],)

    def target(self, reference: Reference, seed: int, row: int) -> str:
        return ""

    def plain(self, output: Any) -> int:
        return int(output)

    def output(self, plain: Any) -> Any:
        return np.int64(plain)

    def shown(self, before: Any, after: Any, reference: Reference) -> Shown:
        return Shown((Bar("words", float(before), float(after)),))

    @property
    def question(self) -> RaterQuestion:
        return RaterQuestion("How many kind words are there?", ("few", "many"))


@dataclass(frozen=True)
class Counter:
    """Counts kind words; it must be told what it counts."""

    unit: str = ""
    labels: ClassVar[tuple[str, ...]] = ()
    task_key: ClassVar[str] = "count"

    def given(self, context: Mapping[str, str]) -> "Counter":
        return Counter(context["unit"])

    def predict(self, texts: Sequence[str]) -> np.ndarray:
        assert self.unit == "kind words"
        return np.array([sum(word in text for word in POSITIVE) for text in texts])


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TASKS, "count", Counting)
    entry = Entry(Counter, "Counts kind words.", {"task_key": "count"})
    monkeypatch.setitem(VICTIMS, "counter", entry)


def spec(search: str = "ls", seed: int = 0) -> AttackSpec:
    return AttackSpec(
        *(TEXT, "counter", Choice("toy"), Choice(search), "count", {"unit": "kind words"}),
        reference=("5",),
        goal="miscount",
        max_changed=0.5,
        seed=seed,
    )


@pytest.mark.parametrize("search", [key for key in SEARCHES if key != "exhaustive"])
def test_every_search_attacks_it(search: str) -> None:
    asked = spec(search)
    attack = asked.prepare(Shared(Counter()))
    alone = asked.prepare()
    result = attack.run()
    assert result == alone.run()
    if result.success:
        assert int(Counter("kind words").predict([result.text])[0]) <= 2
        assert len(attack.space.changed(result.state)) <= len(attack.space.choices) / 2


def test_its_trace_is_kept_and_shown_in_a_study(tmp_path: Path) -> None:
    asked = spec()
    attack = asked.prepare(substitution=SUBSTITUTIONS["toy"]())
    kept = Trace(attack.space, attack.run(), asked.plain())
    assert kept.result.success
    path = tmp_path / "count.npz"
    trace.save(kept, path)
    opened = trace.load(path)
    assert opened == kept
    assert AttackSpec.of_trace(opened) == asked
    found, original = from_traces([("count.npz", opened)], ("5", "6")).items
    assert (found.label, found.context, found.victim) == ("5", "kind words", "counter")
    assert (original.text, original.kind) == (TEXT, "original")


def test_an_experiment_runs_it_and_a_study_takes_it(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text(
        "said,count,what\n"
        f'"{TEXT}",5,kind words\n'
        '"A film that nobody should ever see, with a script that is not even bad.",4,kind words\n'
        '"A film that nobody should ever see, with a script that is not good.",few,kind words\n',
        encoding="utf-8",
    )
    plan = make_plan(
        {
            **{"name": "counts", "victims": ["counter"], "substitutions": ["toy"]},
            **{"searches": ["ls", "greedy"], "goals": ["miscount"]},
            "data": {
                **{"file": "rows.csv", "text": "said", "reference": "count"},
                "context": {"unit": "what"},
            },
            "limits": {"modification": 0.5},
        }
    )
    path = tmp_path / "counts.results.jsonl"
    results = runner.run(plan, path, tmp_path, Local(2))
    assert results.finished
    assert [skip.reason for skip in results.skipped] == ["label"]
    assert [each.row for each in results.correct("counter")] == [1]
    assert {attack.status for attack in results.attacks} == {"success"}
    assert all(attack.answer <= 2 for attack in results.attacks)
    assert load(path) == results
    assert "counter" in detail_table(lines(results)).text()
    items = from_run(results, ("5", "4")).items
    assert {(item.label, item.context) for item in items} == {("5", "kind words")}
    shown = AttackSpec.of_address({"text": ["x"], "victim": ["counter"], "unit": ["y"]}, spec())
    assert (shown.task, shown.context) == ("count", {"unit": "y"})


def test_outputs_are_shown_beside_each_other() -> None:
    victim = Counter("kind words")
    task = task_of(victim)
    before, after = victim.predict([TEXT, "A film."])
    assert task.shown(before, after, ("5",)).bars == (Bar("words", 5.0, 0.0),)
