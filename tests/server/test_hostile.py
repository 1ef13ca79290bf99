"""The first few hundred hostile inputs; python -m tests.tools.hostile tries ten thousand."""

from pathlib import Path

from tests.tools.hostile import MOST_MEMORY, run
from tests.toys.sandbox import sandbox

INPUTS, SECONDS = 600, 45.0  # whichever is reached first


def test_every_hostile_input_gets_a_plain_answer(tmp_path: Path) -> None:
    with sandbox(tmp_path) as server:
        report = run(server, INPUTS, SECONDS)
    assert not report.faults, "\n".join(report.lines())
    assert report.tried
    assert report.peak < MOST_MEMORY
