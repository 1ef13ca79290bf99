"""What holds for every task with every search, from the attack to its trace and its study."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from core import SEARCHES, trace
from core.attack import Trace
from core.experiment import runner
from core.experiment.engines import Local
from core.experiment.exporting import rows as rows_of
from core.experiment.plan_file import make_plan
from core.experiment.results import load
from core.goals import judge_of, outputs_of
from core.options import Choice
from core.sharing import Shared
from core.spec import AttackSpec
from core.study.attacks import from_run, from_traces
from core.study.items import check_set
from core.tasks import TASKS, task_of
from core.victims import VICTIMS, given
from tests.toys import counting, text_victims
from tests.toys.text_victims import PASSAGE, QUESTION, SOURCE, TARGET

SPECS: Final[Mapping[str, AttackSpec]] = {
    "classification": AttackSpec("I love this movie", "toy", Choice("toy"), Choice("ls")),
    "answering": AttackSpec(
        *(QUESTION, "finder", Choice("forms"), Choice("ls"), "answering"),
        context={"passage": PASSAGE},
        reference=("Bruno",),
    ),
    "reading": AttackSpec(
        *(PASSAGE, "finder-passage", Choice("forms"), Choice("ls"), "reading"),
        context={"question": QUESTION},
        reference=("Bruno",),
    ),
    "translation": AttackSpec(
        *(SOURCE, "dictionary", Choice("forms"), Choice("ls"), "translation"),
        reference=(TARGET,),
    ),
    "count": AttackSpec(
        *("A charming and funny film.", "counter", Choice("toy"), Choice("ls"), "count"),
        context={"unit": "kind words"},
        reference=("5",),
    ),
}


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    text_victims.register(monkeypatch)
    counting.register(monkeypatch)


def test_no_task_is_forgotten() -> None:
    # a pair is a kind of classification, and a set function has no text of its own
    assert set(TASKS) == {*SPECS, "pair", "set function"}


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("task", SPECS)
class TestEveryTask:
    def test_an_attack_is_the_same_alone_and_beside_others(self, task: str, search: str) -> None:
        spec = replace(SPECS[task], search=Choice(search), max_changed=0.5, seed=3)
        alone, again = spec.prepare().run(), spec.prepare().run()
        assert alone == again
        shared = Shared(VICTIMS[spec.victim]())
        assert spec.prepare(shared).run() == alone
        shared.close()

    def test_the_victim_confirms_the_answer(self, task: str, search: str) -> None:
        spec = replace(SPECS[task], search=Choice(search), max_changed=1.0)
        result = spec.prepare().run()
        victim = given(VICTIMS[spec.victim](), spec.context)
        spec = spec.settled(victim)
        outputs = outputs_of(victim, [spec.text, result.text])
        judge = judge_of(task_of(victim), spec.goal, spec.reference, start=outputs[0])
        scores, successes = judge(outputs)
        assert float(scores[1]) == pytest.approx(result.score)
        assert bool(successes[1]) == result.success or result.status == "skipped"
        assert result.score >= float(scores[0])

    def test_its_trace_and_its_address_say_all_of_it(
        self, task: str, search: str, tmp_path: Path
    ) -> None:
        spec = replace(SPECS[task], search=Choice(search), max_changed=1.0)
        attack = spec.prepare()
        kept = Trace(attack.space, attack.run(), spec.plain())
        for name in ("a.json", "a.npz"):
            trace.save(kept, tmp_path / name)
            opened = trace.load(tmp_path / name)
            assert opened == kept
            assert AttackSpec.of_trace(opened) == spec
        params = spec.params()
        assert AttackSpec.of_address(params, SPECS["classification"]).plain() == spec.plain()


@pytest.mark.parametrize("task", ["answering", "translation"])
def test_raters_are_asked_about_the_reference(task: str) -> None:
    spec = SPECS[task]
    attack = replace(spec, max_changed=0.5).prepare()
    kept = Trace(attack.space, attack.run(), spec.plain())
    taken = from_traces([("a.json", kept)])
    check_set(taken.items, taken.labels)
    assert taken.question == TASKS[task](()).question
    attacked, original = taken.items
    assert attacked.context == original.context
    assert attacked.context.endswith(spec.reference[0])
    assert (attacked.label, original.text) == ("yes", spec.text)
    if task == "answering":
        assert attacked.context.startswith(PASSAGE)


ROWS: Final[Mapping[str, Mapping[str, Any]]] = {
    "answering": {"text": f"{QUESTION} It is at the end of the road.", "reference": ["Bruno"]},
    "translation": {"text": f"{SOURCE} and then it sleeps", "reference": TARGET},
}


@pytest.mark.parametrize("task", ROWS)
def test_an_experiment_keeps_references_and_answers(task: str, tmp_path: Path) -> None:
    wrong = {**ROWS[task], "text": f"{ROWS[task]['text']} again", "reference": "the old mill"}
    rows = ({**row, **SPECS[task].context} for row in (ROWS[task], wrong))
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    (tmp_path / "rows.jsonl").write_text(text, encoding="utf-8")
    context = {name: name for name in SPECS[task].context}
    plan = make_plan(
        {
            "name": task,
            "victims": [SPECS[task].victim],
            "substitutions": ["forms"],
            "searches": ["sgs", "ls"],
            "data": {"file": "rows.jsonl", "reference": "reference", "context": context},
            "limits": {"modification": 0.5},
        }
    )
    path = tmp_path / "run.results.jsonl"
    results = runner.run(plan, path, tmp_path, Local(2))
    assert results.finished
    assert load(path) == results
    assert results.inputs[1].reference == SPECS[task].reference
    assert [attack.row for attack in results.attacks] == [1, 1]
    assert {attack.status for attack in results.attacks} == {"success"}
    said = {attack.answer for attack in results.attacks}
    assert said == ({"Anna"} if task == "answering" else said)
    assert [row["label"] for row in rows_of(results)] == [
        wrong["reference"],
        *2 * SPECS[task].reference,
    ]
    (first, *_) = from_run(results).items
    assert first.label == "yes"
