"""Adversarial training, on the bundled sentences and on small training data made of them."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.__main__ import main
from core.errors import CoreError, InputError
from core.experiment import hardening, runner
from core.experiment.data import Limits
from core.experiment.hardened import Report, drops
from core.experiment.hardening import (
    ANEW,
    FURTHER,
    HardeningProgress,
    HardeningTask,
    cut,
    harden,
    shuffled,
    steps,
    wanted,
)
from core.experiment.plan import SearchChoice
from core.experiment.results import load
from core.options import Choice
from core.victims import VICTIMS
from core.victims.config import read_victims
from core.victims.training.data import Example, Split
from core.victims.training.measure import accuracy, predict_rows

TASK = HardeningTask("cnn-sst2", share=0.1, rows=8, seed=1)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hardening")


@pytest.fixture(scope="module")
def done(home: Path) -> tuple[Report, list[HardeningProgress]]:
    told: list[HardeningProgress] = []
    return harden(replace(TASK, out=home / "hard"), told.append), told


@pytest.fixture(autouse=True)
def same_victims() -> Iterator[None]:
    before = dict(VICTIMS)
    yield
    assert before == VICTIMS


@given(st.integers(0, 300), st.integers(0, 2**32), st.floats(0.001, 1), st.floats(0.001, 1))
def test_rows_are_drawn_by_share_and_seed(rows: int, seed: int, one: float, other: float) -> None:
    order = shuffled(range(rows), seed)
    assert order == shuffled(range(rows), seed)
    assert sorted(order) == list(range(rows))
    few, many = sorted((wanted(one, rows), wanted(other, rows)))
    assert 1 <= few <= many <= max(1, rows)
    assert set(order[:few]) <= set(order[:many])  # a larger share keeps what a smaller one has
    assert abs(wanted(one, rows) - one * rows) <= 1


def test_a_name_that_is_taken_is_not_used() -> None:
    assert hardening._free_name("new") == "new"
    assert hardening._free_name("toy") == "toy-again"


def test_another_seed_draws_other_rows() -> None:
    assert len({tuple(shuffled(range(50), seed)[:4]) for seed in range(20)}) == 20


@given(st.integers(4, 80), st.integers(1, 4), st.integers(0, 99))
def test_rows_are_cut_by_premise(groups: int, size: int, seed: int) -> None:
    rows = [Example(f"{g} {n}", 0, f"premise {g}") for g in range(groups) for n in range(size)]
    split = cut(rows, seed)
    assert split == cut(rows, seed)
    each = (split.train, split.stop, split.held_out)
    assert sorted(row.text for part in each for row in part) == sorted(row.text for row in rows)
    premises = [{row.context for row in part} for part in each]
    assert sum(map(len, premises)) == groups
    assert len(premises[0]) == groups // 2


def test_a_search_that_is_named_twice_attacks_once() -> None:
    swarm, again = SearchChoice("pso", seeds=(1, 2)), SearchChoice("pso")
    assert replace(TASK, attackers=(swarm, again)).searches == (again,)
    assert TASK.searches == (SearchChoice("ls"),)


def test_too_few_rows_are_refused() -> None:
    with pytest.raises(InputError, match="1 rows are too few to train, to stop and to attack on"):
        cut([Example("one", 0)], 0)


def test_the_bundled_sentences_harden_a_victim(
    done: tuple[Report, list[HardeningProgress]],
) -> None:
    report, told = done
    assert (report.victim, report.hardened, report.method) == (
        "cnn-sst2",
        "cnn-sst2-hardened",
        FURTHER,
    )
    assert (report.training_rows, report.held_out) == (32, 24)
    assert report.crafting.wanted == 3
    assert 1 <= report.crafting.added <= 3 <= report.crafting.drawn
    assert report.crafting.added <= report.crafting.attacked <= report.crafting.drawn
    (drop,) = report.drops
    assert drop.both <= min(drop.before.attacked, drop.after.attacked) <= 8
    assert drop.before.queries > 1
    assert list(dict.fromkeys(step.stage for step in told)) == ["craft", "train", "attack"]
    assert all(0 <= step.done <= step.total for step in told)
    last = {step.stage: step for step in told}
    assert all(step.done == step.total for step in last.values())
    assert "epoch 5" in last["train"].about


def test_the_hardened_victim_loads_again_with_its_accuracy(
    done: tuple[Report, list[HardeningProgress]], home: Path
) -> None:
    report, _ = done
    assert [path.name for path in home.iterdir()] == ["hard"]
    assert {path.name for path in (home / "hard").iterdir()} == {
        "attacks.results.jsonl",
        "card.json",
        "weights.safetensors",
    }
    file = home.parent / "victims.toml"
    file.write_text(f'[victims.mine]\npath = "{home / "hard"}"\n', encoding="utf-8")
    entry = read_victims(file)["mine"]
    assert entry.card["labels"] == ["negative", "positive"]
    assert entry.card["hardening"]["crafting"]["added"] == report.crafting.added
    assert f"{report.crafting.added} adversarial examples" in entry.card["about"]
    assert entry.card["command"] == (
        "python -m core harden cnn-sst2 --substitution sememe --search ls --share 0.1 --seed 1 "
        "--out DIR"
    )
    rows = hardening.load_split(TASK).held_out
    labels = np.array([row.label for row in rows])
    found = predict_rows(entry(), rows)
    assert accuracy(found, labels) == report.accuracy_after
    before = predict_rows(VICTIMS["cnn-sst2"](), rows)
    assert accuracy(before, labels) == report.accuracy_before
    assert not np.array_equal(found, before)


def test_the_attacks_are_kept_as_results(
    done: tuple[Report, list[HardeningProgress]], home: Path
) -> None:
    results = load(home / "hard" / "attacks.results.jsonl")
    assert results.finished
    assert results.plan.victims == ("cnn-sst2", "cnn-sst2-hardened")
    assert drops(results) == done[0].drops


def test_the_same_seed_gives_the_same_report(done: tuple[Report, list[HardeningProgress]]) -> None:
    assert harden(TASK) == replace(done[0], out="")


def test_training_data_train_the_victim_anew(tmp_path: Path) -> None:
    lines = Path("assets/sentences/sentiment.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [(int(row["label"] == "positive"), row["text"]) for row in map(json.loads, lines)]
    (tmp_path / "sst2").mkdir()
    tsv = ["label\tsentence\n", *(f"{label}\t{text}\n" for label, text in rows)]
    with gzip.open(tmp_path / "sst2" / "train_phrases.tsv.gz", "wt", encoding="utf-8") as file:
        file.writelines(tsv[:40])
    with gzip.open(tmp_path / "sst2" / "train_sentences.txt.gz", "wt", encoding="utf-8") as file:
        file.writelines(f"{label} {text}\n" for label, text in rows[35:44])
    (tmp_path / "sst2" / "dev.tsv").write_text("".join([tsv[0], *tsv[45:]]), encoding="utf-8")
    searches = (SearchChoice("ls"), SearchChoice("greedy"))
    task = replace(TASK, folder=tmp_path, attackers=searches, search=SearchChoice("sbgs"), rows=4)
    report = harden(task)
    assert report.method == ANEW
    assert report.training_rows == 44
    assert report.held_out == 10
    assert report.crafting.search == "sbgs"
    assert [each.search for each in report.drops] == ["ls", "greedy"]
    assert "development set" in report.lines()[1]


def test_pairs_are_hardened_too() -> None:
    synonyms = Choice("synonym")
    report = harden(HardeningTask("dnn-snli", share=0.05, rows=3, substitution=synonyms))
    assert report.training_rows == 30
    assert report.crafting.added >= 1


def test_a_control_trains_with_the_same_rows_unattacked(
    done: tuple[Report, list[HardeningProgress]], monkeypatch: pytest.MonkeyPatch
) -> None:
    added: list[tuple[Example, ...]] = []
    train = hardening._train

    def spied(task: HardeningTask, split: Split, *rest: Any) -> Any:
        original = hardening.load_split(task).train
        assert split.train[: len(original)] == original
        added.append(split.train[len(original) :])
        return train(task, split, *rest)

    monkeypatch.setattr(hardening, "_train", spied)
    report = harden(replace(TASK, control=True))
    (rows,) = added
    assert len(rows) == report.crafting.added == done[0].crafting.added
    assert {each.text for each in rows} <= {each.text for each in hardening.load_split(TASK).train}
    assert "unattacked rows, as a control, (sememe" in report.lines()[0]
    assert replace(TASK, control=True).command.endswith("--control --out DIR")


@pytest.mark.parametrize("stage", ["craft", "train", "attack"])
def test_leaving_early_leaves_nothing(tmp_path: Path, stage: str) -> None:
    work = steps(replace(TASK, out=tmp_path / "hard"))
    while next(work).stage != stage:
        pass
    assert list(tmp_path.iterdir())
    work.close()
    assert not list(tmp_path.iterdir())


def test_being_interrupted_leaves_nothing(tmp_path: Path) -> None:
    def interrupt(step: HardeningProgress) -> None:
        if step.stage == "train":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        harden(replace(TASK, out=tmp_path / "hard"), interrupt)
    assert not list(tmp_path.iterdir())


def test_nothing_to_train_with_is_said() -> None:
    with pytest.raises(InputError, match=r"No attack succeeded on 6 training rows"):
        harden(replace(TASK, share=0.05, limits=Limits(modification=0.0)))


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "x")

    monkeypatch.setattr(runner, "steps", full)
    with pytest.raises(CoreError, match=r"could not be written \(No space left on device: x\)"):
        harden(replace(TASK, out=tmp_path / "hard"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["cnn-sst"], 'There is no victim "cnn-sst". Did you mean "cnn-sst2"?'),
        (["toy"], '"toy" cannot be trained again, since it has no recipe'),
        (["cnn-sst2", "--share", "0"], "The share is 0.0; it is a part of the training rows"),
        (["cnn-sst2", "--share", "1.01"], "above 0 and at most 1"),
        (["cnn-sst2", "--share", "nan"], "The share is nan"),
        (["cnn-sst2", "--rows", "0"], "rows is 0; it must be at least 1"),
        (["cnn-sst2", "--search", "lss"], 'There is no search "lss"'),
        (["cnn-sst2", "--substitution", "semem"], 'There is no substitution "semem"'),
        (["cnn-sst2", "--out", "no/such/folder"], "cannot be written to no/such/folder"),
        (["cnn-sst2", "--data", "no"], "There is no file no/sst2/train_phrases.tsv.gz"),
        (["cnn-mr", "--data", "no"], "The training data in no cannot be read (No such file"),
    ],
)
def test_wrong_input_is_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["harden", *arguments]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_the_command_takes_a_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(
        'name = "p"\nvictims = ["toy"]\nsubstitutions = ["synonym"]\nsearches = ["greedy"]\n'
        'data = { bundled = "sentiment" }\nlimits = { rows = 24, sample_seed = 3 }\n',
        encoding="utf-8",
    )
    both = ["harden", "cnn-sst2", "--plan", str(plan)]
    assert main([*both, "--data", "somewhere"]) == 2
    assert "not both" in capsys.readouterr().err
    assert main([*both, "--share", "0.1", "--rows", "4", "--json"]) == 0
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert data["training_rows"] == 12
    assert data["crafting"]["substitution"] == "synonym"
    assert data["drops"][0]["search"] == "greedy"
    assert data["drops"][0]["verdict"]
    assert "attacking held-out rows, before and after: " in err
