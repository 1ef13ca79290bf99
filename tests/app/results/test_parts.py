"""Files of results."""

from dataclasses import replace

import pytest

from app.results.parts import FILES, written
from core.experiment.results import Results


@pytest.mark.parametrize(("name", "style"), FILES.values())
def test_every_file_is_written(results: Results, name: str, style: str) -> None:
    content = written(results, name, style)
    assert content.startswith(b"PAR1") if name.endswith("parquet") else b"toy" in content


def test_raw_cells_are_a_switch(results: Results) -> None:
    text = "=cmd and a good film that everybody has to see twice"
    row = next(iter(results.attacks)).row
    hostile = replace(
        results, inputs={**results.inputs, row: replace(results.inputs[row], text=text)}
    )
    assert b"'=cmd" in written(hostile, "results.csv", "plain")
    assert b"'=cmd" not in written(hostile, "results.csv", "plain", raw=True)
