"""Who may do what: unguessable links for raters, one passphrase for the organiser."""

import hashlib
import hmac
import os
import secrets
import time

from sqlalchemy import update

from core.errors import CoreError, require
from core.study.database import Database
from core.study.tables import Organiser

ENVIRONMENT = "SWAPSCOPE_PASSPHRASE"
TOKEN_BYTES = 24  # 192 bits
SHORTEST = 8
TRIES = 5  # wrong passphrases before the door closes
WAIT = 60.0  # seconds it stays closed the first time; twice as long after each further try
LONGEST_WAIT = 3600.0


class LockedError(CoreError):
    """Too many wrong passphrases; the message says how long to wait."""


def new_token() -> str:
    """A link's secret part; only its hash is stored."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_hash(token: str) -> str:
    """What is stored of a token: it needs no salt, because nobody can guess 192 random bits."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def passphrase_is_set(database: Database) -> bool:
    """Whether there is a passphrase, from the environment or set at first use."""
    if os.environ.get(ENVIRONMENT):
        return True
    with database.reading() as session:
        return session.get_one(Organiser, 1).passphrase is not None


def set_passphrase(database: Database, passphrase: str) -> None:
    """Set the passphrase at first use; it cannot be overwritten this way."""
    require(len(passphrase) >= SHORTEST, f"Use at least {SHORTEST} characters.")
    hashed = _hash(passphrase, secrets.token_bytes(16))
    with database.writing() as session:
        changed = session.execute(
            update(Organiser).where(Organiser.passphrase.is_(None)).values(passphrase=hashed)
        )
        fresh = changed.rowcount == 1  # type: ignore[attr-defined]
    require(fresh, "A passphrase is set already. Enter that one.")


def passphrase_fits(database: Database, passphrase: str, now: float | None = None) -> bool:
    """Compare in constant time; after several wrong ones nobody gets in for a while.

    The try is counted before it is judged, so that many at once cannot outrun the lock.
    """
    now = time.time() if now is None else now
    with database.writing() as session:
        door = session.get_one(Organiser, 1, with_for_update=True)
        if door.locked_until > now:
            raise LockedError(
                f"Too many wrong passphrases. Try again in {door.locked_until - now:.0f} seconds."
            )
        door.failures += 1
        if door.failures >= TRIES:
            door.locked_until = now + min(LONGEST_WAIT, WAIT * 2.0 ** (door.failures - TRIES))
        stored = door.passphrase
    if chosen := os.environ.get(ENVIRONMENT):
        stored = _hash(chosen, b"swapscope-environment")
    fits = stored is not None and hmac.compare_digest(
        _hash(passphrase, bytes.fromhex(stored.partition("$")[0])), stored
    )
    if fits:
        with database.writing() as session:
            session.execute(update(Organiser).values(failures=0, locked_until=0.0))
    return fits


def _hash(passphrase: str, salt: bytes) -> str:
    content = passphrase.encode("utf-8", "replace")
    digest = hashlib.scrypt(content, salt=salt, n=2**14, r=8, p=1)
    return f"{salt.hex()}${digest.hex()}"
