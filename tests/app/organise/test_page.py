"""Who may see the organiser's page."""

import pytest

from app.organise import running as organise
from core.study.creating import create
from core.study.database import Database
from tests.toys.organising import page
from tests.toys.pages import labels, press
from tests.toys.study import plan
from tests.toys.study_pages import WORD, entered


def test_nothing_is_shown_without_the_passphrase(database: Database) -> None:
    create(database, plan("Secret study"))
    app = page()
    assert labels(app) == ["Open"]
    assert "Secret study" not in str(app)
    app = entered("wrong one")
    assert app.error[0].value == "This is not the passphrase."
    assert labels(app) == ["Open"]


def test_the_passphrase_is_set_at_first_use(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SWAPSCOPE_PASSPHRASE")
    app = page()
    app.text_input(key="organise.passphrase").input("short")
    press(app, "Set the passphrase")
    assert "at least 8" in app.error[0].value
    app.text_input(key="organise.passphrase").input(WORD)
    press(app, "Set the passphrase")
    assert app.selectbox(key="organise.study").value == organise.NEW
    assert "Open" in labels(page())
