"""A task that no module knows goes through the whole core without touching it."""

from dataclasses import replace
from pathlib import Path

import pytest

from core import SEARCHES, SUBSTITUTIONS, InputError, trace
from core.attack import Trace
from core.experiment import runner
from core.experiment.engines import Local
from core.experiment.metrics import lines
from core.experiment.plan_file import make_plan
from core.experiment.results import load
from core.experiment.tables import detail_table
from core.options import Choice
from core.sharing import Shared
from core.spec import AttackSpec
from core.study.attacks import from_run, from_traces
from core.study.items import check_set
from core.tasks import task_of
from tests.toys.counting import TEXT, Counter, Counting, register


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


def spec(search: str = "ls", seed: int = 0) -> AttackSpec:
    return AttackSpec(
        *(TEXT, "counter", Choice("toy"), Choice(search)),
        context={"unit": "kind words"},
        reference=("5",),
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
    taken = from_traces([("count.npz", opened)])
    assert (taken.question, taken.labels) == (Counting().question, ("yes", "no"))
    found, original = taken.items
    assert (found.label, found.victim) == ("yes", "counter")
    assert found.context == "kind words\nThe right number: 5"
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
            "searches": ["ls", "greedy"],
            "data": {
                **{"file": "rows.csv", "text": "said", "reference": "count"},
                "context": {"unit": "what"},
            },
            "limits": {"modification": 0.5},
        }
    )
    assert plan.goals == ("miscount",)
    path = tmp_path / "counts.results.jsonl"
    results = runner.run(plan, path, tmp_path, Local(2))
    assert results.finished
    assert [skip.reason for skip in results.skipped] == ["label"]
    assert [each.row for each in results.correct("counter")] == [1]
    assert {attack.status for attack in results.attacks} == {"success"}
    answers = [attack.answer for attack in results.attacks]
    assert all(isinstance(answer, int) and answer <= 2 for answer in answers)
    assert load(path) == results
    assert "counter" in detail_table(lines(results)).text()
    taken = from_run(results)
    assert taken.question == Counting().question
    check_set(taken.items, taken.labels)
    shown = AttackSpec.of_address({"text": ["x"], "victim": ["counter"], "unit": ["y"]}, spec())
    assert (shown.task, shown.context) == ("count", {"unit": "y"})


def test_the_task_and_its_usual_goal_need_not_be_named() -> None:
    asked = spec()
    assert (asked.task, asked.goal) == ("count", "miscount")
    assert "goal" not in asked.address()
    toy = AttackSpec.of_address({"victim": ["toy"], "target": ["negative"]}, asked)
    assert (toy.task, toy.goal) == ("classification", "targeted")
    back = AttackSpec.of_address({"victim": ["counter"]}, replace(toy, target=""))
    assert (back.task, back.goal) == ("count", "miscount")


def test_bundled_sentences_of_another_task_are_refused(tmp_path: Path) -> None:
    content = {"name": "counts", "victims": ["counter"], "substitutions": ["toy"]}
    plan = make_plan({**content, "searches": ["ls"], "data": {"bundled": "sentiment"}})
    with pytest.raises(InputError, match="no data for counter; name a file of its task, counting"):
        runner.read_inputs(plan, tmp_path)


def test_outputs_are_shown_beside_each_other() -> None:
    victim = Counter("kind words")
    before, after = victim.predict([TEXT, "A film."])
    (bar,) = task_of(victim).shown(before, after, ("5",), {}).bars
    assert (bar.before, bar.after, bar.largest, bar.unit) == (5, 0, 5, "words")
