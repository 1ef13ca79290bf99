"""The cards of victims as rows of a table, whatever was measured."""

import pytest

from app.shared.pickers import card_rows
from core import VICTIMS


@pytest.mark.parametrize(
    ("held_out", "rows"),
    [
        (
            {"accuracy": 0.904, "rows": 436, "calibration_error": 0.037},
            {"Accuracy": "90.4% of 436 held-out rows", "Expected calibration error": "0.037"},
        ),
        ({"f1": 72.3, "exact": 60.1, "rows": 1_000}, {"F1": "72.3 on 1,000 held-out rows"}),
        ({"bleu": 45.67, "rows": 507}, {"BLEU": "45.7 on 507 held-out rows"}),
        ({}, {}),
    ],
)
def test_what_was_measured_is_told(held_out: dict[str, float], rows: dict[str, str]) -> None:
    assert card_rows({"held_out": held_out}) == rows


def test_every_card_can_be_shown() -> None:
    for name, entry in VICTIMS.items():
        assert "Task" in card_rows(entry.card), name
