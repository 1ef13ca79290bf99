"""An empty database of studies."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.study.database import Database
from tests.toys.study_pages import WORD


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    monkeypatch.setenv("SWAPSCOPE_DATABASE", f"sqlite:///{tmp_path / 'studies.sqlite'}")
    monkeypatch.setenv("SWAPSCOPE_PASSPHRASE", WORD)
    database = Database()
    yield database
    database.close()
