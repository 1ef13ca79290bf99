"""The paper's claims on the Results page."""

import pytest

from app.results import claims as page
from core.experiment import claims
from core.experiment.claims import Figures
from tests.toys.pages import harness


def test_every_claim_is_told_with_its_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    values = {
        "ls": {"success": [1.0] * 20, "requests": [30.0] * 20, "queries": [20.0] * 20},
        "sgs": {"success": [0.0] * 20, "requests": [20.0] * 20, "queries": [20.0] * 20},
    }
    runs = dict.fromkeys(values, 1)
    measured = [Figures("squad-bidaf", "bidaf-squad", 20, runs, values)]
    monkeypatch.setattr(page, "measured", lambda: measured)
    app = harness("results").run()
    assert not app.exception
    (told,) = (each.proto.body for each in app.get("html") if "Verdict" in each.proto.body)
    assert told.count("<tr>") == len(claims.all_claims()) + 1
    assert told.count("<strong>holds here</strong>") == 2
    assert "in the paper in 8 of 8 scenarios, here in 1 of 1: 100.0% against 0.0%" in told
