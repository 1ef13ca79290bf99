"""Success by level of plausibility."""

from collections.abc import Mapping

import pytest

from core import InputError
from core.experiment.levels import level_lines, level_tables
from core.experiment.records import AttackRecord
from core.experiment.results import Results
from tests.toys.experiment import plan
from tests.toys.records import TEXTS, results

LEVELS = [{"method": "plausible", "levels": [1, 2, 4]}]
NAMES = ("plausible (level=1)", "plausible (level=2)", "embedding")


def record(row: int, name: str, status: str, search: str = "ls", seed: int = 0) -> AttackRecord:
    return AttackRecord(row, "toy", name, "untargeted", search, seed, status, 5, 5, 12, 3)


def of_levels(statuses: Mapping[int, tuple[str, ...]], **changes: object) -> Results:
    attacks = [
        record(row, name, status)
        for row, found in statuses.items()
        for name, status in zip(NAMES, found, strict=False)
    ]
    return results(*attacks, substitutions=LEVELS, searches=["ls"], **changes)


def test_a_plan_names_levels() -> None:
    made = plan(substitutions=LEVELS)
    assert tuple(choice.name for choice in made.substitutions) == NAMES
    assert plan(substitutions=["toy", *LEVELS]).substitutions[1:] == made.substitutions
    for wrong in ({"method": "toy", "levels": [1]}, {"method": "plausible", "levels": [7]}):
        with pytest.raises(InputError, match="level"):
            plan(substitutions=[wrong])


def test_a_level_counts_the_stricter_ones() -> None:
    (line,) = level_lines(
        of_levels(
            {
                1: ("success", "failed", "failed"),  # what a search misses on a wider level
                2: ("failed", "success", "success"),
                3: ("failed", "failed", "success"),
                4: ("failed", "over_limit", "failed"),
            }
        )
    )
    assert line.attacked == len(TEXTS)
    assert line.shares == {1: 0.25, 2: 0.5, 4: 0.75}


def test_only_inputs_that_were_attacked_on_all_levels_count() -> None:
    (line,) = level_lines(
        of_levels({1: ("success", "success", "success"), 2: ("failed", "error", "failed"), 3: ()})
    )
    assert (line.attacked, set(line.shares.values())) == (1, {1.0})


def test_the_table_names_the_levels() -> None:
    (table,) = level_tables(of_levels({1: ("failed", "success", "success")}))
    assert table.head[-3:] == ("harmless", "close", "any")
    assert [part.text for (part,) in table.rows[0]] == [
        *("toy", "untargeted", "ls", "1", "0.0", "100.0", "100.0"),
    ]


def test_without_a_ladder_there_is_no_table() -> None:
    assert level_tables(results(record(1, "toy", "success"))) == []
