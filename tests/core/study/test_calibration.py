"""A study of whether two sentences say the same, and what it says of the levels."""

from pathlib import Path

import pytest

from core import InputError
from core.experiment.records import AttackRecord, Swap
from core.experiment.results import Results
from core.study import calibration
from core.study.calibration import QUESTION, Calibration, LevelRate, items_of
from core.study.results import results as study_results
from tests.toys.judged import judged
from tests.toys.records import TEXTS, results

LEVELS = [{"method": "plausible", "levels": [1, 2]}]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(calibration, "data_folder", lambda: tmp_path)
    return tmp_path


def fallen(row: int, level: int, status: str = "success") -> AttackRecord:
    name = f"plausible (level={level})"
    swaps = (Swap(level, f"x{level}"),)
    return AttackRecord(
        *(row, "toy", name, "untargeted", "ls", 0, status, 5, 5, 12, 3), swaps=swaps
    )


def run(*attacks: AttackRecord) -> Results:
    return results(*attacks, substitutions=LEVELS, searches=["ls"])


def test_every_input_is_asked_about_once_at_its_strictest_level() -> None:
    found = items_of(run(fallen(1, 2), fallen(1, 1), fallen(2, 1, "failed"), fallen(2, 2)))
    assert [(item.method, item.label) for item in found.items] == [
        ("harmless", "yes"),
        ("close", "yes"),
    ]
    assert found.items[0].text == TEXTS[0].replace("two", "x1")
    assert found.items[0].context == f"The other sentence: {TEXTS[0]}"
    assert found.question == QUESTION
    assert len(found.faults) == 2


def test_a_run_without_levels_is_refused() -> None:
    with pytest.raises(InputError, match="has no levels"):
        items_of(results(fallen(1, 1)))


def test_the_rates_of_a_study_are_kept_and_told(folder: Path) -> None:
    items = [
        judged("p4", "p3", method="harmless", source="a"),
        judged("p4", "p3", method="harmless", source="b"),
        judged("p4", "n3", "n2", method="close", source="c"),
    ]
    found = calibration.calibration("Film study", study_results(items))
    assert found.rates == {1: LevelRate(2, 1.0, 1.0, 1.0)}  # one close item is too few
    assert calibration.load() is None
    calibration.save(found)
    assert calibration.load() == found
    assert found.sentence(1) == (
        "People: of 2 such sentences 100% say the same (100% to 100%; 3 raters, Film study)."
    )
    assert found.sentence(2) == ""


def test_without_ratings_there_is_nothing_to_keep() -> None:
    with pytest.raises(InputError, match="nothing to keep"):
        calibration.calibration("s", study_results([judged(method="harmless", source="a")]))


@pytest.mark.parametrize("content", ["{", "[]", '{"study": "s", "raters": 1, "rates": {"9": {}}}'])
def test_a_damaged_file_is_no_calibration(folder: Path, content: str) -> None:
    calibration.save(Calibration("s", 2, {1: LevelRate(3, 0.5, 0.2, 0.8)}))
    calibration.file().write_text(content)
    assert calibration.load() is None
