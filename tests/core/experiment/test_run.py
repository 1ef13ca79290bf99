"""Running a plan: every input answered, the same answers from every engine, and resuming."""

import json
import subprocess
import sys
import threading
from collections.abc import Generator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from core import VICTIMS, Attack, InputError, ResourceMissingError
from core.errors import CoreError
from core.experiment import engines, results, runner, work
from core.experiment.engines import Local, Pool
from core.experiment.inputs import Input
from core.experiment.plan import Plan
from core.experiment.records import AttackRecord
from core.experiment.results import Results
from core.experiment.runner import RunProgress
from core.experiment.work import AttackRunner, JudgeWork, Work, WorkItem
from core.objective import Floats
from core.options import Choice
from core.registry import Entry
from core.spec import AttackSpec
from core.tasks.classification import Classification
from core.tasks.pair import Pair
from tests.toys.experiment import plan

LONG = "This film is good and great and bad and nice and that is all there is."


def run(path: Path, what: Plan, engine: Any = None, watch: Any = lambda progress: None) -> Results:
    return runner.run(what, path, path.parent, engine or Local(4), watch)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """The small experiment, one sentence at a time."""
    return run(tmp_path_factory.mktemp("alone") / "a.jsonl", plan(), Local(1))


def same(one: Results, other: Results) -> bool:
    return (one.inputs, one.skipped, one.judged, one.attacks) == (
        *(other.inputs, other.skipped, other.judged, other.attacks),
    )


def test_every_input_ends_with_a_recorded_status(alone: Results) -> None:
    assert alone.finished
    assert len(alone.inputs) == 12
    assert len(alone.skipped) == 52
    right = alone.correct("toy")
    assert 0 < len(right) < 12
    assert len(alone.attacks) == alone.total == len(right) * 2 * 4
    counts = alone.statuses()["toy"]
    assert counts["misclassified"] == 12 - len(right)
    assert sum(counts.values()) == 12 - len(right) + len(alone.attacks)
    assert counts["success"]
    assert counts["failed"]
    keys = [item.key for item in work.items(alone.plan, right)]
    assert [attack.key for attack in alone.attacks] == keys
    assert alone.report()[-1] == f"{alone.total} of {alone.total} attacks done; finished."


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


def test_side_by_side_gives_the_same_results(tmp_path: Path, alone: Results) -> None:
    assert same(run(tmp_path / "a.jsonl", plan(), Local(8)), alone)


def test_a_run_that_was_stopped_continues(tmp_path: Path, alone: Results) -> None:
    path = tmp_path / "a.jsonl"
    seen: list[RunProgress] = []

    def stop(progress: RunProgress) -> None:
        seen.append(progress)
        if len(seen) in (3, 8, 15):
            raise KeyboardInterrupt

    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            run(path, plan(), watch=stop)
        assert not results.load(path).finished
    assert "run it again to continue" in results.load(path).report()[-1]
    end = run(path, plan(), watch=stop)
    assert same(end, alone)
    assert seen[-1].done == seen[-1].total == end.total
    assert len(end.sessions) == 4
    again = run(path, plan(), watch=seen.append)
    assert same(again, alone)
    assert seen[-1] == RunProgress(end.total, end.total, seen[-2].successes)


def test_damaged_lines_are_done_again(tmp_path: Path, alone: Results) -> None:
    path = tmp_path / "a.jsonl"
    run(path, plan())
    lines = path.read_bytes().splitlines(keepends=True)
    for place in range(1, len(lines), 7):  # of rows, judgements and attacks
        lines[place] = lines[place].replace(b"toy", b"tox").replace(b"text", b"tixt")
    path.write_bytes(b"".join(lines))
    found = results.load(path)
    assert found.damaged > 5
    assert not same(found, alone)
    assert f"{found.damaged} damaged lines were left out" in found.report()[-2]
    assert same(run(path, plan()), alone)


def test_a_changed_plan_is_refused_with_the_difference(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    run(path, plan(searches=["ls"]))
    changed = plan(searches=["greedy"], limits={"rows": 12, "budget": 9})
    with pytest.raises(InputError) as caught:
        run(path, changed)
    assert "limits.budget was None and is 9" in str(caught.value)
    assert "searches.ls was removed; searches.greedy was added" in str(caught.value)
    assert "Give the new plan another name" in str(caught.value)


def test_changed_data_and_changed_weights_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, data = tmp_path / "a.jsonl", tmp_path / "rows.jsonl"
    what = plan(data={"file": "rows.jsonl"}, searches=["ls"])
    data.write_text(json.dumps({"text": LONG, "label": "positive"}), encoding="utf-8")
    run(path, what)
    data.write_text(json.dumps({"text": LONG + "!", "label": "positive"}), encoding="utf-8")
    with pytest.raises(InputError, match="row 1 of the data is another one"):
        run(path, what)
    data.write_text(json.dumps({"text": "short", "label": "positive"}), encoding="utf-8")
    with pytest.raises(InputError, match="No row can be attacked"):
        run(path, what)
    entry = VICTIMS["toy"]
    data.write_text(json.dumps({"text": LONG, "label": "positive"}), encoding="utf-8")
    card = {**entry.card, "files": {"weights.safetensors": "abc"}}
    monkeypatch.setitem(VICTIMS, "toy", Entry(entry.make, entry.about, card))
    with pytest.raises(InputError, match=r"plan: weights\.toy was  and is abc\. Give"):
        run(path, what)


def test_what_cannot_run_here_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jsonl"
    with pytest.raises(InputError, match="have different labels"):
        run(path, plan(victims=["toy", "wordcnn-ag"]))
    with pytest.raises(InputError, match=r"No row can be attacked. 64 rows read, 0 used"):
        run(path, plan(limits={"words": [90, 100]}))
    with pytest.raises(InputError, match='There is no constraint "stopwords"'):
        run(path, plan(substitutions=[{"method": "toy", "constraints": ["stopwords"]}]))
    entry = VICTIMS["toy"]
    gone = Entry(entry.make, entry.about, entry.card, lambda: "The toy is broken; mend it.")
    monkeypatch.setitem(VICTIMS, "toy", gone)
    with pytest.raises(ResourceMissingError, match="The toy is broken"):
        run(path, plan())
    pairs = Entry(entry.make, entry.about, {**entry.card, "task_key": "pair"})
    monkeypatch.setitem(VICTIMS, "toy", pairs)
    with pytest.raises(InputError, match="toy and bilstm-sst2 have different tasks"):
        run(path, plan(victims=["toy", "bilstm-sst2"]))
    assert not path.exists()
    path.write_text("not results\n", encoding="utf-8")
    monkeypatch.setitem(VICTIMS, "toy", entry)
    with pytest.raises(InputError, match="holds no results"):
        run(path, plan())


class Moody:
    """A victim that fails for some texts until it is mended."""

    labels = ("negative", "positive")
    broken = True

    def predict(self, texts: Sequence[str]) -> Floats:
        if Moody.broken and any("nice" not in text or "film" not in text for text in texts):
            raise InputError("The service is away.")
        return np.array([[0.4, 0.6] if "good" in text else [0.6, 0.4] for text in texts])


def test_failed_attacks_are_recorded_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [json.dumps({"text": f"{LONG} {n}", "label": "positive"}) for n in range(12)]
    (tmp_path / "rows.jsonl").write_text("\n".join(rows), encoding="utf-8")
    monkeypatch.setitem(VICTIMS, "moody", Entry(Moody, "moody", {"labels": Moody.labels}))
    what = plan(
        victims=["moody"],
        data={"file": "rows.jsonl"},
        searches=["greedy"],
        goals=["untargeted"],
        limits={},
    )
    path = tmp_path / "a.jsonl"
    monkeypatch.setattr(Moody, "broken", True)
    with pytest.raises(CoreError, match=r"10 attacks failed one after the other.*service is away"):
        run(path, what, Local(1))
    found = results.load(path)
    assert found.statuses()["moody"] == {"error": 10}
    assert found.attacks[0].error == "The service is away."
    assert not found.finished
    monkeypatch.setattr(Moody, "broken", False)
    end = run(path, what, Local(1))
    assert end.finished
    assert end.statuses()["moody"] == {"success": 12}


def test_a_victim_that_cannot_judge_stops_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(VICTIMS, "moody", Entry(Moody, "moody", {"labels": Moody.labels}))
    monkeypatch.setattr(Moody, "broken", True)
    with pytest.raises(CoreError, match="The service is away"):
        run(tmp_path / "a.jsonl", plan(victims=["moody"]))


def test_a_pool_gives_the_same_though_workers_are_killed(
    tmp_path: Path, alone: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the main module is an app that must not be started again, as under Streamlit."""
    app = tmp_path / "app.py"
    app.write_text("raise SystemExit('started again')")
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(app), raising=False)
    started: list[subprocess.Popen[bytes]] = []

    class Watched(engines.Process):
        def _start(self) -> None:
            super()._start()
            started.append(self.process)

    def kill(progress: RunProgress) -> None:
        if progress.done in (2, 9):
            next(process for process in started if process.poll() is None).kill()

    monkeypatch.setattr(engines, "Process", Watched)
    assert same(run(tmp_path / "a.jsonl", plan(), Pool(2), kill), alone)
    assert len(started) == 4
    assert all(process.poll() is not None for process in started)


class Dead(engines.Process):
    """A worker whose process dies at every attack."""

    def submit(self, task: Work) -> Connection:
        pipe = super().submit(task)
        if isinstance(task, WorkItem) or task.victim == "dead":
            self.process.kill()
        return pipe


def test_a_task_that_kills_its_workers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "Process", Dead)
    asked = Input(1, LONG, ("positive",))
    item = WorkItem(asked, "toy", "toy", "untargeted", "ls", 0)
    with Pool(1).workers(plan()) as workers:
        (first, told), (second, error) = list(workers([item, JudgeWork("dead", (asked,))]))
    assert (first, second) == (item, JudgeWork("dead", (asked,)))
    assert isinstance(told, list)
    assert isinstance(told[0], AttackRecord)
    assert told[0].status == "error"
    assert "died 3 times" in told[0].error
    assert isinstance(error, CoreError)


def test_leaving_early_stops_the_attacks_in_flight(monkeypatch: pytest.MonkeyPatch) -> None:
    """The third attack would never end by itself; leaving cancels it."""
    started = threading.Event()
    plain = Attack.run

    def endless(attack: Attack) -> Any:
        if threading.active_count() and attack.seed == 1:
            started.set()
            while not attack.cancelled():
                threading.Event().wait(0.005)
        return plain(attack)

    monkeypatch.setattr(Attack, "run", endless)
    asked = Input(1, LONG, ("positive",))
    items = [WorkItem(asked, "toy", "toy", "untargeted", "ls", seed) for seed in (0, 1)]
    with Local(2).workers(plan()) as workers:
        finished = workers(items)
        assert next(finished)[0] == items[0]
        assert started.wait(20)
        assert isinstance(finished, Generator)
        finished.close()


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


@pytest.mark.parametrize("make", [lambda: Local(0), lambda: Pool(0)])
def test_an_engine_needs_somebody_to_work(make: Any) -> None:
    with pytest.raises(InputError, match=r"[Aa]t least 1"):
        make()
