"""Proofs in a run: every input settled, resumed, on every engine; and what tables make of them."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import CoreError
from core.experiment import results
from core.experiment.engines import Engine, Local, Pool
from core.experiment.proofs import gaps, proof_table, truths
from core.experiment.records import ProofRecord
from core.experiment.results import Results
from core.experiment.runner import RunProgress, unproved
from tests.toys.experiment import plan
from tests.toys.runs import run

LIMITS = {"rows": 12, "modification": 0.15}  # so that no proof takes long
WITH_PROOFS = plan(goals=["untargeted"], searches=["ls", "greedy"], limits=LIMITS, proofs=100)


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return run(tmp_path_factory.mktemp("proved") / "a.jsonl", WITH_PROOFS, Local(4))


def settled(found: Results) -> list[ProofRecord]:
    """The proofs without the time that they took."""
    return [replace(proof, seconds=0.0) for proof in found.proofs]


def test_every_attacked_input_is_settled(proved: Results) -> None:
    right = proved.correct("toy")
    assert proved.finished
    assert [proof.row for proof in proved.proofs] == [each.row for each in right]
    assert {proof.verdict for proof in proved.proofs} == {"flip", "proved"}
    fallen = {attack.row for attack in proved.attacks if attack.success}
    assert fallen <= {proof.row for proof in proved.proofs if proof.verdict == "flip"}
    assert f"{len(right)} of {len(right)} proofs done." in proved.report()


@pytest.mark.parametrize("engine", [Local(1), Pool(2)], ids=["alone", "pool"])
def test_engines_prove_the_same(engine: Engine, proved: Results, tmp_path: Path) -> None:
    assert settled(run(tmp_path / "a.jsonl", WITH_PROOFS, engine)) == settled(proved)


def test_a_run_that_was_stopped_goes_on_with_its_proofs(proved: Results, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"

    def stop(progress: RunProgress) -> None:
        if progress.what == "proofs" and progress.done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(path, WITH_PROOFS, Local(1), stop)
    half = results.load(path)
    assert not half.finished
    assert len(half.proofs) == 3
    assert len(unproved(half)) == len(proved.proofs) - 3
    seen: list[RunProgress] = []
    end = run(path, WITH_PROOFS, Local(1), seen.append)
    assert settled(end) == settled(proved)
    assert next(each.done for each in seen if each.what == "proofs") == 4
    assert seen[-1].sentence == f"{len(end.proofs)} of {len(end.proofs)} proofs"


def test_a_proof_that_fails_is_tried_again(
    proved: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise CoreError("The proof is lost.")

    path = tmp_path / "a.jsonl"
    with monkeypatch.context() as patched:
        patched.setattr("core.experiment.work.prove", broken)
        half = run(path, WITH_PROOFS, Local(1))
    assert {proof.error for proof in half.proofs} == {"The proof is lost."}
    assert not half.finished
    assert not truths(half)
    assert settled(run(path, WITH_PROOFS, Local(1))) == settled(proved)


def test_a_plan_without_proofs_proves_nothing(tmp_path: Path) -> None:
    found = run(tmp_path / "a.jsonl", replace(WITH_PROOFS, proofs=0.0), Local(1))
    assert found.finished
    assert not found.proofs
    assert not gaps(found)


def test_searches_are_measured_against_what_is_certain(proved: Results) -> None:
    (truth,) = truths(proved)
    assert not truth.open
    assert truth.inputs == len(proved.proofs)
    assert f"exactly {len(truth.falls) / truth.inputs:.1%}" in truth.sentence
    for gap in gaps(proved):
        won = [each for each in proved.attacks if each.search == gap.search and each.success]
        assert gap.found == len(won)
        assert gap.missed == len(truth.falls) - len(won)
        assert gap.above >= 0
        assert 0 <= gap.minimal <= 1
    text = proof_table(gaps(proved)).text()
    assert "Proved safe" in text
    assert len(text.splitlines()) == 3 + 2


def test_an_attack_settles_what_a_proof_left_open(proved: Results) -> None:
    """And if all sentences with fewer words are known to be safe, its words are the fewest."""
    flip = next(proof for proof in proved.proofs if proof.verdict == "flip")
    fewest = len(flip.swaps)
    left = replace(flip, verdict="open", swaps=(), safe=fewest - 1)
    (truth,) = truths(replace(proved, proofs=(left,)))
    assert truth.falls >= {flip.row}
    assert truth.fewest[flip.row] == fewest
    (truth,) = truths(replace(proved, proofs=(left,), attacks=()))
    assert truth.open == {flip.row}
    assert "between 0.0% and 100.0%" in truth.sentence
