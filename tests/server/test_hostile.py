"""The first few hundred hostile inputs; ``make hostile`` tries ten thousand."""

from pathlib import Path

import pytest

from tests.tools.hostile import GENERATED, MOST_MEMORY, run
from tests.toys.sandbox import sandbox


# So many inputs, or as many as so many seconds allow; the certain ones and some more in any case.
@pytest.mark.parametrize(
    ("is_open", "most", "seconds"),
    [(False, 600, 45.0), (True, 300, 15.0)],
    ids=["own machine", "open server"],
)
def test_every_hostile_input_gets_a_plain_answer(
    is_open: bool, most: int, seconds: float, tmp_path: Path
) -> None:
    with sandbox(tmp_path, is_open=is_open) as server:
        report = run(server, most, seconds)
    assert not report.faults, "\n".join(report.lines())
    assert report.tried - report.generated == report.certain
    assert report.certain
    assert report.generated >= GENERATED
    assert report.peak < MOST_MEMORY
