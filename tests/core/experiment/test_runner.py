"""Running a plan: every input answered, resuming, and what is refused."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core import VICTIMS, InputError, ResourceMissingError
from core.errors import CoreError
from core.experiment import results, work
from core.experiment.engines import Local
from core.experiment.results import Results
from core.experiment.runner import RunProgress
from core.objective import Floats
from core.registry import Entry
from tests.toys.experiment import plan
from tests.toys.runs import LONG, run, same


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
