"""Measure a bundled victim: ``python -m core.victims.training.evaluate NAME --data FILE``."""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.errors import CoreError
from core.victims import words as shared
from core.victims.neural import load
from core.victims.training import measure
from core.victims.training.data import read_rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Print accuracy and calibration error of a victim on a file of labelled rows."""
    parser = argparse.ArgumentParser(
        prog="python -m core.victims.training.evaluate", description=main.__doc__
    )
    parser.add_argument("name", help="a bundled victim")
    parser.add_argument(
        "--data", type=Path, required=True, help=".tsv, .csv, .jsonl or .txt, .gz too"
    )
    parser.add_argument("--victims", type=Path, default=shared.ASSETS, help="folder of the victims")
    options = parser.parse_args(arguments)
    try:
        victim = load(options.name, options.victims)
        rows = read_rows(options.data, victim.labels)
    except CoreError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    began = time.perf_counter()
    probabilities = measure.predict_rows(victim, rows)
    seconds = time.perf_counter() - began
    labels = np.array([row.label for row in rows])
    result = {
        "victim": options.name,
        "rows": len(rows),
        "accuracy": round(measure.accuracy(probabilities, labels), 4),
        "calibration_error": round(measure.calibration_error(probabilities, labels), 4),
        "rows_per_second": round(len(rows) / seconds, 1),
    }
    sys.stdout.write(json.dumps(result) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
