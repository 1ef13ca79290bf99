"""The commands of python -m core study."""

import io
import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from core.__main__ import main
from core.study import access, monitoring
from core.study.database import Database
from core.study.demonstration import demonstrate


def test_backup_and_restore(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SWAPSCOPE_DATABASE", f"sqlite:///{tmp_path / 'studies.sqlite'}")
    database = Database()
    demonstrate(database)
    file = str(tmp_path / "backup.ndjson")
    assert main(["study", "backup", file]) == 0
    assert "rows written" in capsys.readouterr().out
    assert main(["study", "restore", file]) == 2
    assert "--replace" in capsys.readouterr().err
    assert main(["study", "restore", file, "--replace", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] > 300
    assert len(monitoring.studies(database)) == 1
    database.close()


@pytest.fixture
def commands(
    sqlite: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., int]:
    """Run a command on the database, with a line of stdin."""
    monkeypatch.setenv("SWAPSCOPE_DATABASE", f"sqlite:///{tmp_path / 'one.sqlite'}")
    monkeypatch.delenv("SWAPSCOPE_PASSPHRASE", raising=False)

    def run(*words: str, line: bytes = b"") -> int:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(line)))
        return main(["study", *words])

    return run


def test_the_command_unlock_forgets_wrong_passphrases(
    sqlite: Database, commands: Callable[..., int]
) -> None:
    for _ in range(9):
        access.count_try(sqlite, "192.0.2.1", "s", 0.0)
    assert commands("unlock") == 0
    assert access.count_try(sqlite, "192.0.2.1", "s", 0.0) == 0


def test_the_command_passphrase_replaces_a_forgotten_one(
    sqlite: Database,
    commands: Callable[..., int],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    access.set_passphrase(sqlite, "a forgotten one")
    assert commands("passphrase", line="schön und lang\r\nmore".encode()) == 0
    assert access.passphrase_fits(sqlite, "schön und lang")
    assert not access.passphrase_fits(sqlite, "a forgotten one")
    assert "short" not in capsys.readouterr().out
    assert commands("passphrase", line=b"12345678\n") == 0
    assert "at least 12" in capsys.readouterr().out
    for wrong in (b"short\n", b"", b"\xff\xff\xff\xff\xff\xff\xff\xff\n", b"x" * 5_000):
        assert commands("passphrase", line=wrong) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert access.passphrase_fits(sqlite, "12345678")
    monkeypatch.setenv("SWAPSCOPE_PASSPHRASE", "from outside")
    assert commands("passphrase", "--json", line=b"a third passphrase\n") == 0
    assert json.loads(capsys.readouterr().out) == {"overridden": True}


def test_in_a_terminal_the_passphrase_is_typed_twice_and_not_shown(
    sqlite: Database, tmp_path: Path
) -> None:
    def typed(*lines: str) -> str:
        """What the terminal shows."""
        terminal, inside = pty.openpty()
        child = subprocess.Popen(
            [sys.executable, "-m", "core", "study", "passphrase"],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            env={**os.environ, "SWAPSCOPE_DATABASE": f"sqlite:///{tmp_path / 'one.sqlite'}"},
            start_new_session=True,
        )
        os.close(inside)
        shown = b""
        for prompt, line in zip((b"New passphrase: ", b"Once more: "), lines, strict=True):
            while not shown.endswith(prompt):
                shown += os.read(terminal, 1_000)
            os.write(terminal, line.encode() + b"\n")
        with suppress(OSError):  # how Linux says that the other side has ended
            while part := os.read(terminal, 1_000):
                shown += part
        os.close(terminal)
        child.wait()
        return shown.decode()

    assert "not the same" in typed("correct horse", "correct house")
    assert not access.passphrase_is_set(sqlite)
    shown = typed("correct horse", "correct horse")
    assert "The passphrase is set" in shown
    assert "correct" not in shown
    assert access.passphrase_fits(sqlite, "correct horse")
