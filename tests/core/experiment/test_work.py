"""What is done for each piece of work of an experiment."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from core import VICTIMS
from core.experiment import work
from core.experiment.engines import Local
from core.experiment.results import Results
from core.experiment.work import AttackRunner, WorkItem
from core.objective import Floats
from core.options import Choice
from core.registry import Entry
from core.spec import AttackSpec
from core.tasks.classification import Classification
from core.tasks.pair import Pair
from tests.toys.experiment import plan
from tests.toys.runs import LONG, run, same


def test_an_answer_says_what_the_attack_itself_says(alone: Results) -> None:
    runner = AttackRunner(alone.plan)
    for record in alone.attacks:
        item = WorkItem(alone.inputs[record.row], *record.key[1:])
        result = runner.attack(item).run()
        assert (result.status, result.queries, result.requests, result.text) == (
            *(record.status, record.queries, record.requests, alone.text(record)),
        )
        success = record.status == "success"
        assert (record.answer not in item.input.reference) == success


def test_pairs_keep_their_premise(tmp_path: Path) -> None:
    what = plan(
        victims=["dnn-snli"],
        substitutions=["synonym"],
        searches=["ls"],
        goals=["targeted"],
        data={"bundled": "entailment"},
        limits={"rows": 5, "budget": 30},
    )
    together, one = (run(tmp_path / f"{n}.jsonl", what, Local(n)) for n in (6, 1))
    assert same(together, one)
    assert together.finished
    assert {attack.status for attack in together.attacks} <= {
        "success",
        "failed",
        "budget",
        "over_limit",
    }


def test_the_target_is_the_same_for_every_search() -> None:
    assert Classification(("negative", "positive")).target(("positive",), 0, 1) == "negative"
    nli = Pair(("contradiction", "neutral", "entailment"))
    assert nli.target(("entailment",), 0, 1) == "contradiction"
    assert nli.target(("contradiction",), 0, 1) == "entailment"
    drawn = [nli.target(("neutral",), 0, row) for row in range(100)]
    assert set(drawn) == {"contradiction", "entailment"}
    assert drawn == [nli.target(("neutral",), 0, row) for row in range(100)]


def test_a_fixed_target_leaves_its_own_inputs_alone(tmp_path: Path) -> None:
    found = run(tmp_path / "a.jsonl", plan(goals=["targeted=positive"], searches=["ls"]))
    for attack in found.attacks:
        own = found.inputs[attack.row].reference == ("positive",)
        assert (attack.status == "skipped") == own


def test_the_modification_limit_is_a_post_check_or_a_constraint(tmp_path: Path) -> None:
    found = {}
    for enforced in ("post-check", "constraint"):
        limits = {"modification": 0.06, "enforced": enforced}
        what = plan(searches=["ls"], goals=["untargeted"], limits=limits)
        found[enforced] = run(tmp_path / f"{enforced}.jsonl", what)
    after, during = found["post-check"], found["constraint"]
    assert after.statuses()["toy"]["over_limit"] > 0
    assert during.statuses()["toy"]["over_limit"] == 0
    assert all(len(attack.swaps) / attack.words <= 0.06 for attack in during.attacks)


def test_old_spaces_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "_KEPT", 2)
    runner = AttackRunner(plan())
    for number in range(4):
        spec = AttackSpec(f"{LONG} {number}", "toy", Choice("toy"), Choice("ls"))
        assert runner._space(spec) is runner._space(spec)
    assert len(runner._spaces) == 2


def test_attacks_on_one_sentence_share_what_the_victim_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = VICTIMS["toy"]()
    asked: list[str] = []

    class Counting:
        labels = inner.labels

        def predict(self, texts: Sequence[str]) -> Floats:
            asked.extend(texts)
            return inner.predict(texts)

    what = plan(goals=["untargeted"], limits={"rows": 4})
    monkeypatch.setitem(VICTIMS, "toy", Entry(Counting, "toy", VICTIMS["toy"].card))
    found = run(tmp_path / "r.jsonl", what, Local(2))
    judged, attacks = len(found.inputs), found.attacks
    confirmed = sum(each.status in ("success", "over_limit") for each in attacks)
    searched = len(asked) - judged - len(attacks) - confirmed
    by_row: dict[int, list[int]] = {}
    for each in attacks:
        by_row.setdefault(each.row, []).append(each.queries)
    assert sum(map(max, by_row.values())) <= searched < sum(each.queries for each in attacks)
