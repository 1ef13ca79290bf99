"""Results for other programs: CSV, Parquet, LaTeX, and CSV as TextAttack writes it."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from core.errors import InputError, require
from core.experiment.metrics import lines
from core.experiment.results import Results, changed_text, why
from core.experiment.store import Record
from core.experiment.tables import definitions, detail_table, interval_table, noted, paper_tables
from core.experiment.work import PARTS
from core.registry import find
from core.spreadsheet import csv_text
from core.text import split

_MARK: Final = "[[{}]]"
_NUMBERS: Final = ("queries", "requests", "substitutes", "start", "score")
_TYPES: Final = {"success": "Successful", "skipped": "Skipped", "misclassified": "Skipped"}


def answers(results: Results) -> list[Record]:
    """The record of each attack, and one for each input that a victim gets wrong anyway."""
    blank = {
        "substitution": "",
        "goal": "",
        "search": "",
        "seed": None,
        "queries": 0,
        "requests": 0,
    }
    wrong = [
        {"row": row, "victim": victim, **blank, "status": "misclassified", "output": label}
        for (victim, row), label in sorted(results.judged.items())
        if results.inputs[row].label != label
    ]
    return [*wrong, *results.attacks]


def rows(results: Results) -> list[dict[str, Any]]:
    """One plain row for each answer."""
    found = []
    for answer in answers(results):
        each = results.inputs[answer["row"]]
        swaps = answer.get("swaps", [])
        words = split(each.text).words
        found.append(
            {
                **{part: answer[part] for part in PARTS},
                "status": answer["status"],
                "why": why(answer),
                "label": each.label,
                "output": answer.get("output"),
                "premise": each.premise,
                "text": each.text,
                "adversarial": changed_text(each.text, swaps),
                "changes": "; ".join(f"{words[at]} → {word}" for at, word in swaps),
                "changed": len(swaps),
                "words": len(words),
                **{name: answer.get(name) for name in _NUMBERS},
                "error": answer.get("error", ""),
            }
        )
    return found


def textattack_rows(results: Results) -> list[dict[str, Any]]:
    """Rows as TextAttack's CSV has them; what was changed stands in double brackets."""
    found = []
    for answer in answers(results):
        each = results.inputs[answer["row"]]
        swaps = answer.get("swaps", [])
        words = split(each.text).words
        kept = [(at, words[at]) for at, _ in swaps]
        premise = f"{each.premise}<SPLIT>" if each.premise else ""
        wrong = answer["status"] == "misclassified"
        found.append(
            {
                "original_text": premise + changed_text(each.text, kept, _MARK),
                "perturbed_text": premise + changed_text(each.text, swaps, _MARK),
                "original_score": answer.get("start"),
                "perturbed_score": answer.get("score"),
                "original_output": answer["output"] if wrong else each.label,
                "perturbed_output": answer.get("output"),
                "ground_truth_output": each.label,
                "num_queries": answer.get("requests"),
                "result_type": _TYPES.get(answer["status"], "Failed"),
                **{part: answer[part] for part in PARTS},
            }
        )
    return found


def export(results: Results, path: Path, style: str = "plain", *, raw: bool = False) -> int:
    """Write a file by the end of its name, whole or not at all; how many rows it has.

    Texts in CSV are safe to open in a spreadsheet, unless raw cells are wanted.
    """
    write = find(_WRITERS, path.suffix.removeprefix("."), "kind of export")
    if raw:
        require(write is _csv, "Only .csv has raw cells; other kinds keep each cell as it is.")
        write = partial(_csv, raw=True)
    content = textattack_rows(results) if style == "textattack" else rows(results)
    part = path.with_name(path.name + ".part")
    try:
        write(results, content, part)
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise InputError(f"Could not write {path}: {error.strerror or error}.") from error
    return len(content)


def _csv(
    results: Results, content: Sequence[Mapping[str, Any]], path: Path, *, raw: bool = False
) -> None:
    path.write_text(csv_text(content, raw=raw), encoding="utf-8", newline="")


def _parquet(results: Results, content: Sequence[Mapping[str, Any]], path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.Table.from_pylist(list(content)), path)


def _latex(results: Results, content: Sequence[Mapping[str, Any]], path: Path) -> None:
    measured = lines(results)
    tables = [*paper_tables(measured), detail_table(measured), interval_table(measured)]
    notes = noted([results.plan.limits.rule, *definitions(measured)], "latex")
    parts = [*(table.latex() for table in tables), "\n".join(notes)]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


_WRITERS: Final[Mapping[str, Callable[[Results, Sequence[Mapping[str, Any]], Path], None]]] = {
    "csv": _csv,
    "parquet": _parquet,
    "tex": _latex,
}
