"""Measure what can be proved: python -m tests.tools.measure_proofs DATA WORK [FILE] [--only NAME].

DATA is the folder with the data sets; WORK is a folder for sentences and results, which are not to
be kept, and from which the command goes on when it is started again. The figures go into FILE.
"""

import argparse
import csv
import json
import platform
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from core.assets import FOLDER
from core.experiment import runner
from core.experiment.engines import Local
from core.experiment.plan import Plan
from core.experiment.plan_file import make_plan
from core.experiment.proofs import gaps, truths
from core.experiment.results import Results
from core.experiment.runner import unproved
from core.experiment.work import AttackRunner
from core.tasks import task_named
from core.victims.training.data import Example, clean, load, natural, plain, read_rows

SECONDS = 10
TIMED = 60  # proofs whose processor time is taken
FILE = FOLDER / "proof" / "proofs.json"
WORDS = ("embedding", "sememe", "synonym")
RIVALS = ("ls", "swift", "greedy", "ibgs", {"method": "pso", "seeds": 3})


@dataclass(frozen=True)
class Setting:
    """Sentences of a data set that a victim was not trained on, and what is tried on them."""

    name: str
    victim: str
    words: tuple[int, int]
    rows: int | None = None  # drawn from those that fit
    substitutions: Sequence[str] = WORDS
    searches: Sequence[Any] = ("ls",)


SETTINGS = (
    Setting("sst2-cnn", "cnn-sst2", (10, 40)),
    Setting("sst2-gap", "cnn-sst2", (10, 40), 100, ("embedding", "sememe"), RIVALS),
    Setting("mr-cnn", "cnn-mr", (10, 40), 150),
    Setting("snli-dnn", "dnn-snli", (4, 40), 150),
    Setting("ag-cnn", "wordcnn-ag", (10, 100), 60, ("embedding", "sememe")),
    Setting("imdb-cnn", "cnn-imdb", (60, 100), 30, ("embedding", "synonym")),
    Setting("sst2-bilstm", "bilstm-sst2", (10, 40), 30, ("embedding", "synonym")),
    Setting("sst2-minilm", "minilm-sst2", (10, 40), 15, ("embedding", "synonym")),
)


def sentences(setting: Setting, data: Path) -> list[Example]:
    """All rows that the victim was not trained on."""
    _, _, name = setting.victim.partition("-")
    if name == "sst2":
        rows = read_rows(data / "sst2" / "dev.tsv", ("negative", "positive"))
        return [Example(natural(plain(row.text)), row.label) for row in rows]
    if name == "snli":  # the training half is not needed, nor always there
        rows = read_rows(data / "snli" / "dev.tsv.gz", task_named(setting.victim).choices)
        return list(rows)
    split = load(name, data)
    return [Example(clean(row.text), row.label) for row in (*split.held_out, *split.stop)]


def plan_of(setting: Setting, data: Path, work: Path) -> Plan:
    """The plan of a setting, with its sentences in a file."""
    labels = task_named(setting.victim).choices
    with (work / f"{setting.name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "label", "premise"])
        writer.writerows(
            [row.text, labels[row.label], row.context] for row in sentences(setting, data)
        )
    source: dict[str, Any] = {"file": f"{setting.name}.csv"}
    if setting.victim.endswith("snli"):
        source["context"] = {"premise": "premise"}
    limits: dict[str, Any] = {"words": list(setting.words)}
    if setting.rows:
        limits["rows"] = setting.rows
    return make_plan(
        {
            **{"name": setting.name, "victims": [setting.victim], "data": source},
            **{"substitutions": list(setting.substitutions), "searches": list(setting.searches)},
            **{"limits": limits, "proofs": SECONDS},
        }
    )


def figures(results: Results) -> list[dict[str, Any]]:
    """What came of each scenario."""
    found = []
    for truth in truths(results):
        proofs = [
            proof
            for proof in results.proofs
            if (proof.victim, proof.substitution) == truth.scenario[:2]
        ]
        open_ = [proof for proof in proofs if proof.row in truth.open]
        seconds = np.array([proof.seconds for proof in proofs])
        found.append(
            {
                **{"victim": truth.scenario.victim, "substitution": truth.scenario.substitution},
                **{"inputs": truth.inputs, "falls": len(truth.falls), "safe": len(truth.safe)},
                "open": len(truth.open),
                "open_without_attacks": sum(proof.verdict == "open" for proof in proofs),
                "open_safe_words": [proof.safe for proof in open_],
                "fewest_proved": len(truth.fewest),
                "median_seconds": float(np.median(seconds)),
                "mean_seconds": float(seconds.mean()),
                "most_seconds": float(seconds.max()),
                "median_sentences": float(np.median([float(p.sentences) for p in proofs])),
                "median_nodes": float(np.median([proof.nodes for proof in proofs])),
                "gaps": [
                    {
                        **{"search": gap.search, "found": gap.found, "missed": gap.missed},
                        **{"words_above": gap.above, "minimal": gap.minimal},
                    }
                    for gap in gaps(results)
                    if gap.truth.scenario == truth.scenario
                ],
            }
        )
    return found


def processor_seconds(results: Results) -> float:
    """The median time of a processor for a proof, whatever else it has to do meanwhile."""
    runner_ = AttackRunner(results.plan)
    first, *rest = unproved(replace(results, proofs=()))[: TIMED + 1]
    runner_.do(first)  # loads the victim
    taken = []
    for task in rest:
        began = process_time()
        runner_.do(task)
        taken.append(process_time() - began)
    return float(np.median(taken))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run every setting, or the one that is named, and write its figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.measure_proofs")
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("file", type=Path, nargs="?", default=FILE)
    parser.add_argument("--only", action="append", choices=[each.name for each in SETTINGS])
    options = parser.parse_args(arguments)
    options.file.parent.mkdir(parents=True, exist_ok=True)
    for setting in SETTINGS:
        if options.only and setting.name not in options.only:
            continue
        plan = plan_of(setting, options.data, options.work)
        path = options.work / f"{setting.name}.results.jsonl"
        results = runner.run(plan, path, options.work, Local(1))
        known = json.loads(options.file.read_text()) if options.file.exists() else {}
        known[setting.name] = {
            **{"seconds": SECONDS, "scenarios": figures(results)},
            "median_processor_seconds": processor_seconds(results),
        }
        known["machine"] = platform.processor() or platform.machine()
        options.file.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
        print(f"{setting.name} is done", flush=True)


if __name__ == "__main__":
    main()
