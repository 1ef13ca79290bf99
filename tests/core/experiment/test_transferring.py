"""Adversarial sentences against other victims."""

from pathlib import Path

import pytest

from core import VICTIMS, InputError
from core.experiment import exporting, runner
from core.experiment.engines import Local
from core.experiment.results import Results
from core.experiment.tables import Part
from core.experiment.transferring import transfer, transfer_table
from tests.toys.experiment import plan
from tests.toys.records import LS, results


def test_examples_transfer_to_other_victims(done: Results) -> None:
    found = transfer(done, ["bilstm-sst2", "toy"])
    assert [each.to for each in found] == ["bilstm-sst2"] * 3
    victim = VICTIMS["bilstm-sst2"]()
    won = [r for r in done.attacks if (r.search, r.status) == ("ls", "success")]
    right = 0
    for each in won:
        top = victim.predict([done.text(each)])[0].argmax()
        right += victim.labels[top] == done.inputs[each.row].reference[0]
    assert found[0].examples == len(won)
    assert found[0].accuracy == right / len(won)
    assert found[0].before >= found[0].accuracy
    table = transfer_table(found)
    assert table.rows[0][0] == (Part("toy ⇒ bilstm-sst2"),)
    lowest = min(each.accuracy for each in found)
    assert [row[5][0].best for row in table.rows] == [each.accuracy == lowest for each in found]
    with pytest.raises(InputError, match="name another one"):
        transfer(done, ["toy"])
    none = transfer(results(*LS[3:], searches=["ls"]), ["bilstm-sst2"])
    assert transfer_table(none).rows[0][5] == (Part("-"),)


def test_pairs_transfer_with_their_premise(tmp_path: Path) -> None:
    what = plan(
        victims=["dnn-snli"],
        substitutions=["synonym"],
        searches=["greedy"],
        goals=["untargeted"],
        data={"bundled": "entailment"},
        limits={"rows": 3, "budget": 20},
    )
    done = runner.run(what, tmp_path / "a.jsonl", tmp_path, Local(3))
    (found,) = transfer(done, ["infersent-snli"])
    assert 0 <= found.accuracy <= 1 or not found.examples
    (row, *_) = exporting.textattack_rows(done)
    assert "<SPLIT>" in row["original_text"]
