"""The commands of python -m core study: backups, and the organiser's passphrase."""

import argparse
import sys
from collections.abc import Callable
from getpass import getpass
from pathlib import Path
from typing import Any

from core.errors import InputError, require

Printed = tuple[dict[str, Any], list[str]]  # what is printed: JSON, and lines


def add(study: argparse.ArgumentParser) -> None:
    """All actions and their options."""
    study.add_argument("--json", action="store_true", help="print JSON")
    names = "backup | restore | unlock | passphrase"
    actions = study.add_subparsers(required=True, metavar=names)

    def action(name: str, run: Callable[..., Printed], about: str) -> argparse.ArgumentParser:
        sub = actions.add_parser(name, help=about, description=about)
        sub.add_argument(
            "--json", action="store_true", default=argparse.SUPPRESS, help="print JSON"
        )
        sub.set_defaults(run=run)
        return sub

    for name, run, about in (
        ("backup", backup, "Write all studies to a file, safe while raters work."),
        ("restore", restore, "Fill the database from a backup."),
    ):
        action(name, run, about).add_argument(
            "file", type=Path, metavar="FILE", help="lines of JSON, any database"
        )
    actions.choices["restore"].add_argument(
        "--replace", action="store_true", help="restore over studies that are there"
    )
    action("unlock", unlock, "Forget all wrong passphrases, so that nobody has to wait.")
    action("passphrase", passphrase, "Set another passphrase, typed or as a line of stdin.")


def backup(options: argparse.Namespace) -> Printed:
    """Back up all studies of the database named by SWAPSCOPE_DATABASE."""
    from core.study import dump  # SQLAlchemy is only needed when an action runs
    from core.study.database import opened

    with opened() as database:
        rows = dump.backup(database, options.file)
    return {"rows": rows, "file": str(options.file)}, [f"{rows:,} rows written to {options.file}"]


def restore(options: argparse.Namespace) -> Printed:
    """Restore all studies from a backup."""
    from core.study import dump
    from core.study.database import opened

    with opened() as database:
        rows = dump.restore(database, options.file, replace=options.replace)
    line = f"{rows:,} rows restored from {options.file}"
    return {"rows": rows, "file": str(options.file)}, [line]


def unlock(options: argparse.Namespace) -> Printed:
    """Forget all wrong tries."""
    from core.study import access
    from core.study.database import opened

    with opened() as database:
        known = access.forget_tries(database)
    return {"forgotten": known}, ["Wrong passphrases are forgotten: nobody has to wait."]


def passphrase(options: argparse.Namespace) -> Printed:
    """Replace the stored passphrase, and say if the environment has another one."""
    from core.study import access
    from core.study.database import opened

    typed = _typed_passphrase(access.LONGEST)
    with opened() as database:
        access.replace_passphrase(database, typed)
    lines = ["The passphrase is set. Who has entered before stays until the page is left."]
    if overridden := access.overridden():
        lines.append(f"But where {access.ENVIRONMENT} is set, as it is here, that one counts.")
    if len(typed) < access.SHORTEST_ON_A_NETWORK:
        lines.append(
            f"It is short: use at least {access.SHORTEST_ON_A_NETWORK} characters if others on a "
            "network can open the server."
        )
    return {"overridden": overridden}, lines


def _typed_passphrase(longest: int) -> str:
    """Typed twice and not shown; the first line of stdin if that is no terminal."""
    require(sys.stdin is not None, "There is nothing to read: stdin is closed.")
    if not sys.stdin.isatty():
        line = sys.stdin.buffer.readline(4 * longest + 4)
        try:
            return line.decode().rstrip("\r\n")
        except UnicodeDecodeError:
            raise InputError("The passphrase is not UTF-8 text. Nothing was changed.") from None
    try:
        typed = getpass("New passphrase: ")
        require(typed == getpass("Once more: "), "The two are not the same. Nothing was changed.")
    except EOFError:
        raise InputError("No passphrase was typed. Nothing was changed.") from None
    return typed
