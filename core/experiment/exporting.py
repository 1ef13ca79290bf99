"""Results for other programs: CSV, Parquet, LaTeX, and CSV as TextAttack writes it."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from core.errors import InputError, require
from core.experiment.levels import level_tables
from core.experiment.metrics import lines
from core.experiment.records import PARTS, AttackRecord
from core.experiment.results import Results, changed_text, replaced, why
from core.experiment.tables import definitions, detail_table, interval_table, noted, paper_tables
from core.registry import find
from core.spreadsheet import csv_text
from core.text import split

_MARK: Final = "[[{}]]"
_NUMBERS: Final = ("queries", "requests", "substitutes", "start", "score")
_TYPES: Final = {"success": "Successful", "skipped": "Skipped", "misclassified": "Skipped"}


def answers(results: Results) -> list[AttackRecord]:
    """The record of each attack, and one for each input that a victim gets wrong anyway."""
    wrong = [
        AttackRecord(row, victim, "", "", "", None, "misclassified", answer=judged.answer)
        for (victim, row), judged in sorted(results.judged.items())
        if not judged.right
    ]
    return [*wrong, *results.attacks]


def rows(results: Results) -> list[dict[str, Any]]:
    """One plain row for each answer."""
    found = []
    for answer in answers(results):
        each = results.inputs[answer.row]
        swaps = answer.swaps
        words = split(each.text).words
        found.append(
            {
                **{part: getattr(answer, part) for part in PARTS},
                "status": answer.status,
                "why": why(answer),
                "label": each.reference_text,
                "output": answer.answer,
                "premise": " | ".join(each.context.values()),
                "text": each.text,
                "adversarial": changed_text(each.text, swaps),
                "changes": "; ".join(f"{replaced(words, one)} → {one.word}" for one in swaps),
                "changed": len(swaps),
                "words": len(words),
                **{name: getattr(answer, name) for name in _NUMBERS},
                "error": answer.error,
            }
        )
    return found


def textattack_rows(results: Results) -> list[dict[str, Any]]:
    """Rows as TextAttack's CSV has them; what was changed stands in double brackets."""
    found = []
    for answer in answers(results):
        each = results.inputs[answer.row]
        swaps = answer.swaps
        words = split(each.text).words
        kept = [one._replace(word=replaced(words, one)) for one in swaps]
        premise = "".join(f"{fixed}<SPLIT>" for fixed in each.context.values())
        wrong = answer.status == "misclassified"
        found.append(
            {
                "original_text": premise + changed_text(each.text, kept, _MARK),
                "perturbed_text": premise + changed_text(each.text, swaps, _MARK),
                "original_score": answer.start,
                "perturbed_score": answer.score,
                "original_output": answer.answer if wrong else each.reference_text,
                "perturbed_output": answer.answer,
                "ground_truth_output": each.reference_text,
                "num_queries": answer.requests,
                "result_type": _TYPES.get(answer.status, "Failed"),
                **{part: getattr(answer, part) for part in PARTS},
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
    tables = [
        *level_tables(results),
        *paper_tables(measured),
        detail_table(measured),
        interval_table(measured),
    ]
    notes = noted([results.plan.limits.rule, *definitions(measured)], "latex")
    parts = [*(table.latex() for table in tables), "\n".join(notes)]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


_WRITERS: Final[Mapping[str, Callable[[Results, Sequence[Mapping[str, Any]], Path], None]]] = {
    "csv": _csv,
    "parquet": _parquet,
    "tex": _latex,
}
